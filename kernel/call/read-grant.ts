/**
 * Checks whether a grant of the owner's lets another person's task read fields above that person's clearance,
 * and how far ahead. Pure. Must not make a grant. Called by call-verdict.ts and by the service for edge reads.
 */
import { standingGrants } from '../features/grants/grants.ts'
import { policyFor } from '../features/people/route.ts'
import type { Json } from '../flow/json.ts'
import { test } from '../flow/labeled.ts'
import { checkEgress } from '../flow/policy.ts'
import { declaredLabel } from '../flow/record.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { isKernelEffect, shapeOf } from '../powers/effects.ts'
import type { CallInput } from './resolve.ts'

const DAY = 86_400_000

/** The part of a call that a grant for reads checks, at whichever place the task runs. */
interface GrantedRead extends Omit<CallInput, 'task' | 'index'> {
  readonly task: Pick<CallInput['task'], 'sink' | 'principal' | 'place'>
}

/**
 * In a task of another person, a read of fields above that person's clearance needs a live grant for those
 * fields, within the agreed days ahead. Null: no grant needed. Refusals: grant_missing, grant_budget_spent.
 */
export function readGrantFor(read: GrantedRead): Result<string | null> {
  const { powers, task, template, action, call } = read
  const isOthers = template.principalClass === 'third_party' || template.principalClass === 'paired'
  if (!isOthers || isKernelEffect(action.id)) return ok(null)
  const shape = shapeOf(powers.registry, action.id)
  if (!shape.ok) return shape
  const policy = policyFor(powers.policy(), task)
  const now = powers.now()
  const request = { label: declaredLabel(shape.value), sink: task.sink, template: template.id, now }
  if (checkEgress({ ...policy, flowGrants: [] }, request).allow) return ok(null)
  const granted = standingGrants(powers)
    .filter((grant) => grant.kind === 'fields' && grant.action === action.id)
    .find(({ template: of, revoked, expiresAt }) => of === template.id && !revoked && expiresAt > now)
  if (granted?.kind !== 'fields') return err('grant_missing', { tool: action.id })
  const latest = now + granted.daysAhead * DAY
  const fits = test(call.whole, (args) => datesIn(args).every((at) => at >= now - DAY && at <= latest))
  return fits ? ok(granted.id) : err('grant_budget_spent', { grant: granted.id })
}

/** A date that cannot be parsed counts as beyond every bound. */
function datesIn(args: { readonly [key: string]: Json }): readonly number[] {
  return Object.values(args).map((value) => (typeof value === 'string' ? Date.parse(value) : Number.NaN))
}
