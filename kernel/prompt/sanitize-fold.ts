/**
 * Views of a text to look for directives in: small letters without accents, look-alike letters made Latin, decoded runs
 * in place, spelled-out words joined, white space of any length one blank (N-20). Each view knows where every unit of it
 * stood, so that what is found in it can be taken out of the text itself, which no view changes. Pure and linear; called
 * by sanitize.ts.
 */
import type { Span } from '../wording/guard/spans.ts'
import { CONFUSABLES } from './confusables.ts'
import { type Decoded, encodedRuns } from './sanitize-decode.ts'

export interface View {
  readonly text: string
  /** Of each unit: where its source begins and ends. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/** Letters one by one, with one separator between: four at least, as initials are fewer. */
const SPELLED = /(?<![\p{L}\p{N}])\p{L}(?:(?:[ ._*|/-]|[ ]{2,4})\p{L}(?![\p{L}\p{N}'’])){3,}/gu
/** Tags that only dress words up: a reader sees the words side by side. */
const DRESS =
  /<\/?(?:b|i|u|em|strong|span|font|mark|small|big|sub|sup|code|tt|wbr|a|del|ins|bdo)(?:\s[^<>]{0,200})?\/?>/gi
const QUOTES = /[“”„«»「」『』‟]/u
const APOSTROPHES = /[‘’‚‛ʼ`´]/u
const DASHES = /[‐‑‒–—―−]/u
/** Marks of emphasis, which stand in the middle of words too. */
const EMPHASIS = /[*~]/
const BLANK = /[\s_\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}]/u
/** Only here are accents not part of the word's spelling, as far as a directive goes. */
const ACCENTED = /[\p{Script=Latin}\p{Script=Greek}]/u
/** Arabic vowel signs and the lengthening stroke. */
const ARABIC_SIGNS = /[\u0640\u064b-\u0652]/
/** What may stand between the letters of a spelled-out word. */
const SIGNS = '._*|/-'
const JOINTS = ` ${SIGNS}`
/** A decoded run is looked through for runs in it this many times. */
const MAX_DEPTH = 2

interface Draft {
  text: string
  /** The last unit of it. */
  last: string
  readonly starts: number[]
  readonly ends: number[]
}

/** `latin`: all look-alikes are made Latin, for the rules of languages that are written so. */
export function foldText(text: string, latin: boolean): View {
  const draft: Draft = { text: '', last: '', starts: [], ends: [] }
  foldInto(draft, text, { latin, depth: 0, span: null })
  return { text: draft.text, starts: draft.starts, ends: draft.ends }
}

/** Where a stretch of a view stood. */
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
  /** Where all of this stood: inside a decoded run. */
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

/** White space from here on. */
function blankAt(text: string, at: number): string {
  BLANKS.lastIndex = at
  return (text[at] ?? '') > ' ' && (text[at] ?? '') < '\u007f' ? '' : (BLANKS.exec(text)?.[0] ?? '')
}
const BLANKS = /\s+/y

function characterAt(text: string, at: number): string {
  const unit = text[at] ?? ''
  return unit < '\ud800' || unit > '\udbff' ? unit : String.fromCodePoint(text.codePointAt(at) ?? 0)
}

/** What nearly every text is made of, without asking any pattern. */
const PLAIN: ReadonlyMap<string, string> = new Map(
  Array.from('abcdefghijklmnopqrstuvwxyz').flatMap((letter) => [
    [letter, letter],
    [letter.toUpperCase(), letter],
  ]),
)

/** What is read as something else: encoded runs, and tags as nothing. */
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

/** The run's words stand where the run stood, apart from their neighbours. */
function foldRun(draft: Draft, { start, end, says }: Decoded, how: How): void {
  if (says === '') return
  const span = how.span ?? { start, end }
  push(draft, ' ', span.start, span.end)
  foldInto(draft, says.normalize('NFKC'), { ...how, depth: how.depth + 1, span })
  push(draft, ' ', span.start, span.end)
}

interface Spelled extends Span {
  /** What stands between its letters: blanks part words where another sign does. */
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

/** No blank after a blank. */
function push(draft: Draft, folded: string, start: number, end: number): void {
  for (const unit of folded.split('')) {
    if (unit === ' ' && (draft.last === ' ' || draft.last === '\n')) continue
    draft.text += unit
    draft.last = unit
    draft.starts.push(start)
    draft.ends.push(end)
  }
}
