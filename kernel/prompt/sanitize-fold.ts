/**
 * Normalised views of a text for finding directives: lower case without accents, look-alike letters made Latin, encoded runs
 * decoded in place, spelled-out words joined, white space collapsed (N-20). Each view maps every unit to its source, so that a
 * find can be removed from the unchanged text. Pure and linear; called by sanitize.ts.
 */
import type { Span } from '../wording/guard/spans.ts'
import { CONFUSABLES } from './confusables.ts'
import { type Decoded, encodedRuns } from './sanitize-decode.ts'

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
export function foldText(text: string, latin: boolean): View {
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
