/**
 * Which open reminders or tasks the owner's words mean: by number, by place in the list, "that", "all", or words of them. Must
 * not change one. Called by reminders.ts.
 */
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Extraction, OwnerFacts } from '../../powers/ports.ts'
import type { SealedReading } from '../../powers/sealed.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import { indexWords, withWords } from '../memory/telling-words.ts'
import { isOnSeveral, rowsOn } from './list-rows.ts'
import { rowsShown } from './list-shown.ts'
import { isOnList } from './lists.ts'
import type { Asking, Reminder, ReminderStore, ReminderView } from './port.ts'

type FindPorts = SealedReading & OwnerFacts & Extraction & StoreOf<ReminderStore & TaskStore>

/** Rows of this kind, with the texts that the chat may show. */
type Shown = (of: readonly Reminder[]) => Promise<readonly ReminderView[]>

interface Wanted {
  readonly kind: Reminder['kind']
  readonly said: string
  /** The list that is named; null for all of them. */
  readonly list: string | null
  readonly shown: Shown
}

/** What was made last, or came last. */
const NEWEST = /^(?:that|this|it)$/i
/** The only one; of several it is asked which. */
export const ANY_REMINDER = 'the reminder'
const ANY = /^(?:the |my |die |meine )?(?:reminder|erinnerung)$/i
const EVERY = /^(?:all|alle)(?: (?:of )?(?:my|the|these|them|meine|die))?$/i
/** Places in words, as far as anybody counts them, by their beginnings. */
const PLACES = [
  'first|erst|1',
  'second|zweit|2',
  'third|dritt|3',
  'fourth|viert|4',
  'fifth|fünft|5',
  'sixth|sechst|6',
  'last|letzt',
].map((one) => new RegExp(`^(?:${one})(?:st|nd|rd|th|e[nrs]?|\\.)?$`, 'iu'))
const LAST = 6

/** What is said around a place. */
const AROUND_PLACE = /^(?:the |die |den |das )|(?: (?:one|task|reminder|thing|aufgabe|erinnerung))$/giu
/** Between the things of a list. */
const JOINS = /\s*,\s*(?:and\s+|und\s+)?|\s+(?:and|und|&)\s+/i

/** Refusals: reminder_unknown; reminder_several where words fit more than one, and for a place where there are several lists. */
export async function foundBy(
  powers: FindPorts,
  asking: Asking,
  { kind, said, list, shown }: Wanted,
): Promise<Result<readonly Reminder[]>> {
  const open = rowsOn(powers.store.openReminders(asking.principal, kind), list)
  // All of a list that there is not is nothing, and not all that there is.
  const isThere = list === null || open.some((one) => isOnList(one.list, list))
  if (EVERY.test(said.trim())) return open.length === 0 || !isThere ? err('reminder_unknown') : ok(open)
  if (ANY.test(said.trim()) && open.length > 0)
    return open.length === 1 ? ok(open) : err('reminder_several', { count: open.length })
  const word = said.trim().replace(AROUND_PLACE, '')
  const isPlace = placeOf(word, open.length) in open
  const number = isPlace ? null : numberIn(powers, said)
  if (isPlace || (number ?? 0) < 0) {
    if (!isThere) return err('reminder_unknown')
    const those = isOnSeveral(open) ? await rowsShown(powers, asking, open) : open
    const placed = those[number === null ? placeOf(word, those.length) : -number - 1]
    if (isOnSeveral(those)) return err('reminder_several', { count: those.length })
    return placed === undefined ? err('reminder_unknown') : ok([placed])
  }
  if (NEWEST.test(said.trim()) || number !== null) {
    const named = number === null ? newest(open) : open.find((one) => one.number === number)
    return named === undefined ? err('reminder_unknown') : ok([named])
  }
  const views = await shown(open)
  const whole = oneOf(said, views)
  const parts = said.split(JOINS).filter((part) => part !== '')
  // "Salt and pepper" may be one thing, or two.
  if (whole.ok || whole.reason.code === 'reminder_several' || parts.length < 2) return rows(open, [whole])
  return rows(
    open,
    parts.map((part) => {
      const only = views.find((one) => one.number === numberIn(powers, part))
      return only === undefined ? oneOf(part, views) : ok(only)
    }),
  )
}

