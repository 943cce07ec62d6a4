/**
 * Whether a standing grant of the owner covers one call (F-12, F-13, F-19, X-05): a write of an agreed shape, or a
 * read whose named fields the requester may see. Only checks; authorize.ts counts the use. Must not cover tainted
 * text. Called by call-verdict.ts.
 */

import { standingGrants } from '../features/grants/grant-use.ts'
import { findWriteGrant } from '../flow/grant.ts'
import { type Json, stringsIn } from '../flow/json.ts'
import { fingerprint, type Labeled, test } from '../flow/labeled.ts'
import { checkEgress } from '../flow/policy.ts'
import { declaredLabel } from '../flow/record.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { type CallInput, scopeOf } from '../pipeline/resolve.ts'
import { policyFor } from '../pipeline/route.ts'
import { isKernelEffect, shapeOf } from '../powers/effects.ts'
import type { ReasonCode } from '../reasons.ts'
import { digestOf } from '../task/capability.ts'
import { hasFreeText, isDestination } from './destination.ts'

/** Milliseconds. */
const DAY = 86_400_000

/** Questions that a grant can answer in advance. Excludes `write_raw` and any question about a new reader of the data. */
const COVERED: readonly ReasonCode[] = ['write_template_asks', 'write_unknown_destination', 'write_free_text']

/** Id of a live grant that answers this question; null when the owner must be asked. */
export function writeGrantFor(input: CallInput, question: ReasonCode): string | null {
  const { powers, call } = input
  if (!COVERED.includes(question) || call.args.some(isOthersText)) return null
  const { writeGrants } = powers.policy()
  return findWriteGrant(writeGrants, { ...shapeOfCall(input), now: powers.now() })?.id ?? null
}

/** What a grant binds a call to: place, names of the arguments, destinations. */
export function shapeOfCall({ task, template, action, call }: CallInput) {
  const to = call.args.filter(({ spec }) => isDestination(spec))
  return {
    template: template.id,
    tool: action.id,
    sink: action.sink ?? task.sink,
    args: call.args.map(({ name }) => name).sort(),
    destinations: to.flatMap(({ value }) => fingerprints(value)).sort(),
    scope: scopeOf(call),
  }
}

/** Free text not written by the owner can say anything, so a grant given for another text never covers it. */
export function isOthersText({ spec, value }: CallInput['call']['args'][number]): boolean {
  return hasFreeText(spec) && value.taint.level !== 'clean'
}

/** The part of a call that a grant for reads checks, at whichever place the task runs. */
export interface GrantedRead extends Omit<CallInput, 'task' | 'index'> {
  readonly task: Pick<CallInput['task'], 'sink' | 'principal' | 'place'>
}

/**
 * In a task of another person, a read of fields above that person's clearance needs a live grant for those fields,
 * within the agreed days ahead. Null: no grant needed. Refusals: grant_missing, grant_budget_spent.
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

/** One fingerprint per address, so that a grant for two addresses covers a call to one of them. */
function fingerprints(value: Labeled): readonly string[] {
  const digests = (inner: Json): string => stringsIn(inner).map(digestOf).join(' ')
  return fingerprint(value, digests)
    .split(' ')
    .filter((digest) => digest !== '')
}
