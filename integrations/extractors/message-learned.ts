/**
 * What the embedded planner reads in a message, as phrases with their fields and slots. Must not plan, and must not read what a sentence
 * of a package accounts for already. Called by message.ts and the rules planner.
 */
import type { Moment } from '../dates/read.ts'
import type { Phrase, Phrases } from '../tools/phrase.ts'
import { TOOL_PHRASES } from '../tools/registered.ts'
import { OWN_PHRASES } from './learned/own-phrases.ts'
import { type Part, understand } from './learned/read.ts'
import { namedThings } from './message-requests.ts'
import { type Fields, requestFields, textField } from './message-taken.ts'
import { factOf, findEmail, findUrl, subjectOf } from './message-words.ts'

export interface Asked {
  readonly phrase: Phrase
  /** Fields of the message, if the phrase is named. */
  readonly fields: Fields
  /** Texts of the phrase's slots, as typed. */
  readonly taken: Readonly<Record<string, string>>
}

/** The requests of a message in order; empty if it was not understood as a whole. */
export function askedIn(text: string, moment: Moment): readonly Asked[] {
  const understood = understand(text, moment)
  if (understood.is === 'not') return []
  return understood.parts.flatMap((part) => {
    const { phrase } = part.of
    return phrase === null ? [] : [{ phrase, fields: fieldsOf(phrase, part, moment), taken: part.slots }]
  })
}

function fieldsOf(phrase: Phrase, part: Part, { now, zone }: Moment): Fields {
  const { intent } = phrase
  if (intent === undefined) return {}
  const topic = part.slots['topic'] ?? null
  if (intent === 'memory_save') return { intent, ...textField('topic', factOf(topic)) }
  if (intent === 'memory_search') return { intent, ...textField('topic', subjectOf(topic)) }
  const { who, whose, what } = part.slots
  return {
    intent,
    ...textField('url', findUrl(part.text)),
    ...requestFields({
      ...{
        core: { text: part.text, polite: false },
        rest: part.text,
        email: findEmail(part.text),
        dates: part.dates,
      },
      ...{ request: { phrase, lists: listsOf(phrase) }, things: namedThings(TOOL_PHRASES), zone, now },
      known: { person: who ?? whose?.replace(/['’]?s['’]?$/, '') ?? null, title: what ?? null },
    }),
  }
}

function listsOf(phrase: Phrase): NonNullable<Phrases['lists']>[string] {
  return [...TOOL_PHRASES, OWN_PHRASES].find(({ asks }) => asks.includes(phrase))?.lists?.['en'] ?? {}
}
