/**
 * Reads that an earlier approval covers (DESIGN §10, *Search and read*): an approved search also covers
 * reading its first results, by position, if nothing private led to them. Denies by default: anything else
 * asks. Called by call-verdict.ts.
 */
import { type Clearance, checkClearance } from '../flow/clearance.ts'
import type { Path } from '../flow/json.ts'
import { labelOf } from '../flow/label.ts'
import type { Provenance } from '../flow/labeled.ts'
import { ownWordsOrigin } from '../flow/sink.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { Approval } from '../task/approval.ts'
import { editsOf } from '../task/edits.ts'
import { inputsOf, isReference, parseReference, type ToolStep } from '../task/plan.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import type { Opens } from '../tool/manifest.ts'
import type { CallInput, ResolvedArgument } from './resolve.ts'
import { controlAbove } from './values/select.ts'

/** Highest label that may have led to the call: facts about the assistant, nothing private. */
const NOTHING_PRIVATE: Clearance = Object.freeze({ level: 'internal', compartments: [] })

/**
 * Id of the approval that covers this call; null if the owner must be asked. `unknown`: destinations that the
 * owner did not type.
 */
export async function coveringYes(
  input: CallInput,
  unknown: readonly ResolvedArgument[],
): Promise<string | null> {
  const { task, index, action, call } = input
  const step = task.plan?.steps[index]
  const [destination, ...others] = unknown
  if (action.semantics !== 'read' || step?.do !== 'tool' || task.principal !== OWNER_PRINCIPAL) return null
  // Another argument could carry data to the page.
  if (destination === undefined || others.length > 0 || call.args.length !== 1) return null
  const finder = finderOf(input, step, destination.name)
  if (finder === null || destination.value.taint.level === 'raw') return null
  return (await isFreeOfPrivate(input, destination.value)) ? yesTo(input, finder) : null
}

/** Whether approving this call would cover a later step of the plan. Then a card is preferred to a grant. */
export function opensLater({ task, index, action: { opens } }: CallInput): boolean {
  const steps = task.plan?.steps ?? []
  const finder = steps[index]
  if (opens === undefined || finder === undefined) return false
  return steps.slice(index + 1).some(
    (step) =>
      'tool' in step &&
      step.tool === opens.tool &&
      inputsOf(step).some((ref) => {
        const parsed = parseReference(ref)
        return parsed.ok && parsed.value.root === finder.id
      }),
  )
}

/** The step that returned this destination, if it is among the first results. */
function finderOf({ powers, task, index, action }: CallInput, step: ToolStep, name: string): ToolStep | null {
  const written = step.args[name]
  // A destination that the owner edited on a card needs its own approval.
  if (!isReference(written) || editsOf(task, step.id).length > 0) return null
  const parsed = parseReference(written.$ref)
  if (!parsed.ok) return null
  const { root, path } = parsed.value
  const finder = (task.plan?.steps ?? []).slice(0, index).find(({ id }) => id === root)
  const result = task.results[root]
  if (finder?.do !== 'tool' || result?.kind !== 'sealed' || result.ref.holds.what !== 'record') return null
  const found = lookUpAction(powers.registry, finder.tool)
  if (!found.ok || found.value.opens === undefined || result.ref.holds.action !== finder.tool) return null
  const { opens } = found.value
  const isIt = opens.tool === action.id && opens.argument === name && isAmongFirst(opens, path)
  return isIt ? finder : null
}

/** Matches `results[3].url` only: no selection, and no other field. */
function isAmongFirst({ list, field, most }: Opens, path: Path): boolean {
  const [of, place, named, ...rest] = path
  return of === list && typeof place === 'number' && place < most && named === field && rest.length === 0
}

/** The approval also discloses the owner's own words of this chat to the service. */
async function isFreeOfPrivate({ powers, task, index }: CallInput, value: Provenance): Promise<boolean> {
  const own = ownWordsOrigin(task.sink)
  const control = await controlAbove(powers, task, index)
  return [task.planned ?? task.words, control, value].every(({ label }) => {
    const others = labelOf(label.atoms.filter(({ origin }) => origin !== own))
    return checkClearance(NOTHING_PRIVATE, others, 'write_down').allow
  })
}

/** Only an approval whose card named these pages, and whose call has run. */
function yesTo({ powers, task }: CallInput, finder: ToolStep): string | null {
  const isGiven = ({ step, tool, principal, state, reason }: Approval): boolean =>
    step === finder.id &&
    tool === finder.tool &&
    principal === task.principal &&
    state === 'spent' &&
    reason === 'disclosure_asks'
  return powers.store.approvalsOf(task.id).find(({ approval }) => isGiven(approval))?.approval.id ?? null
}
