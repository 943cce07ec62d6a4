/**
 * The ownership map (O-57): the one table of directive files. Their subjects, when they load, which file keeps a line that
 * occurs in two, their budgets and writers. Must not hold contents: those are templates and the owner's files. Called by
 * everything in this folder.
 */
import { type Attachment, type Mode, NO_ATTACHMENT } from './mode.ts'

/** A name without a row in `OWNERSHIP` does not compile. */
export const STANDARD_FILES = Object.freeze([
  'SOUL',
  'USER',
  'AGENTS',
  'CODE',
  'TOOLS',
  'SECURITY',
  'MEMORY',
  'BOOT',
  'HEARTBEAT',
] as const)
export type StandardFile = (typeof STANDARD_FILES)[number]

/** The writers: the owner on a private line, the assistant's self-improvement, and templates of a new version. */
export type Writer = 'owner' | 'self_improvement' | 'template_sync'

/** `free`: at once, with undo. `asks`: needs the owner's approval. `never`: refused. */
export type WriteRule = 'free' | 'asks' | 'never'

export interface Ownership {
  /** `core`: in every owner prompt, whatever its header says. `user`: a file that the owner created. */
  readonly kind: 'core' | 'contextual' | 'user'
  /** The header's `owns` line. */
  readonly owns: string
  readonly mode: Mode
  readonly attach: Attachment
  /** The file with the lowest rank keeps a line that occurs in several (O-54). Rules rank before tone. */
  readonly rank: number
  /** UTF-16 units of its part in a prompt; about four per token (O-12). */
  readonly budget: number
  /** All directive content is the owner's data (O-13). */
  readonly label: 'sensitive'
  readonly writers: Readonly<Record<Writer, WriteRule>>
}

/**
 * UTF-16 units of all always-loaded files: about 1,200 tokens, 15 % of a local model's window of 8,192. More would leave
 * a small model no room for its task.
 */
export const ALWAYS_BUDGET = 4_800

/** Maximum UTF-16 units of a file: limits what one write seals and one prompt shows. */
export const FILE_MAX = 20_000

/** Maximum number of the owner's own files: each takes a line in every owner prompt. */
export const MOST_USER_FILES = 30

const SOFT = { owner: 'free', self_improvement: 'free', template_sync: 'free' } as const
/** Self-improvement may change rules only with the owner's approval (O-48, X-21). */
const HARD = { owner: 'free', self_improvement: 'asks', template_sync: 'asks' } as const
/** Only the owner writes the owner's own files (O-03). */
const OWN = { owner: 'free', self_improvement: 'never', template_sync: 'never' } as const

const CONTEXTUAL = { kind: 'contextual', label: 'sensitive', attach: NO_ATTACHMENT } as const
const CORE = { kind: 'core', label: 'sensitive', mode: 'always', attach: NO_ATTACHMENT } as const

export const OWNERSHIP: Readonly<Record<StandardFile, Ownership>> = Object.freeze({
  AGENTS: { ...CORE, owns: 'hard rules and the way work is done', rank: 0, budget: 2_000, writers: HARD },
  SECURITY: {
    ...CONTEXTUAL,
    owns: 'caution with secrets and strangers',
    mode: 'auto_attached',
    attach: { tools: ['admin.*', 'email.read', 'web.*'], intents: [], writes: true },
    ...{ rank: 1, budget: 2_400, writers: HARD },
  },
  SOUL: { ...CORE, owns: 'personality: tone and manner', rank: 2, budget: 1_200, writers: SOFT },
  TOOLS: {
    ...CONTEXTUAL,
    owns: 'pitfalls of tools',
    ...{ mode: 'agent_requested', rank: 3, budget: 3_000, writers: SOFT },
  },
  CODE: {
    ...CONTEXTUAL,
    owns: 'how code is written',
    mode: 'auto_attached',
    attach: { tools: ['code.*', 'github.*', 'script.*'], intents: [], writes: false },
    ...{ rank: 4, budget: 3_000, writers: SOFT },
  },
  MEMORY: {
    ...CONTEXTUAL,
    owns: 'lasting knowledge',
    mode: 'auto_attached',
    attach: { tools: ['memory.*'], intents: ['memory_search'], writes: false },
    ...{ rank: 5, budget: 4_000, writers: SOFT },
  },
  USER: { ...CORE, owns: 'who the owner is, and what they prefer', rank: 6, budget: 1_600, writers: SOFT },
  BOOT: {
    ...CONTEXTUAL,
    owns: 'setting up and upgrading',
    ...{ mode: 'manual', rank: 7, budget: 2_000, writers: HARD },
  },
  HEARTBEAT: {
    ...CONTEXTUAL,
    owns: 'background care',
    ...{ mode: 'agent_requested', rank: 8, budget: 1_600, writers: HARD },
  },
})

/** Defaults of a file that the owner created, until its header says otherwise. */
export const USER_FILE: Ownership = Object.freeze({
  ...CONTEXTUAL,
  kind: 'user',
  owns: '',
  ...{ mode: 'agent_requested', rank: Number.MAX_SAFE_INTEGER, budget: 4_000, writers: OWN },
})

/** Core files in prompt order. The rules come last, closest to the task (O-01). */
export const CORE_ORDER: readonly StandardFile[] = Object.freeze(['SOUL', 'USER', 'AGENTS'])

export function isStandard(name: string): name is StandardFile {
  return (STANDARD_FILES as readonly string[]).includes(name)
}

export function ownershipOf(name: string): Ownership {
  return isStandard(name) ? OWNERSHIP[name] : USER_FILE
}

/** The file that keeps a line which occurs in both (O-05, O-54). */
export function keeperOf(one: string, other: string): string {
  return ownershipOf(one).rank <= ownershipOf(other).rank ? one : other
}