/** The only one that has all of these words, as `foundAt` counts them. Refusals: reminder_unknown, reminder_several. */
export function oneOf(words: string, views: readonly ReminderView[]): Result<ReminderView> {
  const [at, ...others] = foundAt(words, views)
  const only = views[at ?? views.length]
  if (only === undefined) return err('reminder_unknown')
  return others.length === 0 ? ok(only) : err('reminder_several', { count: others.length + 1 })
}

/** A text, and when it is due where it has a time. */
type Worded = { readonly text: string } & Partial<Pick<ReminderView, 'due'>>

/**
 * Indexes of the rows that have all of these words. Of rows that say the same, at no time or at one, the first: nothing tells them apart. "The 2nd bread" is the
 * second of those that have the rest of the words.
 */
export function foundAt(words: string, rows: readonly Worded[]): readonly number[] {
  const named = rows.map(({ text, due }, at) => ({
    text,
    at,
    key: `${due ?? ''} ${text.trim().toLowerCase()}`,
  }))
  const fits = withWords(words, named)
  if (fits.length > 0)
    return fits.filter(({ key }, at) => fits.findIndex((one) => one.key === key) === at).map(({ at }) => at)
  const [, word = '', rest = ''] = PLACED_AMONG.exec(words.trim()) ?? []
  const among = rest === '' ? [] : withWords(rest, named)
  const place = placeOf(word, among.length)
  return among.filter((_, index) => index === place).map(({ at }) => at)
}

const PLACED_AMONG = /^(?:(?:the|die|den|das) )?(\S+) (\S.*)$/iu

/** Of a list of so many rows; below zero where the word is none, or the list has no such row. */
export function placeOf(word: string, count: number): number {
  const at = /^\d+$/.test(word) ? -1 : PLACES.findIndex((one) => one.test(word))
  return at === LAST ? count - 1 : at
}

/** None of them, or more than one that fits as well. */
export const UNNAMED = { none: -1, several: -2 } as const

/**
 * Index of the text that these words name: the only one that has all of them, else the only one that has the most of them, and one at least. "The bench is sanded"
 * is "sand the bench". A place is that of the list.
 */
export function namedAt(words: string, rows: readonly Worded[]): number {
  const texts = rows.map(({ text }) => text)
  const place = placeOf(words.trim().replace(AROUND_PLACE, ''), texts.length)
  if (place in texts) return place
  const [only, ...others] = foundAt(words, rows)
  if (only !== undefined) return others.length === 0 ? only : UNNAMED.several
  const wanted = new Set(indexWords(words))
  const shares = texts.map((text) => indexWords(text).filter((word) => wanted.has(word)).length)
  const most = Math.max(0, ...shares)
  if (most === 0) return UNNAMED.none
  return shares.filter((share) => share === most).length === 1 ? shares.indexOf(most) : UNNAMED.several
}

/** All or none: half of what was said is not done. */
function rows(
  open: readonly Reminder[],
  found: readonly Result<ReminderView>[],
): Result<readonly Reminder[]> {
  const numbers = new Set<number>()
  for (const one of found) {
    if (!one.ok) return one
    numbers.add(one.value.number)
  }
  return ok(open.filter(({ number }) => numbers.has(number)))
}

/** A place in the list is below zero: "the second" is -2. */
function numberIn(powers: FindPorts, said: string): number | null {
  const digits = /^(?:(?:no|number|reminder|task)\b[. ]*|#)?(\d{1,9})$/i.exec(said.trim())?.[1]
  if (digits !== undefined) return Number(digits)
  const context = { now: powers.now(), timezone: powers.profile().timezone }
  const read = typedFields(powers, `finished ${said}`, context)
  return read['intent'] === 'task_done' && typeof read['count'] === 'number' ? read['count'] : null
}

function newest(open: readonly Reminder[]): Reminder | undefined {
  return open.toSorted((one, other) => lastOf(other) - lastOf(one))[0]
}

function lastOf({ at, firedAt }: Reminder): number {
  return Math.max(at, firedAt ?? 0)
}
