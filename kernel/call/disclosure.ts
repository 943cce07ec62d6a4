/**
 * Determines how far a call reaches, and checks the disclosure of the owner's own words, such as a search term
 * or a town, to a service cleared for less (DESIGN §2): only a span of this message, up to `MAX_DISCLOSED`.
 * Must not lower a label; approval or a grant does. Called by call-verdict.ts, authorize.ts and change.ts.
 */
import { standingGrants } from '../features/grants/grants.ts'
import { type Clearance, checkClearance } from '../flow/clearance.ts'
import { checkDeclassifiable } from '../flow/declassify.ts'
import { type FieldSpec, leavesOf } from '../flow/field.ts'
import { type DisclosureGrant, findDisclosureGrant } from '../flow/grant.ts'
import { stringsIn } from '../flow/json.ts'
import { labelOf } from '../flow/label.ts'
import { combine, test } from '../flow/labeled.ts'
import { ownWordsOrigin } from '../flow/sink.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { isKernelEffect, LOAD, offlinePolicyOf } from '../powers/effects.ts'
import type { Actions, DirectiveFiles, HomeLine, Tools } from '../powers/ports.ts'
import { openTextOf } from '../powers/sealed.ts'
import { editOf } from '../task/edits.ts'
import { inputsOf, parseReference } from '../task/plan.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import type { Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { isOnward } from './onward.ts'
import type { CallInput, ResolvedArgument } from './resolve.ts'
import { isSpanOf } from './values/literals.ts'
import { controlAbove } from './values/select.ts'

/** Maximum characters (code points) that one call may disclose, over all arguments. */
const MAX_DISCLOSED = 80

/**
 * Highest label that may have influenced the words if no card is shown: facts about the assistant, nothing
 * private.
 */
export const UNASKED: Clearance = Object.freeze({ level: 'internal', compartments: [] })

/** Placeholder for a service that is in no table of sinks. */
const UNLISTED = 'sink:unlisted'

export interface Disclosure extends Pick<DisclosureGrant, 'tool' | 'hosts' | 'args'> {
  /**
   * True when no private data and no text of others influenced the words, so that a grant may replace the
   * approval.
   */
  readonly grantable: boolean
  /** Number of the job whose approval covers the disclosure. */
  readonly job?: number
}

/** Returns the number of the job whose card shows these arguments; null if there is none. */
type JobTells = (told: readonly ResolvedArgument[]) => number | null

export function isDisclosed(spec: FieldSpec): boolean {
  return leavesOf(spec).some(([, leaf]) => leaf.disclosed === true)
}

/** Hosts that can read the disclosed arguments of an action, in a fixed order. */
function hostsOf({ tool }: RegisteredAction): readonly string[] {
  return [...tool.network].sort()
}

/**
 * Null when the call discloses nothing. Refusals: disclosure_not_said for text that is not a span of the
 * owner's message, or is too long; declassification_forbidden for data that may never be lowered (F-14).
 */
export async function disclosureOf(
  input: CallInput,
  jobTells: JobTells = () => null,
): Promise<Result<Disclosure | null>> {
  const { powers, task, action, call, index } = input
  const told = call.args.filter(({ spec }) => isDisclosed(spec))
  if (told.length === 0) return ok(null)
  const notSaid = err('disclosure_not_said', { tool: action.id })
  const isOwners = task.principal === OWNER_PRINCIPAL
  const job = isOwners ? null : jobTells(told)
  if (!(isOwners || job !== null) || task.words.taint.level !== 'clean') return notSaid
  const own = ownWordsOrigin(task.sink)
  for (const { value } of told) {
    // The same words in a mail do not count as said by the owner.
    if (value.taint.level === 'raw') return notSaid
    const open = checkDeclassifiable(powers.policy(), value, UNLISTED)
    if (!open.ok) return open
  }
  const lengths = combine(
    told.map(({ value }) => value),
    (values) => values.flatMap((value) => stringsIn(value)).reduce((sum, text) => sum + [...text].length, 0),
  )
  if (!test(lengths, (length) => length <= MAX_DISCLOSED)) return notSaid
  for (const argument of told) if (!(await isOwnSpan(input, argument))) return notSaid
  const control = await controlAbove(powers, task, index)
  const grantable =
    control.taint.level !== 'raw' &&
    told.every(({ value: { label } }) => {
      const others = labelOf(label.atoms.filter(({ origin }) => origin !== own))
      return checkClearance(UNASKED, others, 'write_down').allow
    })
  // For a job these exact bytes were approved, whatever led to them. Only what is read now could choose whether they are
  // disclosed.
  if (!isOwners && control.taint.level === 'raw') return notSaid
  const args = told.map(({ name }) => name).sort()
  return ok({ tool: action.id, hosts: hostsOf(action), args, grantable, ...(job !== null && { job }) })
}

/** Id of a live grant that replaces the approval; null when the owner must be asked. */
export function disclosureGrantFor({ powers, template }: CallInput, disclosure: Disclosure): string | null {
  const { grantable, job: _, ...shape } = disclosure
  if (!grantable) return null
  const query = { ...shape, template: template.id, now: powers.now() }
  return findDisclosureGrant(standingGrants(powers), query)?.id ?? null
}

/**
 * Whether the argument is a span of the message. A text that the owner wrote entirely
 * on a card is shown to them once more, so it need not be in the message (F-11).
 */
async function isOwnSpan(input: CallInput, argument: ResolvedArgument): Promise<boolean> {
  const { powers, task, index } = input
  const edit = editOf(task, task.plan?.steps[index]?.id ?? '', argument.name)
  if (edit !== undefined && edit.kept !== true) return true
  // Said before, and on the card once more.
  if (isOnward(input, argument)) return true
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return false
  const spans = combine([words.value, argument.value], ([said, value]) =>
    stringsIn(value ?? null).every((text) => text.trim() !== '' && isSpanOf(String(said), text)),
  )
  return test(spans, (is) => is)
}

/**
 * Whether an argument is a text that `extract` found. It stays in the owner's own accounts; others get structured values, or text
 * that was composed for them (DESIGN §10).
 */
export function hasWordsOfText({ task, index }: CallInput): boolean {
  const step = task.plan?.steps[index]
  return step === undefined
    ? false
    : inputsOf(step).some((ref) => {
        const parsed = parseReference(ref)
        const result = parsed.ok ? task.results[parsed.value.root] : undefined
        return result?.kind === 'value' && result.is === 'text'
      })
}

/**
 * `credential`: here, once the credential is connected. `off`: here, once the owner switches its service on. `away`: only at
 * home, which is offline.
 */
export type Reach = 'here' | 'credential' | 'off' | 'home' | 'away' | 'nowhere'

/**
 * An edge task may ask home for one read. A write that runs only at home must be requested on the private
 * line.
 */
export async function reachOf(
  powers: Actions & Tools & HomeLine & DirectiveFiles,
  task: Task,
  action: RegisteredAction,
): Promise<Reach> {
  if (action.id === LOAD && powers.directives === undefined) return 'nowhere'
  if (isKernelEffect(action.id)) return 'here'
  const found = powers.tools.availability(action)
  if (found !== 'elsewhere') return found
  if (powers.home === null || action.semantics !== 'read') return 'nowhere'
  if (task.alone === true) return 'away'
  // An action that may be queued for home is offered even while home is offline: the link may be back within
  // moments.
  return offlinePolicyOf(powers.registry, action.id).do === 'queue' || (await powers.home.up())
    ? 'home'
    : 'away'
}
