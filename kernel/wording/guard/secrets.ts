/**
 * Secrets in a text: known values through the place's list, keys and tokens by shape, also when split by spaces or line breaks
 * (E-18, L-17). Returns positions and names, never values. Pure and linear. Called by unit.ts and deliver.ts for outgoing text,
 * by pasted.ts for incoming text.
 */
import type { KnownSecrets } from './needles.ts'
import { replaceSpans, type Span, squeeze, unsqueeze } from './spans.ts'
import { PEM_BEGINS, PEM_ENDS, TOKEN_SHAPES, type TokenShape, URL_PASSWORD } from './token-shapes.ts'

/** Replaces a secret. */
const REDACTED = '[redacted]'

interface FoundToken extends Span {
  readonly name: string
}

interface Matcher extends TokenShape {
  readonly whole: RegExp
  readonly split: RegExp
  readonly beginning: RegExp
}

const MATCHERS: readonly Matcher[] = TOKEN_SHAPES.map((shape) => ({
  ...shape,
  whole: new RegExp(`(?<![A-Za-z0-9])${shape.begins}[${shape.body}]{${shape.least},}`, 'g'),
  split: new RegExp(`${shape.begins}[${shape.body}]{${shape.least},${shape.usual}}`, 'g'),
  beginning: new RegExp(`^${shape.begins}`),
}))

/** Quick check: without any of these beginnings no matcher can match. One search instead of one per matcher. */
const ANY_BEGINNING = new RegExp(TOKEN_SHAPES.map(({ begins }) => begins).join('|'))

/** UTF-16 units at the end of a text that are examined for the beginning of a token. */
const UNFINISHED_WINDOW = 2_500
const UNFINISHED = new RegExp(
  `(?:${TOKEN_SHAPES.map(({ begins, body, usual }) => `${begins}[${body}]{0,${usual - 1}}`).join('|')}|eyJ[\\w-]*|\\d{1,10}|${beginnings()})$`,
)

/** Every text end that could be the first characters of a token's fixed beginning. */
function beginnings(): string {
  const fixed = [
    'github_pat_',
    'glpat-',
    'xapp-',
    'ntn_',
    'secret_',
    'AKIA',
    'ASIA',
    'AIza',
    'ya29.',
    'GOCSPX-',
  ]
  const more = ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'xoxb-', 'xoxp-', 'sk-', 'sk_live_', 'npm_', 'hf_']
  const cut = [
    ...fixed,
    ...more,
    'pypi-',
    'shpat_',
    'dop_v1_',
    'lin_api_',
    'hvs.',
    'SG.',
    'AGE-SECRET-KEY-1',
    'eyJ',
  ]
  const all = new Set(cut.flatMap((text) => [...text].map((_, end) => text.slice(0, end + 1))))
  return [...all, '-{1,5}', '-----BEGIN[A-Z]*-{0,4}'].map((text) => text.replaceAll('.', '\\.')).join('|')
}

export function scrubSecrets(text: string, known: KnownSecrets): string {
  return replaceSpans(text, [...known.find(text), ...findTokens(text)], REDACTED)
}

/** Only keys and tokens. */
export function scrubTokens(text: string): string {
  return replaceSpans(text, findTokens(text), REDACTED)
}

/** Names of the keys and tokens in it, such as `a GitHub token`. */
export function tokenNames(text: string): readonly string[] {
  return findTokens(text).map(({ name }) => name)
}

export function findTokens(text: string): readonly FoundToken[] {
  return [...wholeTokens(text), ...splitTokens(text), ...privateKeys(text), ...passwords(text)]
}

function wholeTokens(text: string): readonly FoundToken[] {
  if (!ANY_BEGINNING.test(text)) return []
  const found: FoundToken[] = []
  for (const { name, whole, rare, beginning } of MATCHERS)
    for (const { 0: hit, index } of text.matchAll(whole))
      if (rare || isRandom(hit.replace(beginning, ''), 1))
        found.push({ name, start: index, end: index + hit.length })
  return found
}

/** Across white space, following words would count as part of a token, so a find must look random. */
function splitTokens(text: string): readonly FoundToken[] {
  const squeezed = squeeze(text)
  if (squeezed.text.length === text.length || !ANY_BEGINNING.test(squeezed.text)) return []
  const found: FoundToken[] = []
  for (const { name, split, beginning } of MATCHERS) {
    for (const { 0: hit, index } of squeezed.text.matchAll(split)) {
      const span = unsqueeze(squeezed, { start: index, end: index + hit.length })
      const isInWord = /[A-Za-z0-9]/.test(text[span.start - 1] ?? ' ')
      if (!isInWord && isRandom(hit.replace(beginning, ''), 3)) found.push({ name, ...span })
    }
  }
  return found
}

/** Digits spread among letters, as no word or compound has. */
function isRandom(text: string, leastDigits: number): boolean {
  const digits = text.match(/\d/g)?.length ?? 0
  return digits >= leastDigits && /[A-Za-z]/.test(text) && new Set(text).size >= 8
}

function privateKeys(text: string): readonly FoundToken[] {
  const found: FoundToken[] = []
  let from = 0
  for (;;) {
    const begin = PEM_BEGINS.exec(text.slice(from))
    if (begin === null) return found
    const start = from + begin.index
    const after = start + begin[0].length
    const end = PEM_ENDS.exec(text.slice(after))
    // Without its last line, everything that follows may be the key.
    const stop = end === null ? text.length : after + end.index + end[0].length
    found.push({ name: 'a private key', start, end: stop })
    from = stop
  }
}

function passwords(text: string): readonly FoundToken[] {
  return [...text.matchAll(URL_PASSWORD)].map(({ 0: hit, index }) => ({
    ...{ name: 'a password in an address', start: index, end: index + hit.length },
  }))
}

/** UTF-16 units at the end of a squeezed text that further text could complete to a secret. */
export function unfinishedSecret(squeezed: string, known: KnownSecrets): number {
  const tail = squeezed.slice(-UNFINISHED_WINDOW)
  const token = UNFINISHED.exec(tail)?.[0].length ?? 0
  const begun = squeezed.lastIndexOf('-----BEGIN')
  const key = begun === -1 || squeezed.includes('-----END', begun) ? 0 : squeezed.length - begun
  return Math.max(token, key, known.unfinished(squeezed))
}
