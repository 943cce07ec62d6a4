/**
 * Normalised views of a text for finding directives (N-20): lower case without accents, look-alikes made Latin, encoded runs
 * decoded in place, spelled words joined, white space collapsed; on a hint also ROT13 and backwards. Each view maps every unit to
 * its source, so that a find can be removed from the unchanged text. Must not judge. Pure and linear; called by sanitize-find.ts.
 */
import type { Span } from '../wording/guard/spans.ts'

export interface View {
  readonly text: string
  /** Start and end of the source of each unit. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Single letters with one separator between them: at least four, because initials are fewer. */
const SPELLED = /(?<![\p{L}\p{N}])\p{L}(?:(?:[ ._*|/-]|[ ]{2,4})\p{L}(?![\p{L}\p{N}'’])){3,}/gu
/** Purely visual tags: a reader sees the words side by side. */
const DRESS =
  /<\/?(?:b|i|u|em|strong|span|font|mark|small|big|sub|sup|code|tt|wbr|a|del|ins|bdo)(?:\s[^<>]{0,200})?\/?>/gi
const QUOTES = /[“”„«»「」『』‟]/u
const APOSTROPHES = /[‘’‚‛ʼ`´]/u
const DASHES = /[‐‑‒–—―−]/u
/** Emphasis marks, which may occur inside words. */
const EMPHASIS = /[*~]/
const BLANK = /[\s_\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}]/u
/** Scripts in which accents are ignored for matching. */
const ACCENTED = /[\p{Script=Latin}\p{Script=Greek}]/u
/** Arabic vowel signs and the lengthening stroke. */
const ARABIC_SIGNS = /[\u0640\u064b-\u0652]/
/** Characters allowed between the letters of a spelled-out word. */
const SIGNS = '._*|/-'
const JOINTS = ` ${SIGNS}`
/** How many times decoded text is searched for encoded runs again. */
const MAX_DEPTH = 2

interface Draft {
  text: string
  /** The last unit of the text. */
  last: string
  readonly starts: number[]
  readonly ends: number[]
}

/** `latin`: maps all look-alikes to Latin letters, for the rules of languages in Latin script. */
function foldText(text: string, latin: boolean): View {
  const draft: Draft = { text: '', last: '', starts: [], ends: [] }
  foldInto(draft, text, { latin, depth: 0, span: null })
  return { text: draft.text, starts: draft.starts, ends: draft.ends }
}

/** Source span of a stretch of a view. */
export function spanIn({ starts, ends }: View, { start, end }: Span): Span {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (let i = start; i < end; i += 1) {
    first = Math.min(first, starts[i] ?? first)
    last = Math.max(last, ends[i] ?? last)
  }
  return { start: first === Number.POSITIVE_INFINITY ? last : first, end: last }
}

interface How {
  readonly latin: boolean
  readonly depth: number
  /** Source span of the whole run, inside a decoded run. */
  readonly span: Span | null
}

function foldInto(draft: Draft, text: string, how: How): void {
  const runs = how.depth < MAX_DEPTH ? runsIn(text) : []
  const spelled = spelledSpans(text)
  let nextRun = 0
  let nextSpelled = 0
  for (let at = 0; at < text.length; ) {
    const run = runs[nextRun]
    if (run !== undefined && at >= run.start) {
      foldRun(draft, run, how)
      nextRun += 1
      at = Math.max(at, run.end)
      continue
    }
    while ((spelled[nextSpelled]?.end ?? Number.POSITIVE_INFINITY) <= at) nextSpelled += 1
    const word = spelled[nextSpelled]
    const blank = blankAt(text, at)
    const character = blank === '' ? characterAt(text, at) : blank.includes('\n') ? '\n' : ' '
    const end = at + Math.max(character.length, blank.length)
    const isJoint =
      word !== undefined && at > word.start && word.joints.includes(character) && blank.length < 2
    const { start: from, end: to } = how.span ?? { start: at, end }
    if (!isJoint) push(draft, PLAIN.get(character) ?? foldCharacter(character, how.latin), from, to)
    at = end
  }
}

/** White space starting here. */
function blankAt(text: string, at: number): string {
  BLANKS.lastIndex = at
  return (text[at] ?? '') > ' ' && (text[at] ?? '') < '\u007f' ? '' : (BLANKS.exec(text)?.[0] ?? '')
}
const BLANKS = /\s+/y

function characterAt(text: string, at: number): string {
  const unit = text[at] ?? ''
  return unit < '\ud800' || unit > '\udbff' ? unit : String.fromCodePoint(text.codePointAt(at) ?? 0)
}

/** Fast path: the characters of nearly every text, without a pattern. */
const PLAIN: ReadonlyMap<string, string> = new Map(
  Array.from('abcdefghijklmnopqrstuvwxyz').flatMap((letter) => [
    [letter, letter],
    [letter.toUpperCase(), letter],
  ]),
)

/** Stretches that read as something else: encoded runs, and tags as nothing. */
function runsIn(text: string): readonly Decoded[] {
  const runs = encodedRuns(text)
  const tags = text.includes('<')
    ? [...text.matchAll(DRESS)].map(({ 0: tag, index }) => ({
        start: index,
        end: index + tag.length,
        says: '',
      }))
    : []
  return tags.length === 0 ? runs : [...runs, ...tags].toSorted((a, b) => a.start - b.start)
}

/** The decoded words replace the run, separated from their neighbours. */
function foldRun(draft: Draft, { start, end, says }: Decoded, how: How): void {
  if (says === '') return
  const span = how.span ?? { start, end }
  push(draft, ' ', span.start, span.end)
  foldInto(draft, says.normalize('NFKC'), { ...how, depth: how.depth + 1, span })
  push(draft, ' ', span.start, span.end)
}

interface Spelled extends Span {
  /** Separators between its letters. Spaces separate words where another character separates letters. */
  readonly joints: string
}

function spelledSpans(text: string): readonly Spelled[] {
  return [...text.matchAll(SPELLED)].map(({ 0: run, index }) => {
    const signs = run.match(/[._*|/-]/g)?.length ?? 0
    return { start: index, end: index + run.length, joints: signs * 2 > run.length / 2 ? SIGNS : JOINTS }
  })
}

function foldCharacter(character: string, latin: boolean): string {
  if (character === '\n') return '\n'
  if (EMPHASIS.test(character) || ARABIC_SIGNS.test(character)) return ''
  if (latin && /\p{Mn}/u.test(character)) return ''
  if (BLANK.test(character)) return ' '
  if (QUOTES.test(character)) return '"'
  if (APOSTROPHES.test(character)) return "'"
  if (DASHES.test(character)) return '-'
  return foldLetter(character, latin)
}

function foldLetter(character: string, latin: boolean): string {
  const bare = ACCENTED.test(character) ? character.normalize('NFD').replace(/\p{Mn}/gu, '') : character
  const known = latin || ACCENTED.test(bare) ? CONFUSABLES.get(bare) : undefined
  if (known !== undefined && (latin || /\p{Script=Latin}/u.test(bare))) return known
  const small = bare.toLowerCase()
  if (small === 'ß') return 'ss'
  if (small === 'æ') return 'ae'
  if (small === 'œ') return 'oe'
  if (/[أإآ]/.test(small)) return 'ا'
  return latin ? (CONFUSABLES.get(small) ?? small) : small
}

/** Never two spaces in a row. */
function push(draft: Draft, folded: string, start: number, end: number): void {
  for (const unit of folded.split('')) {
    if (unit === ' ' && (draft.last === ' ' || draft.last === '\n')) continue
    draft.text += unit
    draft.last = unit
    draft.starts.push(start)
    draft.ends.push(end)
  }
}

interface Decoded extends Span {
  readonly says: string
}

/** Minimum UTF-16 units: a shorter run cannot spell a directive. */
const LEAST = 8
/** Minimum share of letters and spaces for a text to count as readable. */
const READABLE = 0.8

type Form = readonly [pattern: RegExp, decode: (run: string) => string | null]

const FORMS: readonly Form[] = [
  [/(?:\\u(?:\{[0-9a-f]{1,6}\}|[0-9a-f]{4}) ?){4,}/gi, (run) => fromPoints(run, /[0-9a-f]{2,6}/gi, 16)],
  [/(?:(?:\\x|0x)[0-9a-f]{2}[ ,]{0,2}){6,}/gi, (run) => fromBytes(hexPairs(run.replace(/\\x|0x/gi, '')))],
  [/(?:%[0-9a-f]{2}[\w.+-]{0,12}){3,}/gi, fromPercent],
  [/(?:=[0-9a-f]{2}[\w ]{0,12}){6,}/gi, (run) => fromPercent(run.replaceAll('=', '%'))],
  [/(?<![01])(?:[01]{8}[ ,]?){6,}/g, (run) => fromPoints(run, /[01]{8}/g, 2)],
  [/(?<!\d)(?:1?\d{2}[ ,;]{1,2}){11,}1?\d{2}(?!\d)/g, (run) => fromPoints(run, /\d{2,3}/g, 10)],
  [/(?<![0-9a-z])(?:[0-9a-f]{2}[ :-]?){8,}(?![0-9a-z])/gi, (run) => fromBytes(hexPairs(run))],
  [/(?<![A-Za-z0-9])[A-Z2-7]{16,}={0,6}(?![A-Za-z0-9])/g, (run) => fromBytes(digitsOf(run, BASE32, 5))],
  [/(?<![\w+/-])[\w+/-]{16,}(?:\n[\w+/-]{16,})*(?:\n?[\w+/-]{1,16}(?==))?={0,2}/g, fromBase64],
]

/** In order, without overlap: of two overlapping runs the one that begins first. */
function encodedRuns(text: string): readonly Decoded[] {
  const found: Decoded[] = []
  for (const [pattern, decode] of FORMS)
    for (const { 0: run, index } of text.matchAll(pattern)) {
      const says = decode(run)
      if (says !== null && isReadable(says)) found.push({ start: index, end: index + run.length, says })
    }
  let end = 0
  return found
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter((run) => {
      if (run.start < end) return false
      end = run.end
      return true
    })
}

function isReadable(says: string): boolean {
  if (says.length < LEAST) return false
  const letters = says.match(/[\p{L}\p{M} ]/gu)?.length ?? 0
  return letters / [...says].length >= READABLE && !/[\p{Cc}\ufffd]/u.test(says.replace(/[\n\r\t]/g, ' '))
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function fromBase64(run: string): string | null {
  return fromBytes(bytesOfBase64(run.replaceAll('-', '+').replaceAll('_', '/')))
}

/** Skips what is no digit. */
export function bytesOfBase64(text: string): readonly number[] {
  return digitsOf(text, BASE64, 6)
}

/** Bytes of a text whose characters are digits of `bits` bits each. Skips line breaks and padding. */
function digitsOf(run: string, alphabet: string, bits: number): readonly number[] {
  const bytes: number[] = []
  let held = 0
  let count = 0
  for (const character of run) {
    const digit = alphabet.indexOf(character)
    if (digit < 0) continue
    held = ((held << bits) | digit) & 0xfff
    count += bits
    if (count < 8) continue
    count -= 8
    bytes.push((held >> count) & 0xff)
  }
  return bytes
}

function hexPairs(run: string): readonly number[] {
  const digits = run.replace(/[^0-9a-f]/gi, '')
  return (digits.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))
}

/** Decoded as UTF-8; null if invalid. */
function fromBytes(bytes: readonly number[]): string | null {
  return fromPercent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
}

function fromPercent(run: string): string | null {
  try {
    return decodeURIComponent(run.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function fromPoints(run: string, digits: RegExp, base: number): string | null {
  const points = (run.match(digits) ?? []).map((part) => Number.parseInt(part, base))
  return points.every((point) => point >= 9 && point <= 0x10ffff) ? String.fromCodePoint(...points) : null
}

interface Views {
  /** For rules of languages written in Latin letters. */
  readonly latin: readonly View[]
  /** For the others; null if the text has no letters of another script. */
  readonly other: View | null
}

const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u
/** A digit or sign between letters, or before some. */
const LEET = /[a-z][0134578@$!+|]+[a-z]|(?<![\p{L}\p{N}])[0134578@$+][a-z]{2}/u
/** Two variants, because `1` stands for both letters. */
const LEET_LETTERS = ['i', 'l'].map((one) => ({
  ...{ 0: 'o', 1: one, 3: 'e', 4: 'a', 5: 's', 7: 't', 8: 'b' },
  ...{ '@': 'a', $: 's', '!': 'i', '+': 't', '|': 'l' },
})) as readonly Readonly<Record<string, string>>[]
/** Words of directives in ROT13; no ordinary word contains them. */
const ROTATED = /vtaber|qvfertneq|sbetrg|vafgehpgvba|cebzcg|flfgrz|lbh ner|nffvfgnag|zbqr|bireevqr/
/** The same directive words, spelled backwards. */
const BACKWARDS = /erongi|drager?sid|tegrof|snoitcurtsni|tpmorp|metsys|era uoy|edom|edirrevo|tnatsissa/

export function viewsOf(text: string): Views {
  const plain = foldText(text, true)
  const latin = [plain]
  if (LEET.test(plain.text)) latin.push(...LEET_LETTERS.map((letters) => lettered(plain, letters)))
  if (ROTATED.test(plain.text)) latin.push({ ...plain, text: rotated(plain.text) })
  if (BACKWARDS.test(plain.text)) latin.push(reversed(plain))
  return { latin, other: OTHER_LETTER.test(text) ? foldText(text, false) : null }
}

function lettered(view: View, letters: Readonly<Record<string, string>>): View {
  return { ...view, text: view.text.replace(/[0134578@$!+|]/g, (sign) => letters[sign] ?? sign) }
}

function rotated(text: string): string {
  return text.replace(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 84) % 26) + 97))
}

/** Reverses units, not characters: only Latin letters are searched in this view. */
function reversed({ text, starts, ends }: View): View {
  const turned = text.split('').toReversed().join('')
  return { text: turned, starts: starts.toReversed(), ends: ends.toReversed() }
}

/**
 * Pairs: the look-alike, then the Latin letter. A capital is listed only if it resembles another letter than its small form.
 */
const PAIRS =
  // Cyrillic
  'аa вb сc ԁd еe ёe һh іi їi јj кk ӏl мm пn оo рp ԛq гr ѕs тt уy ѵv ԝw хx нh ьb ɡg ҫc ҽe қk ԍg ғf ҝk ңh ӧo өo ӡ3 ' +
  'НH ВB ' +
  // Greek
  'αa βb ϲc δd εe γy ηn ιi κk λl μu νv οo ρp σo τt υu χx ωw ζz ϳj θo ΗH ΥY ΜM ΝN ΖZ ΑA ΒB ΕE ΙI ΚK ΟO ΡP ΤT ΧX ' +
  // Armenian, Cherokee
  'աw բp գq եt զq հh ձd յj նu ոn չz պu ռn սu տw ցg ւi օo քp ֆf ᎪA ᏴB ᏟC ᎠD ᎬE ᏀG ᎻH ᎥI ᎫJ ᏦK ᏞL ᎷM ᏢP ᏒR ᏚS ᎢT ᏙV ᎳW ᏃZ ' +
  // small capitals, and Latin letters with a bar, a hook or no dot
  'ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪi ᴊj ᴋk ʟl ᴍm ɴn ᴏo ᴘp ꞯq ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz ' +
  'ıi ȷj łl øo đd ħh ŧt ɑa ɓb ɖd ɗd ɛe ƒf ɠg ɦh ɨi ɩi ʝj ƙk ɭl ɱm ɲn ŋn ɵo ƥp ɋq ɼr ʂs ƭt ʉu ʋv ɯw ʐz ɐa ǝe ɥh ʇt ʌv ʍw ʎy ɔo'

export const CONFUSABLES: ReadonlyMap<string, string> = new Map(
  PAIRS.split(' ')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [from = '', to = ''] = [...pair]
      return [from, to.toLowerCase()]
    }),
)
