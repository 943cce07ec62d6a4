/**
 * Kernel effects that look like tools in a plan: memory, directive files and the reply (DESIGN §3). Declared like tools, so
 * that the same checks apply; they never go through the tool port. Called by plan, resolve and invoke.
 */
import { homeActions } from '#home-actions'
import { FILE_MAX } from '../directives/ownership.ts'
import { reminderActions } from '../features/reminders/effects.ts'
import type { RecordSpec } from '../flow/field.ts'
import type { Place } from '../flow/place.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { MOST_FOR_REQUEST } from '../prompt/shown-tools.ts'
import { EARLIER_MAX, MOST_EARLIER as MOST_BEFORE } from '../task/fact-entry.ts'
import { ASK_OWNER, FIND_TOOLS, REPLY } from '../task/plan.ts'
import {
  type ActionManifest,
  DEGRADE,
  type OfflinePolicy,
  REFUSE,
  type ToolManifest,
} from '../tool/manifest.ts'
import { resultOf } from '../tool/pages.ts'
import { findAction, type RegisteredAction, type Registry } from '../tool/registry.ts'
import type { RecordShape } from '../vault/records.ts'
import { MESSAGE_FIELDS } from './message-fields.ts'

/** Maximum UTF-16 units of one fact. */
export const FACT_MAX = 2_000
const REPLY_MAX = 16_000
const MOST_FACTS = 20
/** Maximum number of archived results and turns in one answer. */
const MOST_EARLIER = 12

/** Source name of a conversation turn among search results, whose other sources are tool actions. */
export const TALK = 'conversation'

/** The kernel effect that reads one directive file. */
export const LOAD = 'brain.load'

const SHARED = { compartment: null, ceiling: 'public', reaches: 'regulated' } as const

/** The sink of each place's memory. */
export const MEMORY_SINK: Readonly<Record<Place, string>> = Object.freeze({
  home: 'sink:memory:owner',
  edge: 'sink:memory:open',
})

const OWN_MEMORY = { policy: DEGRADE, why: 'each place has a memory of its own, and the edge’s is at hand' }

const ACTIONS: readonly ActionManifest[] = [
  {
    ...SHARED,
    id: FIND_TOOLS,
    core: true,
    description: 'With "again":true: describes [more tools] to the next plan.',
    progress: 'looking for a way',
    doing: 'looking_in_memory',
    offline: { policy: DEGRADE, why: 'each place knows its own tools' },
    semantics: 'read',
    args: { kind: 'record', fields: { words: { kind: 'text', max: FACT_MAX } } },
    output: {
      kind: 'record',
      fields: {
        tools: {
          kind: 'list',
          max: MOST_FOR_REQUEST,
          of: { kind: 'record', fields: { id: { kind: 'id' } } },
        },
      },
    },
    sink: null,
  },
  {
    ...SHARED,
    id: 'memory.save',
    core: true,
    description: 'One fact: words of the message or composed.',
    progress: 'making a note',
    card: { ask: 'Keep this in mind for later.' },
    doing: 'noting',
    offline: OWN_MEMORY,
    semantics: 'write',
    args: { kind: 'record', fields: { text: { kind: 'text', max: FACT_MAX } } },
    output: {
      kind: 'record',
      /** `known`: the same fact was stored already and was not saved again. */
      fields: { saved: { kind: 'boolean' }, known: { kind: 'boolean', optional: true } },
    },
    sink: MEMORY_SINK.home,
  },
  {
    ...SHARED,
    id: 'memory.search',
    core: true,
    description: 'Facts by words, or the newest; else old results, talks.',
    progress: 'looking in memory',
    doing: 'looking_in_memory',
    offline: OWN_MEMORY,
    semantics: 'read',
    args: {
      kind: 'record',
      fields: {
        query: { kind: 'text', max: FACT_MAX, optional: true },
        from: { kind: 'date', optional: true },
        to: { kind: 'date', optional: true },
      },
    },
    output: {
      kind: 'record',
      fields: {
        facts: {
          kind: 'list',
          max: MOST_FACTS,
          of: {
            kind: 'record',
            fields: {
              text: { kind: 'text', max: FACT_MAX },
              at: { kind: 'date' },
              /** Subject and value of the fact, if its words have that form: `my locker`, `4417` (B-19). */
              subject: { kind: 'text', max: FACT_MAX, optional: true },
              value: { kind: 'text', max: FACT_MAX, optional: true },
              since: { kind: 'date' },
              times: { kind: 'number' },
              earlier: {
                kind: 'list',
                max: MOST_BEFORE,
                of: {
                  kind: 'record',
                  fields: { text: { kind: 'text', max: EARLIER_MAX }, at: { kind: 'date' } },
                },
              },
            },
          },
        },
        /** Archived results and conversation turns (`TALK`), returned if no fact answers. Each is one text. */
        earlier: {
          kind: 'list',
          max: MOST_EARLIER,
          of: {
            kind: 'record',
            fields: {
              action: { kind: 'id' },
              text: { kind: 'text', max: FACT_MAX },
              at: { kind: 'date' },
            },
          },
        },
      },
    },
    sink: null,
  },
  {
    ...SHARED,
    id: LOAD,
    core: true,
    description: 'A listed file.',
    offline: { policy: REFUSE, why: 'directive files are kept at home alone' },
    semantics: 'read',
    args: { kind: 'record', fields: { name: { kind: 'text', max: 40 } } },
    output: {
      kind: 'record',
      fields: {
        name: { kind: 'text', max: 40 },
        /** `unchanged`: an earlier step of this task has the same text. */
        state: { kind: 'enum', values: ['loaded', 'unchanged'] },
        hash: { kind: 'id' },
        text: { kind: 'text', max: FILE_MAX, optional: true },
      },
    },
    sink: null,
  },
  {
    ...SHARED,
    id: REPLY,
    description: 'Send a written text to the person who asked, in the same chat.',
    doing: 'writing_answer',
    card: { ask: 'Send this text as my answer.' },
    offline: { policy: DEGRADE, why: 'the place that holds the chat answers in it' },
    semantics: 'write',
    args: { kind: 'record', fields: { text: { kind: 'text', max: REPLY_MAX } } },
    output: { kind: 'record', fields: { sent: { kind: 'boolean' } } },
    sink: null,
  },
  {
    ...SHARED,
    id: ASK_OWNER,
    description: 'Ask the owner whether a time suits, where the calendar may not say.',
    offline: { policy: DEGRADE, why: 'the owner is asked on the open line, which the edge holds' },
    semantics: 'read',
    args: { kind: 'record', fields: { from: { kind: 'date' }, to: { kind: 'date' } } },
    output: { kind: 'record', fields: { suits: { kind: 'boolean' } } },
    sink: null,
  },
  ...reminderActions(MEMORY_SINK.home),
  ...homeActions(MEMORY_SINK.home),
]

