/**
 * The lines on which a tool's hostile answer can meet a task: each shipped template with whoever it answers, and the actions that it
 * offers. Must not choose an action by its name. Called by pairs.ts and attack.ts.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { TOOL_MANIFESTS } from '../../../integrations/tools/registered.ts'
import { ASKER, type FieldGrant } from '../../../kernel/flow/grant.ts'
import { EFFECT_IDS } from '../../../kernel/powers/effects.ts'
import type { Agreement } from '../../../kernel/task/agreement.ts'
import { loadTemplates } from '../../../kernel/template/load.ts'
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { createRegistry, type Registry } from '../../../kernel/tool/registry.ts'
import type { Line } from '../world.ts'

export type LineName = 'private' | 'health' | 'open' | 'paired' | 'stranger'

export interface ToolLine {
  readonly name: LineName
  readonly line: Line
  /** Decoded TOML of the shipped template. */
  readonly template: Readonly<Record<string, unknown>>
  /** As the template says it. */
  readonly asks: boolean
  readonly manifests: readonly ToolManifest[]
  readonly registry: Registry
  /** Ids that a plan may name here, effects included. */
  readonly offered: ReadonlySet<string>
  /** Whoever reads the answers here is not the owner. */
  readonly isOthers: boolean
}

const FOLDER = new URL('../../../templates/tasks/', import.meta.url)
const YEAR = 31_536_000_000
const BOB = 'principal:telegram:peer:bob'

/** What an owner may agree to: the fields that a declaration shares, for weeks to come. */
const GRANTS: readonly FieldGrant[] = TOOL_MANIFESTS.flatMap(({ actions }) =>
  actions.flatMap(({ id, shares = [] }) =>
    ['scheduling', 'paired_scheduling'].map((template) => ({
      ...{ id: `grant-${id}-${template}`, kind: 'fields' as const, template, action: id, fields: shares },
      ...{ sink: ASKER, daysAhead: 10_000, perDay: 10_000, revoked: false },
      ...{ createdAt: 0, expiresAt: 100 * YEAR },
    })),
  ),
)

const AGREED: Agreement = {
  ...{ id: 'agreement-1', templates: ['paired_scheduling'], code: '', state: 'live', told: true },
  ...{ principal: BOB, sink: 'sink:telegram:bob', createdAt: 0, openUntil: 0, expiresAt: 100 * YEAR },
}

const TERMINAL = { adapter: 'terminal', user: 'local', chat: 'owner' }
const PEER: Line = {
  place: 'edge',
  source: { adapter: 'telegram', user: 'bob', chat: 'bob' },
  grants: GRANTS,
}

/** A tool of home's alone, as if the edge had it too: what the edge may hold of it is judged there. */
const AT_BOTH = TOOL_MANIFESTS.map((manifest) => ({ ...manifest, places: ['edge', 'home'] as const }))

export const LINES: readonly ToolLine[] = [
  lineOf('private', 'owner_private', { place: 'home', source: TERMINAL }),
  // Chosen by what a message is about; here by its line alone.
  lineOf('health', 'owner_health', { place: 'home', source: TERMINAL }),
  lineOf('open', 'owner_open', {
    place: 'edge',
    source: { adapter: 'openline', user: 'local', chat: 'owner' },
  }),
  lineOf('paired', 'paired_scheduling', { ...PEER, agreement: AGREED }),
  lineOf('stranger', 'scheduling', PEER),
]

function lineOf(name: LineName, file: string, line: Line): ToolLine {
  const { intents: _, ...template } = parse(readFileSync(new URL(`${file}.toml`, FOLDER), 'utf8'))
  const manifests = line.place === 'home' ? TOOL_MANIFESTS : AT_BOTH
  const registry = createRegistry(manifests)
  const loaded = loadTemplates([template], registry, EFFECT_IDS)
  const [first] = loaded.ok ? loaded.value.templates : []
  if (first === undefined) throw new Error(`the template ${file} does not load`)
  return {
    ...{ name, line, template, manifests, registry },
    asks: first.requireApprovalForWrites,
    offered: new Set(first.tools),
    isOthers: first.principalClass !== 'owner',
  }
}
