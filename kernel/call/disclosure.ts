/**
 * What of the owner's own words a call tells a service that is cleared for less, such as a search word or the name of a town (DESIGN §2): a
 * span of this very message, at most so long, and nothing else. Must not let anything down by itself: the owner's yes or a grant
 * does. Called by call-verdict.ts and runtime/change.ts.
 */

import { standingGrants } from '../features/grants/grant-use.ts'
import { type Clearance, checkClearance } from '../flow/clearance.ts'
import { checkDeclassifiable } from '../flow/declassify.ts'
import { type FieldSpec, leavesOf } from '../flow/field.ts'
import { type DisclosureGrant, findDisclosureGrant } from '../flow/grant.ts'
import { stringsIn } from '../flow/json.ts'
import { labelOf } from '../flow/label.ts'
import { combine, test } from '../flow/labeled.ts'
import { ownWordsOrigin } from '../flow/sink.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { CallInput, ResolvedArgument } from '../pipeline/resolve.ts'
import { openTextOf } from '../powers/sealed.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { controlAbove } from './select.ts'
import { isSpanOf } from './typed.ts'

/** Characters (code points) that one call may tell, all arguments together. */
export const MAX_DISCLOSED = 80

/** What may have had a part in choosing the words without a card: what the assistant is told of itself, and nothing private. */
const UNASKED: Clearance = Object.freeze({ level: 'internal', compartments: [] })

/** No sink at all: the service is in no table. */
const UNLISTED = 'sink:unlisted'

export interface Disclosure extends Pick<DisclosureGrant, 'tool' | 'hosts' | 'args'> {
  /** Nothing private, and no text of others', had a part in it beside the words themselves, so that a grant may stand for the yes. */
  readonly grantable: boolean
}

export function isDisclosed(spec: FieldSpec): boolean {
  return leavesOf(spec).some(([, leaf]) => leaf.disclosed === true)
}

/** Hosts that read what the arguments of an action tell, in one order. */
export function hostsOf({ tool }: RegisteredAction): readonly string[] {
  return [...tool.network].sort()
}

/**
 * Null where a call tells nothing. Refusals: disclosure_not_said for what is no span of the owner's own message, or longer;
 * declassification_forbidden for what may never be lowered (F-14).
 */
export async function disclosureOf(input: CallInput): Promise<Result<Disclosure | null>> {
  const { powers, task, action, call, index } = input
  const told = call.args.filter(({ spec }) => isDisclosed(spec))
  if (told.length === 0) return ok(null)
  const notSaid = err('disclosure_not_said', { tool: action.id })
  if (task.principal !== OWNER_PRINCIPAL || task.words.taint.level !== 'clean') return notSaid
  const own = ownWordsOrigin(task.sink)
  for (const { value } of told) {
    // A mail that says the same is not the owner's word for it.
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
  const args = told.map(({ name }) => name).sort()
  return ok({ tool: action.id, hosts: hostsOf(action), args, grantable })
}

/** Id of a live grant that stands for the yes, or null: then the owner is asked. */
export function disclosureGrantFor({ powers, template }: CallInput, disclosure: Disclosure): string | null {
  const { grantable, ...shape } = disclosure
  if (!grantable) return null
  const query = { ...shape, template: template.id, now: powers.now() }
  return findDisclosureGrant(standingGrants(powers), query)?.id ?? null
}

/** What the owner wrote in its place, when asked, is shown to them once more and needs to stand nowhere else (F-11). */
async function isOwnSpan({ powers, task, index }: CallInput, argument: ResolvedArgument): Promise<boolean> {
  const edit = task.edits?.[task.plan?.steps[index]?.id ?? '']
  if (edit?.argument === argument.name) return true
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return false
  const spans = combine([words.value, argument.value], ([said, value]) =>
    stringsIn(value ?? null).every((text) => text.trim() !== '' && isSpanOf(String(said), text)),
  )
  return test(spans, (is) => is)
}
