/**
 * The ownership map (O-57): the one table of directive files. What each owns, when it comes into a prompt, which of two
 * files keeps a line that stands in both, how long it should be, who may write it. Everything that deals with these files
 * reads it here. Must not hold contents: those are templates and the owner's. Called by everything in this folder.
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

/** Who writes: the owner at his private line, the assistant's own improvement, or a new version's templates. */
export type Writer = 'owner' | 'self_improvement' | 'template_sync'

/** `free` at once and with an undo; `asks` for the owner's yes; `never` at all. */
export type WriteRule = 'free' | 'asks' | 'never'

export interface Ownership {
  /** `core` is in every owner prompt, whatever its header says; `user` is a file that the owner made. */
  readonly kind: 'core' | 'contextual' | 'user'
  /** The header's `owns` line. */
  readonly owns: string
  readonly mode: Mode
  readonly attach: Attachment
  /** Lowest keeps a line that stands in several files (O-54). Rules come before manner: X-22. */
  readonly rank: number
  /** UTF-16 units of what a prompt shows of it, about a quarter as many tokens (O-12). */
  readonly budget: number
  /** All directive content is the owner's data (O-13). */
  readonly label: 'sensitive'
  readonly writers: Readonly<Record<Writer, WriteRule>>
}

/**
 * UTF-16 units of all files that are always there: about 1,200 tokens, 15 % of a local model's window of 8,192.
 * More would leave a small model no room for the work itself.
 */
export const ALWAYS_BUDGET = 4_800

/** UTF-16 units of any file: what one write may seal and one prompt be asked to show. */
export const FILE_MAX = 20_000

/** Files that the owner made: each has a line in every owner prompt. */
export const MOST_USER_FILES = 30

const SOFT = { owner: 'free', self_improvement: 'free', template_sync: 'free' } as const
/** Rules are not changed by what the assistant learned: the owner is asked (O-48, X-21). */
const HARD = { owner: 'free', self_improvement: 'asks', template_sync: 'asks' } as const
/** The owner's own files are nobody else's to write (O-03). */
const OWN = { owner: 'free', self_improvement: 'never', template_sync: 'never' } as const

const CONTEXTUAL = { kind: 'contextual', label: 'sensitive', attach: NO_ATTACHMENT } as const
const CORE = { kind: 'core', label: 'sensitive', mode: 'always', attach: NO_ATTACHMENT } as const

export const OWNERSHIP: Readonly<Record<StandardFile, Ownership>> = Object.freeze({
  AGENTS: { ...CORE, owns: 'hard rules and the way work is done', rank: 0, budget: 2_000, writers: HARD },
  SECURITY: {
    ...CONTEXTUAL,
    owns: 'caution with secrets and strangers',
    mode: 'auto_attached',
    attach: { tools: ['admin.*'], intents: [], writes: true },
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
  USER: { ...CORE, owns: 'who the owner is, and what he prefers', rank: 6, budget: 1_600, writers: SOFT },
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

/** A file that the owner made, until its header says otherwise. */
export const USER_FILE: Ownership = Object.freeze({
  ...CONTEXTUAL,
  kind: 'user',
  owns: '',
  ...{ mode: 'agent_requested', rank: Number.MAX_SAFE_INTEGER, budget: 4_000, writers: OWN },
})

/** Core files in the order of a prompt: the rules come last, nearest to the work (O-01). */
export const CORE_ORDER: readonly StandardFile[] = Object.freeze(['SOUL', 'USER', 'AGENTS'])

export function isStandard(name: string): name is StandardFile {
  return (STANDARD_FILES as readonly string[]).includes(name)
}

export function ownershipOf(name: string): Ownership {
  return isStandard(name) ? OWNERSHIP[name] : USER_FILE
}

/** The file that keeps a line which stands in both (O-05, O-54). */
export function keeperOf(one: string, other: string): string {
  return ownershipOf(one).rank <= ownershipOf(other).rank ? one : other
}
