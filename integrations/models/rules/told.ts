/**
 * A result in the words that its tool package declares (DESIGN §9): a head, and a row for each item, of the days that were asked about. What a
 * stranger wrote stays inside its line. General: must not know a tool. Called by answer.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { AnswerWords } from '../../tools/package.ts'
import { type Clock, dateAndName, dayOf } from './clock.ts'
import { fieldOf, itemsOf, textOf } from './content.ts'
import type { Said } from './said.ts'
import { line } from './text.ts'

/** Rows of one answer. */
const MOST_ROWS = 40

export function toldBy(
  words: AnswerWords,
  content: Json,
  { clock, said }: { readonly clock: Clock; readonly said: Said },
): string {
  const { head, row, list, day } = words
  const items = itemsOf(content, list ?? '')
  const meant = day === undefined ? items : items.filter((item) => isAsked(textOf(item, day), clock, said))
  const rows =
    row === undefined ? [] : meant.slice(0, MOST_ROWS).map((item) => filled(row, item, words, clock))
  if (list !== undefined && rows.length === 0) return words.none ?? ''
  return [...(head === undefined ? [] : [filled(head, content, words, clock)]), ...rows].join('\n')
}

/** `{name}` is a field of it; what stands in `[ ]` is left out where a field of it is not there. */
function filled(sentence: string, item: Json, words: AnswerWords, clock: Clock): string {
  const shown = (name: string): string | null => shownAs(fieldOf(item, name), words.values, clock)
  const fill = (part: string): string => part.replace(SLOT, (_, name: string) => shown(name) ?? '')
  const has = (part: string): boolean =>
    [...part.matchAll(SLOT)].every(([, name = '']) => shown(name) !== null)
  return fill(sentence.replace(OPTIONAL, (_, part: string) => (has(part) ? part : '')))
}

const SLOT = /\{(\w+)\}/g
const OPTIONAL = /\[([^\]]*)\]/g

function shownAs(value: Json | undefined, values: AnswerWords['values'], clock: Clock): string | null {
  if (typeof value === 'number') return String(Math.round(value * 10) / 10)
  if (typeof value !== 'string' || value === '') return null
  if (values !== undefined && Object.hasOwn(values, value)) return values[value] ?? null
  const wall = /^\d{4}-\d{2}-\d{2}$/.test(value) ? clock.read(value) : null
  return wall === null ? line(value) : dateAndName(dayOf(wall), clock.now)
}

/** Every day, where none was named. */
function isAsked(date: string, clock: Clock, said: Said): boolean {
  const [at, from, to] = [clock.read(date), clock.read(said.from), clock.read(said.to)]
  if (at === null || from === null || to === null) return true
  return dayOf(at) >= dayOf(from) && dayOf(at) <= dayOf(to - 1)
}
