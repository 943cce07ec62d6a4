/**
 * Reads a message that answers several cards, each with its own yes or no: "yes 21 and no 23", "ja zur ersten,
 * nein zur zweiten". A message with any other word is not such an answer. Pure. Called by each-answer.ts.
 */
import { PLACES } from './answer-words.ts'

/** One part of the message: names a card by its number, or by its place among the pending cards, from 1. */
export interface EachSaid {
  readonly decision: 'approve' | 'deny'
  readonly number: string | null
  /** `OTHER`: the card that the other parts do not name. */
  readonly place: number | null
}

export const OTHER = 0

/** Maximum UTF-16 units of such a message. */
const LONGEST = 160
const YES = 'yes|y|ja|ok|okay|approve|accept'
const NO = 'no|n|not|nein|nicht|deny|reject|decline|refuse'
const TO = '(?:(?:to|for|zu|zum|zur|with|mit|bei) +)?(?:(?:the|der|die|das|den|dem) +)?'
const CARD = `(?:(?:card|number|nummer|nr\\.?|no\\.|karte|#) *)?`
const WHICH = `${TO}${CARD}(?:(?<number>[1-9]\\d{0,8})|(?<other>other|ander)(?:e[nrms]?)?|(?<place>${PLACES.join('|')})[nrms]?)(?: +(?:one|card|karte|eine?n?))?`
const FORMS = [`(?:(?<yes>${YES})|${NO})[:,]? +${WHICH}`, `${WHICH}[:,]? +(?:(?<yes>${YES})|${NO})`].map(
  (form) => new RegExp(`^${form}$`, 'u'),
)
const BETWEEN = /\s*(?:[,;.]\s*(?:(?:and|but|und|aber|then|dann)\s+)?|\s(?:and|but|und|aber|&)\s)\s*/u

/** The parts of the message; null for any other message, and for one that names a single card or the same card twice. */
export function eachInMessage(text: string): readonly EachSaid[] | null {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, '')
    .replace(/,? (?:please|bitte|thanks|danke)$/, '')
  if (said.length > LONGEST || said.includes('\n')) return null
  const parts = said.split(BETWEEN)
  const each = parts.map(partOf)
  const found = each.filter((one) => one !== null)
  const cards = new Set(found.map(({ number, place }) => number ?? `.${place}`))
  return parts.length > 1 && cards.size === parts.length ? found : null
}

function partOf(said: string): EachSaid | null {
  const groups = FORMS.map((form) => form.exec(said)?.groups).find((one) => one !== undefined)
  if (groups === undefined) return null
  const { yes, number, place, other } = groups
  const at = PLACES.findIndex((words) => words.split('|').includes(place ?? ''))
  return {
    decision: yes === undefined ? 'deny' : 'approve',
    number: number ?? null,
    place: other !== undefined ? OTHER : place === undefined ? null : at + 1,
  }
}
