/**
 * Entities of a message, as typed: web address, mail address, person, position, number; the title of an appointment, the fact to
 * save, the thing to search. Must not decide the intent or add words. Called by message.ts.
 */
import { TYPED_MAX } from '../../../../kernel/powers/message-fields.ts'
import { numberIn } from '../../../dates/read.ts'

/** Maximum characters that are searched word by word; an event's own limit is larger. */
const WORDS_HEAD = 50_000
/** Maximum words of a name. */
const NAME_WORDS = 3
/** Maximum number of items in a request. */
const MOST_ITEMS = 50

const ADDRESS = /^[^\s\p{C}@<>"(),:;[\]\\]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/u
const URL = /https?:\/\/[^\s<>"'`\\^{|}]{1,2040}/i
/** Control, invisible and unpaired characters, which no address contains. */
const HIDDEN = /\p{C}/u
const URL_TAIL = /[.,;:!?]{1,20}$/
const NAME = /^\p{L}[\p{L}\p{M}.'’-]{0,39}$/u
const CAPITAL = /^\p{Lu}/u
const TITLE = /^(?:(?:dr|mr|mrs|ms|prof)\.?|frau|herrn?)$/i
/** Words after `from` or `with` that are no name, or that end one. */
const NOBODY = new Set(
  (
    'me you us them it this that these those the a an my our your his her their today tomorrow tonight yesterday ' +
    'next last now noon midnight morning afternoon evening monday tuesday wednesday thursday friday saturday sunday ' +
    'at on in for from to by with about and or of until regarding please all day week month year work home any anyone ' +
    'someone everyone people new unread recent yet again only i is was ' +
    'mir dir uns euch ihm ihr ihnen sich mich dich einer einem eines einen allen heute morgen gestern hier da dort oben unten zu bis nach um am im und oder bitte'
  ).split(' '),
)
const ARTICLES = new Set(
  'my the our der die das dem den meiner meinem meinen meine mein unserer unserem unseren unser'.split(' '),
)
const LAST = /\b(?:last|oldest|letzte[nrs]?(?! (?:woche|nacht|monat|jahr))|älteste[nrs]?)\b/i
const POSITION = /(?:(?<!\w)(\d{1,2})(?:st|nd|rd|th)\b|(?:#|\bnumber )(\d{1,2})\b)/i
const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
]

const GERMAN_ORDINALS = 'erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte'.split(' ')

/** Pattern sources for sentences: an ordinal, a name in the genitive, the beginning of an address. */
export const NTH = `${ORDINALS.join('|')}|last|latest|newest|most recent|oldest|next|1st|2nd|3rd|[4-9]th|10th|#\\d{1,2}|number \\d{1,2}`
export const GENITIVE = "\\S+['’]s?"
export const URL_START = 'https?://\\S'
/** An address with or without its scheme: `example.org/feed.xml`. */
export const SITE =
  '(?:https?://)?[a-z0-9-]{1,63}(?:\\.[a-z0-9-]{1,63}){1,8}(?:[:/?#]\\S{0,2048}[^\\s.,;!?]|/)?'

const ORDINAL = new RegExp(`\\b(${ORDINALS.join('|')})\\b`, 'i')

const GERMAN_ORDINAL = new RegExp(`(?<!\\p{L})(${GERMAN_ORDINALS.join('|')})[nrs]?(?!\\p{L})`, 'iu')

/** Patterns of the nouns that packages declare for things that people own, receive and count, such as letters. */
export interface Things {
  /** After a name in the genitive. */
  readonly owned: RegExp
  /** "the last …": the newest one. */
  readonly newest: RegExp
  /** After a number. */
  readonly counted: RegExp
}

/** From pattern sources for singular and plural; empty if no package names any. */
export function thingsOf(one: string, many: string): Things {
  const [single, several] = [one, many].map((source) => (source === '' ? '(?!)' : source))
  return {
    owned: new RegExp(`^(?:${several}|${single}|last|latest|newest)\\b`, 'i'),
    newest: new RegExp(
      `\\b(?:latest|newest|most recent|last (?:${single})|neueste[nrs]?|letzte[nrs]? (?:${single}))\\b`,
      'i',
    ),
    counted: new RegExp(
      `\\b(\\d{1,4}|two|three|four|five|six|seven|eight|nine|ten) (?:newest |latest |last |most recent |new |unread )?(?:${several})\\b`,
      'i',
    ),
  }
}

/** First web address, without sentence-ending punctuation. */
export function findUrl(text: string): string | null {
  const match = URL.exec(text)
  return match === null ? null : asUrl(match[0])
}

/** Each web address once, in order; at most `TYPED_MAX`. */
export function findUrls(text: string): readonly string[] {
  return distinct([...text.matchAll(new RegExp(URL, 'gi'))].map(([typed]) => asUrl(typed)))
}

function asUrl(typed: string): string | null {
  const url = (typed.split(HIDDEN, 1)[0] ?? '').replace(URL_TAIL, '')
  const closing = url.endsWith(')') && !url.includes('(') ? url.slice(0, -1) : url
  return /^https?:\/\/./i.test(closing) ? closing : null
}

/** First mail address. */
export function findEmail(text: string): string | null {
  for (const word of text.slice(0, WORDS_HEAD).split(/\s/)) {
    const email = asEmail(word)
    if (email !== null) return email
  }
  return null
}

/** Each mail address once, in order; at most `TYPED_MAX`. */
export function findEmails(text: string): readonly string[] {
  return distinct(
    text
      .slice(0, WORDS_HEAD)
      .split(/[\s,;]/)
      .map(asEmail),
  )
}

function asEmail(word: string): string | null {
  if (!word.includes('@') || word.length > 400) return null
  const bare = word.replace(/^(?:mailto:|[<("'[])/i, '').replace(/[>)"'\].,;:!?]{1,20}$/, '')
  return ADDRESS.test(bare) ? bare : null
}

function distinct(found: readonly (string | null)[]): readonly string[] {
  return [...new Set(found.flatMap((one) => one ?? []))].slice(0, TYPED_MAX)
}

/** The name after one of `prepositions`, or in the genitive before a thing: `from Sarah`, `Sarah's letter`. */
export function findPerson(text: string, prepositions: readonly string[], things: Things): string | null {
  const words = text.split(/\s+/).filter((word) => word !== '')
  for (const [index, word] of words.entries()) {
    if (!prepositions.includes(word.toLowerCase())) continue
    const name = nameAt(words, index + 1)
    if (name !== null) return name
  }
  return findOwner(words, things)
}

/** `did Sarah write`, `what does Dr. Blake say` → the words between. */
export function findSubject(text: string): string | null {
  const match =
    /^(?:what )?(?:did|does|has) (?=(\S{1,40}(?: \S{1,40}){0,2}?) (?:say|writ|want|send|sent|e-?mail|mail|repl|answer))/i.exec(
      text,
    )
  return match?.[1] === undefined ? null : nameAt(match[1].split(' '), 0)
}

/** `the second one` → 2; the last of a list → -1; the newest → 1. */
export function findPosition(text: string, things: Things): number | null {
  const ordinal = ORDINAL.exec(text)?.[1]
  if (ordinal !== undefined) return ORDINALS.indexOf(ordinal.toLowerCase()) + 1
  const german = GERMAN_ORDINAL.exec(text)?.[1]
  if (german !== undefined) return GERMAN_ORDINALS.indexOf(german.toLowerCase()) + 1
  if (things.newest.test(text)) return 1
  if (LAST.test(text)) return -1
  const match = POSITION.exec(text)
  const position = Number(match?.[1] ?? match?.[2] ?? 0)
  return position >= 1 && position <= MOST_ITEMS ? position : null
}

/** `the last three` → 3. */
export function findCount(text: string, things: Things): number | null {
  const match =
    /\b(?:last|latest|newest|recent|first|top|next) (\d{1,4}|two|three|four|five|six|seven|eight|nine|ten)\b/i.exec(
      text,
    ) ?? things.counted.exec(text)
  if (match === null) return null
  const count = numberIn(match[1] ?? '')
  return count >= 1 ? Math.min(count, MOST_ITEMS) : null
}

export function wantsUnread(text: string): boolean {
  return /\b(?:unread|new|neue[nr]?|ungelesen(?:e[nr]?)?|not read|haven['’]?t (?:(?:yet|i) )?read|unopened)\b/i.test(
    text,
  )
}

function findOwner(words: readonly string[], things: Things): string | null {
  for (const [index, word] of words.entries()) {
    const next = words[index + 1]?.toLowerCase() ?? ''
    const owner = /^(.{1,40})(?:['’]s|s['’])$/.exec(word)?.[1]
    if (owner === undefined || !things.owned.test(next)) continue
    const before = words[index - 1] ?? ''
    const name = NAME.test(owner) && !NOBODY.has(owner.toLowerCase()) ? owner : null
    if (name !== null)
      return CAPITAL.test(before) && CAPITAL.test(name) && index > 1 ? `${before} ${name}` : name
  }
  return null
}

/** One word as typed, with the capitalised words after it. */
function nameAt(words: readonly string[], start: number): string | null {
  const from = ARTICLES.has(words[start]?.toLowerCase() ?? '') ? start + 1 : start
  const name: string[] = []
  for (const raw of words.slice(from, from + NAME_WORDS)) {
    const word = TITLE.test(raw) ? raw : raw.replace(/(?:['’]s)?[.,;:!?]{0,20}$/, '')
    const fits = NAME.test(word) && !NOBODY.has(word.toLowerCase())
    if (!fits || (name.length > 0 && !(CAPITAL.test(word) || TITLE.test(name[name.length - 1] ?? '')))) break
    name.push(word)
    if (word !== raw) break
  }
  return name.length === 0 ? null : name.join(' ')
}

/** Maximum characters of an appointment's title and of a topic (MESSAGE_FIELDS: 2,000). */
const TITLE_MAX = 200
const TOPIC_MAX = 2_000
/** Rounds of removing surrounding words from a title, one word per round. */
const ROUNDS = 12

const NAMED = /\b(?:called|named|titled|entitled)\s+(\S.{0,199})/i
const QUOTED = /["“]([^"“”]{1,200})["”]/
/** Words around a title that are not part of it, in any request. */
const LEADING = 'an?|the|me|in|on|my|some|for|to|time to|new|and|,|:|-'
const TRAILING =
  'please|pls|on|at|from|for|in|by|this|next|to|until|till|and|about|around|approx|roughly|ca|circa|etwa|ungefähr|,|-|–'
const MARKS = /^[\s,;:.!?"“”'-]{1,40}|[\s,;:.!?"“”-]{1,40}$/g

/** Pattern sources for further words before and after a title. */
interface Around {
  readonly before: string
  readonly behind: string
}

/** What the owner does, in a question: "mach ich", "fahr ich nach". It is no title, and what stands behind it is. */
const OWN_VERB =
  /^(?:mach|tu|unternehm|fahr|flieg|reis|geh|treff|besuch|seh|hab|komm|arbeit|brauch|bin|sind|muss|müss|soll|will|woll)(?:e|en|n)?(?:$| (?:ich|wir)(?!\p{L})(?: mich)?(?: (?:nach|zu|zum|zur|ins?|im|mit|den|die|das))*\s*)/iu
/** Why, said behind a title. */
const REMARK = /[,;.] *(?:it'?s|they|he|she|because|weil|er ist|sie ist|es ist|das ist) \S.*$/is

/** `rest`: the request after its verb, with time expressions replaced by spaces. Null if nothing is left. */
export function titleOf(rest: string, email: string | null, around: Around): string | null {
  const whole = rest.replace(email ?? '\u0000', ' ')
  const own = NAMED.exec(whole)?.[1] ?? QUOTED.exec(whole)?.[1] ?? whole.replace(REMARK, '')
  const title = strip(own.replace(/\s+/g, ' ').slice(0, TITLE_MAX), around).replace(OWN_VERB, '')
  return title === '' ? null : title.charAt(0).toUpperCase() + title.slice(1)
}

/** A fact is stored completely or not at all: half of one may say the opposite. */
export function factOf(rest: string | null): string | null {
  const fact = (rest ?? '').trim().replace(/,? (?:please|pls|bitte)[.?!]*$/i, '')
  return fact === '' || fact.length > TOPIC_MAX ? null : fact
}

export function subjectOf(rest: string | null): string | null {
  const subject = (rest ?? '').trim().slice(0, TOPIC_MAX).replace(TOLD_BEHIND, '').replace(MARKS, '')
  return subject === '' ? null : subject
}

/** Behind what is asked of memory: that it was told. */
const TOLD_BEHIND =
  /[,;.?!–-]+ (?:(?:i|i'm|im|pretty|quite|sure|think|know|already|have|'ve|ich|das|es)\s)*(?:told|gave|given|said|mentioned|sent|hab|habe|hatte)\b.{0,80}$/is

function strip(text: string, { before, behind }: Around): string {
  const leading = new RegExp(`^(?:${LEADING}|${before})\\s+`, 'i')
  const trailing = new RegExp(`(?:^|\\s)(?:${TRAILING}|${behind})$`, 'i')
  let title = text.replace(MARKS, '')
  for (let round = 0; round < ROUNDS; round++) {
    const next = title.replace(trailing, '').replace(leading, '').replace(MARKS, '')
    if (next === title) return title
    title = next
  }
  return title
}
