/**
 * One-line notes that the kernel adds to a model's text. They begin in a way that the output guard marks in
 * any model's line (guard/unit.ts). Also cuts such a text at its limit (C-23). Pure; must not know what a
 * text is about. Called by synthesize.ts, compose.ts and guarded-answer.ts.
 */

import type { ReasonCode } from '../reasons.ts'
import { type Saying, tell } from './words.ts'

/** Prefix of every note. */
const VOICE = 'PFAR: '

export function noteOf(sentence: string): string {
  return VOICE + sentence
}

/** What was wrong with a model, by the reason code of its failure. */
const MATTERS: Readonly<Partial<Record<ReasonCode, Saying>>> = Object.freeze({
  model_misconfigured: 'wording.model_refused',
  model_timeout: 'wording.model_slow',
  model_unavailable: 'wording.model_away',
  model_overloaded: 'wording.model_busy',
  model_resting: 'wording.model_resting',
  model_failed: 'wording.model_down',
})

/**
 * Precedes an answer of a fallback model, for the owner only. `by`: who answered; null for fixed
 * commands.
 */
export function stoodIn(
  { model, code }: { readonly model: string; readonly code: ReasonCode },
  by: string | null,
): string {
  const instead = by === null ? tell('wording.instead_fixed') : tell('wording.instead_other', { other: by })
  return noteOf(tell(MATTERS[code] ?? 'wording.model_odd', { model, instead }))
}

/** Follows a request that fixed commands did not understand, if a company's model exists that the owner has not yet allowed. */
export function notAllowed(model: string, template: string): string {
  return noteOf(tell('wording.model_not_allowed', { model, template }))
}

/** Precedes an answer of another model, used because the budget excludes the first one (D-11). */
export function budgetSpent(): string {
  return noteOf(tell('wording.budget_spent'))
}

/**
 * At most the first `max` UTF-16 units, ended at a word, because half an address would be another address. A
 * single longer word gives an empty text, unless `cutsWords`, for a caller that checks the rest afterwards.
 */
export function endAtWord(text: string, max: number, cutsWords = false): string {
  if (text.length <= max) return text
  const head = text.slice(0, max)
  const end = /\s/.test(text[max] ?? '') ? max : head.search(/\s\S*$/)
  if (end > 0) return head.slice(0, end).trimEnd()
  return cutsWords ? head.replace(/[\ud800-\udbff]$/, '') : ''
}
