/**
 * A result in the words that its tool package declares (DESIGN §9): a heading, and a row for each item or a quoted text; days and
 * free time have their own file. Untrusted text stays inside its line or quotation. Must not know a tool. Called by answer.ts.
 */
import { dayList } from '#event-days'
import type { Json } from '../../../../kernel/flow/json.ts'
import type { AnswerWords } from '../../../tools/package.ts'
import { hasName } from '../../../tools/reading.ts'
import type { Said, Telling } from '../said.ts'
import { type Clock, dayOf } from './clock.ts'
import { isTrue, itemsOf, shownOrder, textOf } from './content.ts'
import { freeTime } from './free-time.ts'
import { filled } from './sentence.ts'
import { line, quote } from './text.ts'

/** Most rows of one answer. */
const MOST_ROWS = 40
/** Most characters of a person's name in a sentence. */
const NAME_MAX = 60

export function toldBy(words: AnswerWords, content: Json, telling: Telling): string {
  if (words.as === 'days') return dayList(words, content, telling)
  if (words.as === 'free') return freeTime(words, content, telling)
  if (words.quote !== undefined) return quoted(words, content, telling)
  if (words.list !== undefined) return listed(words, content, telling)
  return sentenceOf(words.head, content, { words, telling, own: { topic: telling.typed.topic } })
}

function sentenceOf(
  sentence: string | undefined,
  item: Json,
  { words, telling, own }: { words: AnswerWords; telling: Telling; own?: Readonly<Record<string, Json>> },
): string {
  const { values } = words
  const made = {
    item,
    clock: telling.clock,
    ...(values !== undefined && { values }),
    ...(own !== undefined && { own }),
  }
  return sentence === undefined ? '' : filled(sentence, made)
}

/** Neither judges nor adds words: quotes the text, as far as there is room. */
function quoted(words: AnswerWords, content: Json, telling: Telling): string {
  const { text, left } = quote(textOf(content, words.quote ?? ''), words.longest)
  const made = { words, telling, own: { left } }
  return [
    sentenceOf(words.head, content, made),
    text === '>' ? (words.none ?? '') : text,
    ...(words.after ?? []).map((sentence) => sentenceOf(sentence, content, made)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** A row keeps its number in the whole list when others are left out. */
function listed(words: AnswerWords, content: Json, telling: Telling): string {
  const { said, clock, typed } = telling
  const items = itemsOf(content, words.list ?? '')
  const own = { ...telling.looked, who: line(typed.person, NAME_MAX) }
  if (items.length === 0) {
    const isOfOne = typed.person !== '' || Object.hasOwn(telling.looked, 'asked_from')
    const noneOf = isOfOne ? words.noneOf : undefined
    const none = noneOf ?? (said.unread ? words.noneNew : undefined) ?? words.none
    return sentenceOf(none, content, { words, telling, own })
  }
  const first = words.first ?? ''
  const rows = shownOrder(items.map((item) => isTrue(item, first))).map((index, place) => ({
    item: items[index] ?? null,
    // A field of that name is `where`.
    own: { place: place + 1, where: textOf(items[index] ?? null, 'place') },
  }))
  const asked = rows.filter(
    ({ item }) => words.day === undefined || isAsked(textOf(item, words.day), clock, said),
  )
  const all = asked.filter(({ item }) => isOf(item, words.of ?? [], typed.person))
  const meant = all.slice(0, MOST_ROWS)
  const left = all.length - meant.length
  if (meant.length === 0)
    return sentenceOf(asked.length === 0 ? words.none : (words.noneOf ?? words.none), null, {
      words,
      telling,
      own,
    })
  const marked = meant.filter(({ item }) => isTrue(item, first)).length
  const one = telling.looked['known'] === false ? sharedIn(meant, words.of?.at(-1)) : ''
  const counts = { rows: meant.length, marked, ...(one !== '' && { one }) }
  return [
    sentenceOf(words.head, content, { words, telling, own: counts }),
    ...(words.row === undefined
      ? []
      : meant.map((row) => sentenceOf(words.row, row.item, { words, telling, own: row.own }))),
    ...(words.after ?? []).map((sentence) =>
      sentenceOf(sentence, content, { words, telling, own: { left } }),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/** That no row of a list fitted what was looked for; null where the package has no words for it. */
export function missedBy(words: AnswerWords | undefined, telling: Telling): string | null {
  const none = words?.unmatched
  if (words === undefined || none === undefined) return null
  return sentenceOf(none, null, { words, telling, own: telling.looked })
}

/** What all rows have in this field; empty where they differ. Rows that no words of the message asked for are told by it. */
function sharedIn(rows: readonly { readonly item: Json }[], field: string | undefined): string {
  const [first = '', ...others] = new Set(rows.map(({ item }) => textOf(item, field ?? '')))
  return others.length === 0 ? first : ''
}

/** True for every day if none was named. */
function isAsked(date: string, clock: Clock, said: Said): boolean {
  const [at, from, to] = [clock.read(date), clock.read(said.from), clock.read(said.to)]
  if (at === null || from === null || to === null) return true
  return dayOf(at) >= dayOf(from) && dayOf(at) <= dayOf(to - 1)
}

/** Whether one of the fields that hold a name holds this person's; true when no person was asked for. */
function isOf(item: Json, fields: readonly string[], person: string): boolean {
  if (person === '' || fields.length === 0) return true
  return hasName(fields.map((field) => textOf(item, field)).join(' '), person)
}
