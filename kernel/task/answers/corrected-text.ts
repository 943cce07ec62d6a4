/**
 * Applies a correction to a text and changes nothing else but spaces and punctuation around the place.
 * Pure. Must only be given the inside of a labelled value, through `combine`. Called by correct-text.ts.
 */
import { type Correction, isValue, timesIn } from './correction-words.ts'

/** The corrected text; null if the words do not occur in it, or if nothing would remain. */
export function corrected(text: string, correction: Correction): string | null {
  switch (correction.do) {
    case 'replace':
      return replaced(text, correction.old, correction.by)
    case 'leave':
      return left(text, correction.what)
    case 'leave_part':
      return withoutPart(text, correction)
    case 'add':
      return added(text, correction)
    case 'whole':
      return rewritten(text, correction.text)
  }
}

/** Matches the words as whole words, ignoring case. */
function placesOf(words: string): RegExp {
  const spelt = words
    .trim()
    .split(/\s+/)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replaceAll(/['’]/g, "['’]"))
    .join('\\s+')
  return new RegExp(`(?<![\\p{L}\\p{N}])${spelt}(?![\\p{L}\\p{N}]|[.,:]\\d)`, 'giu')
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
const isCapital = (text: string): boolean => /^\p{Lu}/u.test(text)

function replaced(text: string, old: string, by: string): string | null {
  const places = placesOf(old)
  if (!places.test(text)) return null
  return text.replaceAll(places, (found) => (isCapital(found) ? capital(by) : by))
}

/** Another time takes the place of the only one; anything else is the whole text. */
function rewritten(text: string, by: string): string | null {
  const [time, ...others] = isValue(by) ? timesIn(text) : []
  return time === undefined || others.length > 0 ? capital(by) : replaced(text, time, by)
}

function left(text: string, what: string): string | null {
  const places = placesOf(what)
  if (!places.test(text)) return null
  return tidied(text, text.replaceAll(places, '\uE000'))
}

/** Closes the gap of removed words, with a comma, a space or an empty line. */
function tidied(before: string, marked: string): string | null {
  const text = marked
    .replaceAll(/,[ \t]*\uE000[ \t]*(?=,)/gu, '')
    .replaceAll(/(^|[.!?][ \t]+|\n)[ \t]*\uE000[ \t]*[,.!?;:]+[ \t]*/gu, '$1\uE001')
    .replaceAll(/[ \t]*,?[ \t]*\uE000(?=[ \t]*[.!?]|[ \t]*$|[ \t]*\n)/gu, '')
    .replaceAll(/[ \t]*\uE000[ \t]*(?=[,;:])/gu, '')
    .replaceAll(/[ \t]*\uE000[ \t]*/gu, ' ')
    .replaceAll(/\uE001(\p{L}?)/gu, (_, letter: string) => letter.toUpperCase())
    .replaceAll(/\n[ \t]*(?=\n\n)|\n{3,}/gu, '\n')
    .trim()
  const isFirst = isCapital(before.trim())
  const whole = isFirst ? capital(text) : text
  return /[\p{L}\p{N}]/u.test(whole) ? whole : null
}

/** The sentences with the spaces after them, including a last one without punctuation. */
function sentencesOf(text: string): readonly string[] {
  return (
    text.match(/[^.!?\n]*(?:[.!?](?=\S))*[^.!?\n]*(?:[.!?]+[ \t]*|\n+|$)/gu)?.filter((one) => one !== '') ??
    []
  )
}

function withoutPart(text: string, { part, at }: Extract<Correction, { do: 'leave_part' }>): string | null {
  const all = part === 'line' ? (text.match(/[^\n]*\n+|[^\n]+$/gu) ?? []) : sentencesOf(text)
  const full = all.flatMap((one, place) => (/[\p{L}\p{N}]/u.test(one) ? [place] : []))
  const out = at === -1 ? full.at(-1) : full[at - 1]
  if (out === undefined || full.length < 2) return null
  const rest = all
    .filter((_, place) => place !== out)
    .join('')
    .trim()
  return rest === '' ? null : rest
}

function added(text: string, { text: more, at, line }: Extract<Correction, { do: 'add' }>): string {
  const own = text.trim()
  if (line) return at === 'end' ? `${own}\n\n${more}` : `${more}\n\n${own}`
  if (at === 'start') return `${ended(capital(more))} ${own}`
  return `${ended(own)} ${ended(capital(more))}`
}

function ended(text: string): string {
  return /[.!?…:)"”“]$/u.test(text) ? text : `${text}.`
}