const KERNEL_TOOL: ToolManifest = {
  name: 'kernel',
  version: '1',
  ownerOnly: false,
  places: ['edge', 'home'],
  network: [],
  credential: null,
  actions: ACTIONS,
}

const EFFECTS: ReadonlyMap<string, RegisteredAction> = new Map(
  ACTIONS.map((action) => [action.id, Object.freeze({ ...action, tool: KERNEL_TOOL })]),
)

export const EFFECT_IDS: readonly string[] = Object.freeze([...EFFECTS.keys()])

/** Whether the action writes data that each place stores for the owner: a fact, a reminder, a task. */
export function isKept(id: string): boolean {
  return EFFECTS.get(id)?.sink === MEMORY_SINK.home
}

/**
 * Whether later requests may refer to the action's result: true for every tool, and
 * for kernel actions whose rows have a name or number.
 */
export function isEarlier(id: string): boolean {
  const effect = EFFECTS.get(id)
  return effect === undefined || effect.earlier === true
}

export function isKernelEffect(id: string): boolean {
  return EFFECTS.has(id)
}

/** A kernel effect or a registered tool action; refuses any other id. */
export function lookUpAction(registry: Registry, id: string): Result<RegisteredAction> {
  const effect = EFFECTS.get(id)
  return effect === undefined ? findAction(registry, id) : ok(effect)
}

/** What happens to an action while home is offline (T-07). Refuses where no policy is declared. */
export function offlinePolicyOf(registry: Registry, id: string): OfflinePolicy {
  const action = lookUpAction(registry, id)
  return action.ok ? (action.value.offline?.policy ?? REFUSE) : REFUSE
}

/** Pseudo-action for the owner's contacts that a message names. They are the owner's data about other people. */
export const CONTACTS = 'owner:contacts'
/** Maximum contacts: as many as a group may have. */
export const MOST_CONTACTS = 20
const CONTACTS_SPEC: RecordSpec = {
  kind: 'record',
  fields: {
    people: {
      kind: 'list',
      max: MOST_CONTACTS,
      of: { kind: 'record', fields: { name: { kind: 'text', max: 200 }, email: { kind: 'email' } } },
    },
  },
}

/** Pseudo-actions for extracted messages: the same fields, labelled by who wrote the message. */
export const OWNER_MESSAGE = 'extractor:message:owner'
export const OTHER_MESSAGE = 'extractor:message:other'

/** Prefix of the pseudo-action for the arguments of a call that was approved for a later time. */
export const HELD = 'held:'

/** Record of those arguments. It is raw, like a service's answer: waiting does not improve taint. */
function heldShape(registry: Registry, action: string): Result<RecordShape> {
  const found = lookUpAction(registry, action.slice(HELD.length))
  if (!found.ok) return err('tool_unknown', { action })
  const { args, ceiling, compartment } = found.value
  return ok({ origin: action, spec: args, ceiling, compartment, taint: 'raw' })
}

/** The guard of an action's records. Rebuilt from code at every opening, never read from storage. */
export function shapeOf(registry: Registry, action: string): Result<RecordShape> {
  if (action === OWNER_MESSAGE || action === OTHER_MESSAGE) {
    const taint = action === OWNER_MESSAGE ? 'clean' : 'raw'
    return ok({ origin: action, spec: MESSAGE_FIELDS, ceiling: 'public', compartment: null, taint })
  }
  if (action === CONTACTS)
    return ok({
      origin: action,
      spec: CONTACTS_SPEC,
      ceiling: 'sensitive',
      compartment: null,
      taint: 'clean',
    })
  const held = action.startsWith(HELD) ? heldShape(registry, action) : null
  if (held !== null) return held
  const found = lookUpAction(registry, action)
  if (!found.ok) return err('tool_unknown', { action })
  const { id, ceiling, compartment } = found.value
  const taint = isKernelEffect(id) ? 'clean' : 'raw'
  return ok({ origin: `tool:${id}`, spec: resultOf(found.value), ceiling, compartment, taint })
}
