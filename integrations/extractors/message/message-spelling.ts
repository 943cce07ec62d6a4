/**
 * The request of a message as it would be spelt: apostrophes that were left out, and typing errors in words of time and in "calendar". What is quoted or
 * stands behind a colon is content and stays. Pure; must not decide what is meant. Called by message.ts and the planner without a model.
 */
import { apostrophed } from '../../../kernel/wording/typed.ts'
import { isTypo } from '../learned/tokens.ts'
import { INTENT_HEAD } from './message-sentence.ts'
import { besideAddresses, spokenAlways, typedAgain } from './message-spoken.ts'

/** Long words alone: a short one is soon another word or a name. */
const TIMES = words(
  'tomorrow yesterday monday tuesday wednesday thursday friday saturday sunday january february september october november december morning afternoon evening weekend',
)
const ZEITEN = words(
  'montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar oktober dezember übermorgen wochenende vormittag nachmittag',
)
const CALENDARS = ['calendar', 'kalender']
/** Words of their own that are one letter from a word above. */
const OWN_WORDS = new Set(words('mourning montage sundry weekender'))
const WORD = /[\p{L}\p{M}]+(?:['’]\p{L}+)?/gu
const WORD_HERE = /^[\p{L}\p{M}]+(?:['’]\p{L}+)?/u
/** From here on it is said by somebody, or the name of something. */
const CONTENT = /:\s|["“”„«]/u
/** A person is named next, or was: a name is spelt as it is. */
const WITH = /(?<!\p{L})(?:with|mit|bei|mr|mrs|ms|dr|herr|frau|und|and)\.?\s$/iu
/** German: no "I am". */
const IN_MONTH =
  /(?<!\p{L})im (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|kalender|postfach|posteingang|ordner|moment|urlaub|frühling|sommer|herbst|winter)(?!\p{L})/iu
/** "Tomorrows sync": of that day. */
const OF_DAY = /^(tomorrow|today|yesterday)s$/i

/** Typing errors, and what is spoken with one meaning alone. */
export function spelled(typed: string): string {
  return besideAddresses(typed, (text) => spokenAlways(withoutSlips(text)))
}
spelled.back = typedAgain

function withoutSlips(typed: string): string {
  const head = typed.slice(0, INTENT_HEAD)
  const request = head.slice(0, CONTENT.exec(head)?.index ?? head.length)
  let text = ''
  let last = 0
  const short = IN_MONTH.test(request) ? request : apostrophed(request)
  let more = 0
  for (const { 0: word, index } of request.matchAll(WORD)) {
    const [full = word] = WORD_HERE.exec(short.slice(index + more, index + more + word.length + 2)) ?? []
    more += full.length - word.length
    const right = full === word ? rightly(word, request, index) : full
    if (right === word) continue
    text += typed.slice(last, index) + right
    last = index + word.length
  }
  return text + typed.slice(last)
}

function rightly(word: string, request: string, index: number): string {
  const lower = word.toLowerCase()
  const day = OF_DAY.exec(word)
  if (day !== null && /^\s\p{L}/u.test(request.slice(index + word.length))) return `${day[1]}'s`
  if (lower.length < 5 || OWN_WORDS.has(lower)) return word
  const calendar = CALENDARS.includes(lower) ? undefined : CALENDARS.find((one) => isSlip(lower, one))
  if (calendar !== undefined) return calendar
  if (TIMES.includes(lower) || ZEITEN.includes(lower) || isMidName(word, request, index)) return word
  const bare = lower.endsWith('s') && /^tom/.test(lower) ? lower.slice(0, -1) : lower
  const meant = [...TIMES, ...ZEITEN].find((one) => isSlip(bare, one))
  if (meant === undefined) return word
  const isOf = bare !== lower && /^\s\p{L}/u.test(request.slice(index + word.length))
  return `${/^\p{Lu}/u.test(word) ? capital(meant) : meant}${isOf ? "'s" : ''}`
}

/** One slip; with doubled letters once, as in "tommorow". What only lacks its last letter, or has one more there, may be a name: "Frida". */
function isSlip(typed: string, word: string): boolean {
  if (typed === word) return false
  if (single(typed) === single(word)) return typed.at(0) === word.at(0) && typed.length + 2 >= word.length
  const isEnd = typed.startsWith(word) || word.startsWith(typed)
  return !isEnd && isTypo(typed, word)
}

function single(word: string): string {
  return word.replace(/(\p{L})\1/gu, '$1')
}

/** Beside a name, or where one is expected. */
function isMidName(word: string, request: string, index: number): boolean {
  const before = request.slice(Math.max(0, index - 40), index)
  if (!/^\p{Lu}/u.test(word) || index === 0) return WITH.test(before) && /^\p{Lu}/u.test(word)
  return WITH.test(before) || /(?:^|\s)\p{Lu}[\p{L}.]*\s$/u.test(before)
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function words(text: string): readonly string[] {
  return text.split(' ')
}
