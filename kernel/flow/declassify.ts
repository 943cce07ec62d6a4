/**
 * The only way to lower a label (A-06, F-08, F-12, F-14): a recorded approval of the owner covers one value for one sink, once.
 * The bytes must match the approved digest; the caller proves that with the approval record. Must not be reachable from a model
 * or a tool. Called by kernel-effects.ts, for an approved reply.
 */
import type { Json } from './json.ts'
import { type Label, labelOf, levelOf } from './label.ts'
import { createLabeled, insideOf, type Labeled } from './labeled.ts'
import { compareLevels, LEVELS } from './level.ts'
import { checkEgress, type Policy } from './policy.ts'
import type { Sink } from './sink.ts'
import { taintOf } from './taint.ts'
import { err, ok, type Result } from './verdict.ts'

/** The owner's decision, as the approval record has it. */
export interface Declassification {
  readonly approvalId: string
  readonly sink: string
  /** True once the approval is recorded as given and as spent by this very write. */
  readonly spent: boolean
}

/**
 * Whether the owner may be asked to declassify this at all. `secret` never; `regulated` and any compartment only to the owner's
 * own sink, which has one reader and is held at home.
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
 * The approved value for this one write: clean, and lowered only as far as the named sink needs, so that it passes no sink
 * below it (F-12). All other copies keep their label and taint (F-08).
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

/** The highest level, at most the value's own, that passes this sink by clearance alone. */
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
