/**
 * The only way down (A-06, F-08, F-12, F-14): an owner's recorded approval covers one value for one sink, once.
 * The value's bytes must be those whose digest was approved; the caller proves it by the record it hands in.
 * Must not be reachable from a model or a tool. Called by kernel-effects.ts, for an approved reply.
 */
import type { Json } from './json.ts'
import { type Label, labelOf, levelOf } from './label.ts'
import { createLabeled, insideOf, type Labeled } from './labeled.ts'
import { compareLevels, LEVELS } from './level.ts'
import { checkEgress, type Policy } from './policy.ts'
import type { Sink } from './sink.ts'
import { taintOf } from './taint.ts'
import { err, ok, type Result } from './verdict.ts'

/** What the owner decided, as it stands in the approval record. */
export interface Declassification {
  readonly approvalId: string
  readonly sink: string
  /** True once the approval is recorded as given and spent by this very write. */
  readonly spent: boolean
}

/**
 * Checks that this may be asked of the owner at all: never for `secret`; `regulated` and every compartment go only
 * to the owner's own sink, read by him alone and held at home.
 */
export function checkDeclassifiable(
  policy: Policy,
  labeled: Pick<Labeled, 'label'>,
  sinkId: string,
): Result<true> {
  const sink = policy.sinks.find((candidate) => candidate.id === sinkId)
  const forbidden = labeled.label.atoms.some(
    ({ level, compartment }) =>
      level === 'secret' || ((level === 'regulated' || compartment !== null) && !isOwnersAlone(policy, sink)),
  )
  return forbidden ? err('declassification_forbidden', { sink: sinkId }) : ok(true)
}

/**
 * The approved value for this one write: clean, and lowered no further than the named sink needs, so that it
 * passes nothing beneath that sink (F-12). Everywhere else the value keeps its label and taint (F-08).
 */
export function declassify<T extends Json>(
  policy: Policy,
  labeled: Labeled<T>,
  decision: Declassification,
): Result<Labeled<T>> {
  if (!decision.spent) return err('approval_unknown', { approval: decision.approvalId })
  const permitted = checkDeclassifiable(policy, labeled, decision.sink)
  if (!permitted.ok) return permitted
  const origin = `approval:${decision.approvalId}`
  const label = loweredFor(policy, labeled.label, { sink: decision.sink, origin })
  return label === undefined
    ? err('declassification_forbidden', { sink: decision.sink })
    : ok(createLabeled(insideOf(labeled), { label, taint: taintOf('clean', origin) }))
}

function isOwnersAlone(policy: Policy, sink: Sink | undefined): boolean {
  return sink?.principal === policy.owner && sink.audience === 'sole' && sink.place === 'home'
}

/** The highest level, not above the value's own, that passes this sink by its clearance alone. */
function loweredFor(
  policy: Policy,
  label: Label,
  target: { readonly sink: string; readonly origin: string },
): Label | undefined {
  const level = levelOf(label)
  const withoutGrants = { ...policy, flowGrants: [] }
  return LEVELS.filter((candidate) => compareLevels(candidate, level) <= 0)
    .map((candidate) => labelOf([{ origin: target.origin, field: '*', level: candidate, compartment: null }]))
    .findLast(
      (candidate) =>
        checkEgress(withoutGrants, { label: candidate, sink: target.sink, template: '', now: 0 }).allow,
    )
}
