/**
 * Claims of completed actions (C-25): a sentence that the assistant sent, booked or deleted something, or that this was done,
 * stays only if a write of that kind ran; otherwise a plain sentence replaces it. Skips quotations and drafts, which are not
 * the assistant's voice. English and German only. Pure; called by unit.ts.
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

/** Replaces an unconfirmed claim. */
export const NOT_DONE = '(I left out a claim here: no such step was carried out.)'

/** Words directly before a claim that make it a condition, a question or a negation. */
const NO_CLAIM =
  /\b(?:if|once|when|whenever|unless|until|before|after|whether|had|wenn|falls|sobald|ob|bevor|nachdem)\s+$/i
/** Before a passive: words that attribute it to somebody else, or negate it. */
const NO_DEED =
  /(?<!\p{L})(?:says?|said|wrote|writes?|told|tells|reports?|reads|states?|according to|laut|steht|schreibt|sagt|heißt|no|none|nothing|never|neither|nichts|keine?n?)(?!\p{L})/iu
/** A line that introduces a text for the person to use as their own. */
const DRAFT =
  /\b(?:draft|suggest(?:ed|ion)|proposal|wording|version|translat\w+|reply|template|entwurf|vorschlag|übersetzung)\b[^\n]{0,120}:\s*$/im

export interface Doings {
  /** Ids of the writes that ran, such as `calendar.create_event`. Read only if there is a claim. */
  readonly done: () => readonly string[]
  /** Ids of writes that did not run and that this answer must report. */
  readonly failed: () => readonly string[]
  readonly others: Others
  /** Whether the writer read anything besides this conversation. */
  readonly hasRead: boolean
  /** Whether the text occurs in anything that the writer read. */
  readonly isRead: (text: string) => boolean
}

/** `draft`: start of a text for the person to use as their own. */
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
 * "The invoice was paid" may come from a mail. It counts as the assistant's own claim if such an action was requested and did
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

/** Start of a draft; `Infinity` if there is none. */
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

/** The sentence without surrounding white space and list marks. */
function clauseOf(text: string, { start, end }: Span): Span {
  const sentence = text.slice(start, end)
  const lead = /^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?/.exec(sentence)?.[0].length ?? 0
  return { start: start + lead, end: start + sentence.trimEnd().length }
}

/** An action of an unknown kind confirms any claim. */
function kindsOf(action: string): readonly Kind[] {
  const verb = action.split('.').at(-1) ?? ''
  const found = ACTIONS.filter(([pattern]) => pattern.test(verb)).map(([, kind]) => kind)
  return found.length === 0 ? KINDS : found
}
