/**
 * Verdicts and results: a decision with its reason. A reason carries codes, ids and labels, never payload (invariant 3), so it
 * may appear in audit rows, traces and error texts. Called by every check in the kernel; `kernel/wording/words.ts` turns
 * reasons into words for people.
 */
import type { ReasonCode } from '../reasons.ts'

/** Ids, labels and names of kernel objects that explain a refusal. Never a value from outside. */
export type ReasonFacts = Readonly<Record<string, string | number>>

export interface Refusal {
  readonly code: ReasonCode
  readonly facts: ReasonFacts
}

/** Expected failure as a value; `throw` is for bugs (STYLE 5). */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: Refusal }

/** Decision plus reason. `permit.by` names the rule that permitted it, for the audit row. */
export type Verdict = { readonly allow: true; readonly by: string } | ({ readonly allow: false } & Refusal)

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function err(code: ReasonCode, facts: ReasonFacts = {}): { ok: false; reason: Refusal } {
  return { ok: false, reason: { code, facts } }
}

export function permit(by: string): Verdict {
  return { allow: true, by }
}

export function deny(code: ReasonCode, facts: ReasonFacts = {}): Verdict {
  return { allow: false, code, facts }
}

/** Runs a check; one that throws denies (STYLE 3). The error text is dropped, because it could quote data. */
export function denyOnThrow(check: () => Verdict): Verdict {
  try {
    return check()
  } catch {
    return deny('policy_failed')
  }
}
