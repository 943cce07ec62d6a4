/**
 * Home's check of calls that the edge makes for a stranger (F-13, X-05): allowed only under a live grant in home's
 * own rows, for this template, these fields, the stranger's own chat, within its limits of days ahead and uses a day.
 * Must not trust any of the edge's claims. Called by serve.ts.
 */

import { readGrantFor } from '../../call/call-grant.ts'
import { joinLabels, type Label } from '../../flow/label.ts'
import { checkEgress } from '../../flow/policy.ts'
import { declaredLabel } from '../../flow/record.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { CallPorts, ResolvedCall } from '../../pipeline/resolve.ts'
import { policyFor } from '../../pipeline/route.ts'
import { shapeOf } from '../../powers/effects.ts'
import type { Clock, PolicySource, Principals, Templates } from '../../powers/ports.ts'
import type { AuditLog, StoreOf, Transactions } from '../../powers/stores.ts'
import { classOf } from '../../task/principal.ts'
import { parsePrincipalId } from '../../task/principal-id.ts'
import { mayStart } from '../../template/match.ts'
import type { Template } from '../../template/template.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import type { AgreementStore } from '../people/agreement-port.ts'
import { agreementOver, directoryOf } from '../people/person-of.ts'
import type { HomeCall } from '../places/home-port.ts'

/** A call on behalf of a stranger. */
export interface GrantedCall {
  readonly call: HomeCall
  readonly template: Template
  readonly action: RegisteredAction
  readonly resolved: ResolvedCall
}

/**
 * Refusals: principal_not_allowed; agreement_ended; sink_not_of_task for a chat that this person could not have
 * written in.
 */
export function checkStranger(
  powers: Clock & PolicySource & Principals & Templates & StoreOf<AgreementStore>,
  { principal, sink }: HomeCall,
  template: Template,
): Result<true> {
  const name = parsePrincipalId(principal)
  const person = name.ok ? name.value : { kind: 'nobody' as const }
  // A group has many readers, and no grant for a single requester.
  if (person.kind !== 'peer' && person.kind !== 'member' && person.kind !== 'number')
    return err('principal_not_allowed')
  const as = classOf(principal, directoryOf(powers))
  if (template.principalClass !== as) return err('principal_not_allowed')
  // Checks home's own row: the edge's copy may be old or forged.
  const over = agreementOver(powers, { principal, template: template.id, sink: sink ?? '' })
  if (over !== null) return err(over.code, over.facts)
  const { adapter } = person
  const isKnown = powers.policy().sinks.some(({ id }) => id === sink)
  const isOwn = sink?.startsWith(`sink:${adapter}:`) === true && !isKnown
  return isOwn && mayStart(template, { adapter, kind: 'message', class: as })
    ? ok(true)
    : err('sink_not_of_task')
}

/**
 * Counts one use of the covering grant before the call is made, so the budget may be spent early but never exceeded.
 * Refusals: grant_missing, grant_budget_spent, and those of `checkEgress` when a field of the result is not granted.
 */
export function useReadGrant(
  powers: CallPorts & StoreOf<Transactions & AuditLog>,
  granted: GrantedCall,
): Result<true> {
  const { call, template, action, resolved } = granted
  const found = readGrantFor({ powers, task: chatOf(call), template, action, call: resolved })
  if (!found.ok) return found
  const grant = found.value
  // Public data needs no grant, but the edge can get that itself.
  if (grant === null) return err('grant_missing', { tool: action.id })
  const shape = shapeOf(powers.registry, action.id)
  if (!shape.ok) return shape
  const whole = joinLabels(declaredLabel(shape.value), resolved.whole.label)
  const told = checkTold(powers, call, whole)
  if (!told.ok) return told
  const used = powers.store.transaction(() => powers.store.useGrant(grant, powers.now()))
  const { task, trace, principal } = call
  powers.store.appendAudit({
    ...{ at: powers.now(), place: powers.place, kind: 'grant_used', task, trace, principal },
    facts: { grant, tool: action.id, asked: 'edge', ok: used },
  })
  return used ? ok(true) : err('grant_budget_spent', { grant })
}

/** Whether the result may be shown in the stranger's chat now; the grant may have been revoked meanwhile. */
export function checkTold(powers: Clock & PolicySource, call: HomeCall, label: Label): Result<true> {
  const chat = chatOf(call)
  const request = { label, sink: chat.sink, template: call.template, now: powers.now() }
  const verdict = checkEgress(policyFor(powers.policy(), chat), request)
  return verdict.allow ? ok(true) : err(verdict.code, verdict.facts)
}

function chatOf({ sink = '', principal }: HomeCall) {
  return { sink, principal, place: 'edge' } as const
}
