/**
 * A text with a correction made in it, of which nothing else changes but the blanks and marks around the place. Pure. Must not be given
 * anything but the inside of a labelled value, by `combine`. Called by correct-text.ts.
 */
import type { Correction } from './correction-words.ts'

/** Null where the words do not stand in it, or nothing of it would stay. */
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
  }
}

/** Where the words stand by themselves, in any case of letters. */
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

function left(text: string, what: string): string | null {
  const places = placesOf(what)
  if (!places.test(text)) return null
  return tidied(text, text.replaceAll(places, '\uE000'))
}

/** The gap takes a comma, a blank or an empty line with it. */
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

/** Sentences with the blanks behind them; one without an end is one, too. */
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
