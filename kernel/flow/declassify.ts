/**
 * The only way down (A-06, F-08, F-12, F-14): an owner's recorded approval covers one value for one sink, once.
 * The value's bytes must be those whose digest was approved; the caller proves it by the record it hands in.
 * Must not be reachable from a model or a tool. Called by invoke, for an approved write.
 */
import type { Json } from './json.ts'
import { labelOf } from './label.ts'
import { createLabeled, insideOf, type Labeled } from './labeled.ts'
import type { Policy } from './policy.ts'
import { taintOf } from './taint.ts'
import { allowed, type Result, refused } from './verdict.ts'

/** What the owner decided, as it stands in the approval record. */
export interface Declassification {
  readonly approvalId: string
  readonly sink: string
  /** True once the approval is recorded as given and spent by this very write. */
  readonly spent: boolean
}

/** Checks that this may be asked of the owner at all: never for `secret`; `regulated` never leaves the owner's sinks. */
export function checkDeclassifiable(
  policy: Policy,
  labeled: Pick<Labeled, 'label'>,
  sinkId: string,
): Result<true> {
  const sink = policy.sinks.find((candidate) => candidate.id === sinkId)
  const forbidden = labeled.label.atoms.some(
    ({ level, compartment }) =>
      level === 'secret' ||
      ((level === 'regulated' || compartment !== null) && sink?.principal !== policy.owner),
  )
  return forbidden ? refused('declassification_forbidden', { sink: sinkId }) : allowed(true)
}

/** The approved value, clean and public for this one write; everywhere else it keeps its label and taint (F-08). */
export function declassify<T extends Json>(
  policy: Policy,
  labeled: Labeled<T>,
  decision: Declassification,
): Result<Labeled<T>> {
  if (!decision.spent) return refused('approval_unknown', { approval: decision.approvalId })
  const permitted = checkDeclassifiable(policy, labeled, decision.sink)
  if (!permitted.ok) return permitted
  const origin = `approval:${decision.approvalId}`
  return allowed(createLabeled(insideOf(labeled), { label: labelOf([]), taint: taintOf('clean', origin) }))
}
