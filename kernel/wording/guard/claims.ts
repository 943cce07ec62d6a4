/**
 * Claims of things done (C-25): a sentence in which the assistant says that it sent, booked or deleted something, or that
 * such a thing was done, stands only if a write of that kind ran. Otherwise a plain sentence stands in its place. Judges the
 * assistant's own voice: a quotation and a draft are somebody else's. English and German; other languages are not read.
 * Pure; called by unit.ts.
 */

import {
  ACTIONS,
  CLAIMS,
  type Claim,
  DONE_VERB,
  FIRST_PERSON,
  KINDS,
  type Kind,
  OBJECT,
  PASSIVE_CLAIMS,
} from './claim-forms.ts'
import { isQuotation, type Others, sentencesOf } from './sentences.ts'
import { replaceSpans, type Span } from './spans.ts'

/** Stands in place of a claim that nothing bears out. */
export const NOT_DONE = '(I left out a claim here: no such step was carried out.)'

/** Words right before that make a condition, a question or a negation of it. */
const NO_CLAIM =
  /\b(?:if|once|when|whenever|unless|until|before|after|whether|had|wenn|falls|sobald|ob|bevor|nachdem)\s+$/i
/** Before a passive: somebody else is said to say so, or nothing was done. */
const NO_DEED =
  /(?<!\p{L})(?:says?|said|wrote|writes?|told|tells|reports?|reads|states?|according to|laut|steht|schreibt|sagt|heißt|no|none|nothing|never|neither|nichts|keine?n?)(?!\p{L})/iu
/** A line that hands over a text for the person to use as his own. */
const DRAFT =
  /\b(?:draft|suggest(?:ed|ion)|proposal|wording|version|translat\w+|reply|template|entwurf|vorschlag|übersetzung)\b[^\n]{0,120}:\s*$/im

export interface Doings {
  /** Ids of the writes that ran, such as `calendar.create_event`; asked for when something is claimed. */
  readonly done: () => readonly string[]
  /** Ids of the writes that this answer is to tell of and that did not run. */
  readonly failed: () => readonly string[]
  readonly others: Others
  /** Whether the writer read anything but this conversation. */
  readonly hasRead: boolean
  /** Whether this stands in anything that he read. */
  readonly isRead: (text: string) => boolean
}

/** `draft`: where a text begins that the person is to use as his own. */
export function removeClaims(text: string, doings: Doings, draft: number): string {
  const spans: Span[] = []
  for (const span of sentencesOf(text)) {
    if (span.start >= draft) break
    const sentence = text.slice(span.start, span.end)
    if (!DONE_VERB.test(sentence)) continue
    const own = FIRST_PERSON.test(sentence) ? CLAIMS.filter((one) => isClaim(text, span, one, doings)) : []
    const claims = [...own, ...PASSIVE_CLAIMS.filter((one) => isClaim(text, span, one, doings))]
    if (claims.length > 0 && !areBorneOut(claims, doings.done())) spans.push(clauseOf(text, span))
  }
  return replaceSpans(text, spans, NOT_DONE)
}

function areBorneOut(claims: readonly Claim[], done: readonly string[]): boolean {
  const ran = done.flatMap(kindsOf)
  return claims.every(({ kinds }) => kinds.some((kind) => ran.includes(kind)))
}

/**
 * "The invoice was paid" may be what a mail says. It counts as the assistant's own deed if such a deed was wanted and did
 * not happen, or if nothing was read that could say so.
 */
function isOwnDeed({ kinds }: Claim, verb: string | undefined, { failed, hasRead, isRead }: Doings): boolean {
  if (verb === undefined) return true
  if (
    failed()
      .flatMap(kindsOf)
      .some((kind) => kinds.includes(kind))
  )
    return true
  return !hasRead && !isRead(verb) && !isRead(verb.toLowerCase())
}

/** Where a draft begins; `Infinity` where none does. */
export function draftStart(text: string): number {
  const intro = DRAFT.exec(text)
  return intro === null ? Number.POSITIVE_INFINITY : intro.index
}

function isClaim(text: string, span: Span, claim: Claim, doings: Doings): boolean {
  const sentence = text.slice(span.start, span.end)
  if (sentence.trimEnd().endsWith('?') || (claim.needsObject && !OBJECT.test(sentence))) return false
  for (const { index, groups } of sentence.matchAll(claim.pattern)) {
    if (NO_CLAIM.test(sentence.slice(0, index)) || isQuotation(text, span.start + index)) continue
    const clause = /^[^"“”„«»\n]*/.exec(sentence.slice(index))?.[0] ?? ''
    const verb = groups?.['verb']
    if (verb !== undefined && NO_DEED.test(sentence.slice(0, index))) continue
    if (!doings.others.said(clause) && isOwnDeed(claim, verb, doings)) return true
  }
  return false
}

/** The sentence without the white space and the list mark around it. */
function clauseOf(text: string, { start, end }: Span): Span {
  const sentence = text.slice(start, end)
  const lead = /^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?/.exec(sentence)?.[0].length ?? 0
  return { start: start + lead, end: start + sentence.trimEnd().length }
}

/** An action of a kind that is not known could be any. */
function kindsOf(action: string): readonly Kind[] {
  const verb = action.split('.').at(-1) ?? ''
  const found = ACTIONS.filter(([pattern]) => pattern.test(verb)).map(([, kind]) => kind)
  return found.length === 0 ? KINDS : found
}
