/**
 * Whether a chat may be written to, and may receive a text of this label (A-05, B-10). Checks only, for delivery and
 * for questions asked beforehand. Must not open or send. Called by deliver.ts and typed-answer.ts.
 */
import type { Label } from '../../flow/label.ts'
import { rankOf } from '../../flow/level.ts'
import { checkEgress, type Policy } from '../../flow/policy.ts'
import type { Sink } from '../../flow/sink.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { AtPlace, Clock, Outgoing, PolicySource, Templates } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import type { AgreementStore } from '../people/port.ts'
import { policyFor } from '../people/route.ts'

/** Ports needed to show that work continues; nothing is stored and no content leaves. */
export type ShowWorkPorts = Clock & AtPlace & PolicySource & Templates & Outgoing & StoreOf<AgreementStore>

/** The chat, its principal, and the place whose task writes there. */
type Reader = Pick<Task, 'sink' | 'principal' | 'place' | 'template'>

/** The policy that applies to this addressee. Refusals: sink_wrong_principal; place_not_cleared. */
export function sinkPolicy(powers: AtPlace & PolicySource, to: Reader): Result<Policy> {
  const policy = policyFor(powers.policy(), to)
  const sink = policy.sinks.find(({ id }) => id === to.sink)
  if (sink === undefined || sink.principal !== to.principal)
    return err('sink_wrong_principal', { sink: to.sink })
  return mayAnswer(powers, sink, to.template) ? ok(policy) : err('place_not_cleared', { sink: to.sink })
}

/**
 * The place that holds the channel's token; or home, through the owner's acknowledgement, with a text that home
 * released (DESIGN §1).
 */
function mayAnswer({ place }: AtPlace, sink: Sink, template: string): boolean {
  if (sink.place === place) return true
  if (place !== 'home' || sink.carries === undefined) return false
  return ['', sink.carries].includes(template) || sink.jobs?.includes(template) === true
}

/**
 * Whether `showTo` of deliver.ts would show a text of this label in a chat of this place; for callers that cannot
 * open the text now.
 */
export function mayShowTo(
  powers: Clock & AtPlace & PolicySource,
  { sink, principal }: { readonly sink: string; readonly principal: string },
  label: Label,
): boolean {
  const policy = sinkPolicy(powers, { sink, principal, place: powers.place, template: '' })
  if (!policy.ok || !policy.value.sinks.some(({ id, place }) => id === sink && place === powers.place))
    return false
  return checkEgress(policy.value, { sink, template: '', label, now: powers.now() }).allow
}

/**
 * Progress reveals what the task read, so it is shown to the owner only, in a chat cleared for everything this task
 * may read.
 */
export function mayShowProgress(
  powers: AtPlace & PolicySource,
  { principal, sink: id, ceiling, template }: Task,
): boolean {
  const sink = powers.policy().sinks.find((one) => one.id === id)
  if (principal !== OWNER_PRINCIPAL || sink?.principal !== principal || !mayAnswer(powers, sink, template))
    return false
  const { level, compartments } = ceiling
  return (
    rankOf(level) <= rankOf(sink.level) &&
    compartments !== 'all' &&
    compartments.every((one) => sink.compartments.includes(one))
  )
}
