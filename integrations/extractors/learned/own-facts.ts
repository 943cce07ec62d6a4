/**
 * Reads a fact to remember, with the request before or behind it: "the locker is 14, keep that in mind", "bella hat am 3. mai
 * geburtstag, merk dir das". Must not read a question or a second request. Called by own-things.ts.
 */
import type { Moment } from '../../dates/read.ts'
import { FILLER, saysSecond } from '../message/message-coverage.ts'
import { asksChange } from '../message/message-seek.ts'
import { WRITES } from './classes.ts'
import { likelyOf } from './likely.ts'
import { ASKS, LINKS_BEHIND, MOST_OTHER, type OwnRequest } from './own-request.ts'

/** Words that ask for something to be remembered. */
const KEEPS: ReadonlySet<string> = new Set(
  (
    'remember note notes save store keep hold hang log record mind head memory forget somewhere safe handy file write jot put make ' +
    'merk merke merken notier notiere notieren speicher speichere speichern abspeichern behalt behalte behalten aufschreiben schreib gedächtnis vergiss ' +
    'vergessen hinterkopf notiz know next record records later onto reference future später'
  ).split(' '),
)
const CLAUSES =
  /(?:[,;.!?–]+|\s-|:)\s+|\s+(?=(?:please|pls|bitte|so|and|und|can|could|kannst|könntest) (?:\p{L}+ ){0,3}?(?:remember|note|save|store|keep|hold|hang|merk|notier|speicher|behalt))|\s+(?=(?:keep|save|note|remember|hold|store|log|jot|merk|notier|speicher|behalt)e?(?: (?:onto|on to|down|dir|mir|bitte))* (?:that|this|it|hold|das|es)(?!\p{L})|just so (?:you|u) know|for (?:next time|the record|future reference|your records))/giu

/**
 * The fact in the message. Null if no words around it ask to keep it, or if it is no single statement; `needs_fact` if it is
 * missing.
 */
export function factIn(core: string, moment: Moment): OwnRequest | null {
  const cuts = [...core.matchAll(CLAUSES)]
  const from = [0, ...cuts.map(({ index, 0: mark }) => index + mark.length)]
  const to = [...cuts.map(({ index }) => index), core.length]
  const clauses = from.map((start, at) => ({ start, end: to[at] ?? core.length }))
  const isFrame = ({ start, end }: { readonly start: number; readonly end: number }): boolean => {
    const words =
      core
        .slice(start, end)
        .toLowerCase()
        .match(/[\p{L}\p{N}']+/gu) ?? []
    return (
      words.some((word) => KEEPS.has(word)) &&
      words.every((word) => KEEPS.has(word) || FILLER.has(word) || SMALL.has(word))
    )
  }
  let [first, last] = [0, clauses.length - 1]
  while (first <= last && isFrame(clauses[first] ?? NOWHERE)) first += 1
  while (last >= first && isFrame(clauses[last] ?? NOWHERE)) last -= 1
  const isFramed = first > 0 || last < clauses.length - 1
  if (!isFramed) return null
  if (first > last) return { is: 'asks', why: 'needs_fact' }
  const fact = core
    .slice(clauses[first]?.start ?? 0, clauses[last]?.end ?? core.length)
    .replace(LINKS_BEHIND, '')
    .trim()
  const isOne = !asksChange(fact) && !saysSecond(fact) && fact.split(/\s+/).length > 1 && isTold(fact, moment)
  return isOne ? { is: 'fact', fact } : null
}

/** True for a statement: no question, and no request that writes anything else. */
function isTold(fact: string, moment: Moment): boolean {
  const [first] = likelyOf(fact, moment)
  const label = first?.label.replace(/^else:/, '') ?? ''
  const changes = WRITES.has(label) && !OWN.has(label)
  return !fact.includes('?') && !ASKS.test(fact) && !(changes && (first?.score ?? 0) > MOST_OTHER)
}

/** Labels that the table also gives to plain statements. */
const OWN: ReadonlySet<string> = new Set(['memory_save', 'reminder.set', 'task.add'])

const NOWHERE = { start: 0, end: 0 } as const
const SMALL: ReadonlySet<string> = new Set(
  "down and und so do not nicht dont don't always immer should sollten werden würden sich lose".split(' '),
)
