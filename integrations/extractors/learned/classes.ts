/**
 * The classes of the trained classifier: each phrase of a package, conversation, and requests that PFAR cannot serve. Derived
 * from the packages' declarations, so a new package adds its own. Must not name a tool. Called by the readers beside it, the
 * reader of messages, the rules model and training.
 */
import { leavesOf } from '../../../kernel/flow/field.ts'
import type { Phrase, Phrases, WordLists } from '../../tools/phrase.ts'
import { TOOL_MANIFESTS, TOOL_PHRASES } from '../../tools/registered.ts'
import { LACKING, OWN_PHRASES } from './own-phrases.ts'

export interface Class {
  /** `email.list`, `email.list#2`, `memory_save`, `cannot:flights`. */
  readonly id: string
  /** Null for a request that PFAR cannot serve, and for text that is no request. */
  readonly phrase: Phrase | null
  /** Whether its plan writes. */
  readonly writes: boolean
  readonly sentences: readonly { readonly says: string; readonly lists: WordLists; readonly typed?: true }[]
}

/** Label of a message with two requests. */
export const TWO = 'else:two'
export const CANNOT = 'cannot:'
/** Id of the class of text that is no request. */
export const NOTHING = 'nothing'

/** Ids of the actions, kernel tools and intents that write. */
export const WRITES: ReadonlySet<string> = new Set([
  ...TOOL_MANIFESTS.flatMap(({ actions }) =>
    actions.filter(({ semantics }) => semantics === 'write').map(({ id }) => id),
  ),
  'memory_save',
  ...['memory.save', 'reminder.set', 'reminder.later', 'reminder.about', 'task.add', 'task.done'],
])

/** Ids of actions that send the owner's words outside (`disclosed` arguments), for example to a search engine. */
export const LOOKED_UP: ReadonlySet<string> = new Set(
  TOOL_MANIFESTS.flatMap(({ actions }) => actions)
    .filter(({ args }) => leavesOf(args).some(([, { disclosed }]) => disclosed === true))
    .map(({ id }) => id),
)

export const CLASSES: readonly Class[] = [
  ...[...TOOL_PHRASES, OWN_PHRASES].flatMap(classesOf),
  ...Object.entries(LACKING).map(([topic, says]) => ({
    ...{ id: topic === NOTHING ? NOTHING : `${CANNOT}${topic}`, phrase: null },
    writes: false,
    sentences: says.map((one) => ({ says: one, lists: {} })),
  })),
]

const BY_ID = new Map(CLASSES.map((one) => [one.id, one]))

export function classOf(id: string): Class | null {
  return BY_ID.get(id) ?? null
}

/** English word lists of the package that declares a phrase. */
export function listsOf(phrase: Phrase): WordLists {
  return [...TOOL_PHRASES, OWN_PHRASES].find(({ asks }) => asks.includes(phrase))?.lists?.['en'] ?? {}
}

export function isShaped({ plan }: Phrase, shapes: Phrases['shapes'] = {}): boolean {
  return Object.entries(shapes).some(
    ([slot, { learned }]) => learned === undefined && JSON.stringify(plan).includes(`"{${slot}}"`),
  )
}

/** Whether a slot's text, with the articles before it, matches the shape that the package declares for that slot, if any. */
export function isOfShape(phrase: Phrase, slot: string, articles: string, said: string): boolean {
  const shape = TOOL_PHRASES.find(({ asks }) => asks.includes(phrase))?.shapes?.[slot]
  return (
    shape === undefined ||
    new RegExp(`^(?:${articles === '' ? '' : (shape.learned ?? '')}${shape.pattern})$`, 'is').test(
      articles + said,
    )
  )
}

/**
 * The class id is the tool of the plan's last step; further phrases of the same tool get a number. Left out, and read by their
 * declared sentences alone: phrases with a shaped slot (the classifier finds words, not shapes), phrases about what was just
 * shown, and those that yield to other packages.
 */
function classesOf({ asks, lists, typed, shapes }: Phrases): readonly Class[] {
  const counts = new Map<string, number>()
  return asks
    .filter((phrase) => !isShaped(phrase, shapes) && phrase.shown === undefined && phrase.yields !== true)
    .map((phrase) => {
      const name = String(phrase.plan.at(-1)?.['tool'] ?? phrase.intent ?? phrase.lacks)
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      const id = count === 1 ? name : `${name}#${count}`
      const read = (all: Phrase['says'], more: { readonly typed?: true }): Class['sentences'] =>
        Object.entries(all).flatMap(([language, own]) =>
          own.map((says) => ({ says, lists: lists?.[language] ?? {}, ...more })),
        )
      const sentences = [...read(phrase.says, {}), ...read(typed?.[id] ?? {}, { typed: true })]
      return { id, phrase, sentences, writes: WRITES.has(name) }
    })
}

/** The slot that a slot name in a declared sentence fills: a `topic` that the phrase takes is the title, `what`. */
export function slotOf(name: string, phrase: Phrase | null): string {
  return name === 'topic' && phrase?.takes?.topic !== undefined ? 'what' : name
}

/** Slots of a phrase's plan that the message must fill with text; all are required. */
export function neededSlots(phrase: Phrase): readonly string[] {
  if (phrase.intent !== undefined) return []
  const named = [...JSON.stringify(phrase.plan).matchAll(/"\{(\w+)\}"/g)].map(([, name = '']) => name)
  return [...new Set(named)]
}
