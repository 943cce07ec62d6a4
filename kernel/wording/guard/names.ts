/**
 * Internal text: the identity marker and its pieces, internal names, lines of the prompts (C-24, N-32). Removed from every
 * answer, except names that the person or a read text used first; the marker is always removed. Pure and linear; called by
 * unit.ts.
 */
import { hardIdentity, MARKER, named } from '../../prompt/identity.ts'
import type { PromptTexts } from '../../prompt/parts.ts'
import { replaceSpans, type Span, squeeze, unsqueeze } from './spans.ts'

const REMOVED = '[removed]'

/** A place's internal names, prepared once by `ownNames`. */
export interface OwnNames {
  /** The assistant's name. */
  readonly name: string
  readonly names: RegExp | null
  /** Pieces of the marker, in both directions, lower case, without white space. */
  readonly marker: readonly string[]
  /** Runs of `RUN` words that occur in a prompt. */
  readonly runs: ReadonlySet<string>
}

/** UTF-16 units of a piece of the marker: shorter ones occur in ordinary words. */
const PIECE = 12
/** Number of consecutive prompt words that cannot be a coincidence. */
const RUN = 7

/**
 * `names`: ids of templates and actions. Only ids with a dot or underscore count, because plain words could come from anyone.
 */
export function ownNames(names: readonly string[], texts: PromptTexts, name: string): OwnNames {
  const spelled = names.filter((name) => /[._]/.test(name)).map((name) => name.replaceAll('.', '\\.'))
  const { rules, first_run: firstRun } = texts.self
  const self = [firstRun, ...rules.all, ...rules.owner, ...rules.plan]
  const { block } = hardIdentity(texts.identity, name)
  const document = texts.document.sections.flatMap(({ parts }) => parts.map((part) => part.text))
  const shown = [...document, ...Object.values(texts.overlay)]
  const prompts = [
    block,
    texts.rules,
    named(texts.lastRules, name),
    ...Object.values(texts.roles),
    ...self,
    ...shown,
  ]
  return {
    name,
    names: spelled.length === 0 ? null : new RegExp(`(?<![\\w.])(?:${spelled.join('|')})(?!\\w)`, 'g'),
    marker: markerPieces(MARKER.slice(1, -1)),
    runs: new Set(prompts.flatMap((text) => runsOf(wordsOf(text)).map(({ run }) => run))),
  }
}

function markerPieces(marker: string): readonly string[] {
  const all = Array.from({ length: Math.max(0, marker.length - PIECE + 1) }, (_, i) =>
    marker.slice(i, i + PIECE),
  )
  const name = marker.split(':').at(-1) ?? ''
  const pieces = name.length < 8 ? all : [...all, name]
  return [...pieces, ...pieces.map((piece) => [...piece].toReversed().join(''))]
}

/** Any marker of this form, whatever its version or source. */
const ANY_MARKER = /\[pfar:/g

/** Removes whole lines that contain a piece of the marker, because the rest of the line was written around it. */
export function removeMarker(text: string, { marker }: OwnNames): string {
  const squeezed = squeeze(text)
  const lower = squeezed.text.toLowerCase()
  const found: Span[] = [...lower.matchAll(ANY_MARKER)].map(spanOf)
  for (const piece of marker)
    for (let at = lower.indexOf(piece); at !== -1; at = lower.indexOf(piece, at + 1))
      found.push({ start: at, end: at + piece.length })
  const lines = found.map((span) => lineAround(text, unsqueeze(squeezed, span)))
  return replaceSpans(text, lines, '')
}

function lineAround(text: string, { start, end }: Span): Span {
  const stop = text.indexOf('\n', end)
  return { start: text.lastIndexOf('\n', start - 1) + 1, end: stop === -1 ? text.length : stop }
}

/** Kernel addresses, ids, labels, references and handles, and the marks between the parts of a prompt. */
const INTERNAL: readonly RegExp[] = Object.freeze([
  /\b(?:sink|principal|vault|tool|extractor|approval|chat|adapter):[a-z](?:[\w:.@+/-]{0,200}\w)?/g,
  /\bt[0-9a-f]{24}\b/g,
  /\b(?:public|internal|sensitive|regulated|secret):[a-z]{2,40}\b/g,
  /\b(?:contact|link|text|email|id|url)#\d{1,4}\b/g,
  /\b(?:said|item|[sw]\d{1,3})\.[a-zA-Z]{1,40}\[\d{1,4}\](?:\.[a-zA-Z]{1,40}){0,5}/g,
  /\{"\$?ref":"[^"\n]{0,200}"\}/g,
  /\[self [a-z0-9]{6,64}\]|\[now [^\]\n]{0,90}\]|^\[(?:signal(?:_overlay)?|environment|task_state)\][^\n]{0,400}|^\[memory\]/gim,
  /^\[\/?(?:data [a-z0-9]{8,40}[^\]\n]{0,80}|tools|history|metadata|not done|instruction|options|output|request)\]/gim,
])

/** `known`: whether a name occurs in what was read. */
export function removeNames(text: string, { names }: OwnNames, known: (name: string) => boolean): string {
  const patterns = names === null ? INTERNAL : [...INTERNAL, names]
  return patterns.reduce(
    (kept, pattern) => kept.replace(pattern, (name) => (known(name) ? name : REMOVED)),
    text,
  )
}

/** Removes runs of prompt words; `said`: runs that may be repeated. */
export function removePromptLines(text: string, { runs }: OwnNames, said: () => ReadonlySet<string>): string {
  const found = runsOf(wordsOf(text)).filter(({ run }) => runs.has(run))
  if (found.length === 0) return text
  const quoted = said()
  return replaceSpans(
    text,
    found.filter(({ run }) => !quoted.has(run)),
    REMOVED,
  )
}

/** Runs of the read texts, for comparison. */
export function runsIn(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => runsOf(wordsOf(text)).map(({ run }) => run)))
}

interface Word extends Span {
  readonly word: string
}

function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    ...{ word: word.toLowerCase(), start: index, end: index + word.length },
  }))
}

function runsOf(words: readonly Word[]): readonly (Span & { readonly run: string })[] {
  return words.slice(RUN - 1).map(({ end }, i) => {
    const run = words.slice(i, i + RUN)
    return { run: run.map(({ word }) => word).join(' '), start: run[0]?.start ?? 0, end }
  })
}

function spanOf({ 0: hit, index }: RegExpExecArray): Span {
  return { start: index, end: index + hit.length }
}
