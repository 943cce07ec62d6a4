/**
 * Whether a chat may be written to, and may have a text of this label (A-05, B-10): checks alone, for whoever delivers or asks beforehand.
 * Must not open or send. Called by deliver.ts and runtime/typed-answer.ts.
 */
import type { Label } from '../../flow/label.ts'
import { rankOf } from '../../flow/level.ts'
import { checkEgress, type Policy } from '../../flow/policy.ts'
import type { Sink } from '../../flow/sink.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { policyFor } from '../../pipeline/route.ts'
import type { AtPlace, Clock, Outgoing, PolicySource, Templates } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import type { AgreementStore } from '../people/agreement-port.ts'

/** What it takes to show that work goes on: nothing is kept, and no words leave. */
export type ShowWorkPorts = Clock & AtPlace & PolicySource & Templates & Outgoing & StoreOf<AgreementStore>

/** Whose chat it is, and which place's task speaks there. */
type Reader = Pick<Task, 'sink' | 'principal' | 'place' | 'template'>

/** The policy that holds for this addressee. Refusals: sink_wrong_principal; place_not_cleared. */
export function sinkPolicy(powers: AtPlace & PolicySource, to: Reader): Result<Policy> {
  const policy = policyFor(powers.policy(), to)
  const sink = policy.sinks.find(({ id }) => id === to.sink)
  if (sink === undefined || sink.principal !== to.principal)
    return err('sink_wrong_principal', { sink: to.sink })
  return mayAnswer(powers, sink, to.template) ? ok(policy) : err('place_not_cleared', { sink: to.sink })
}

/** The place of its token; or home, by the owner's acknowledgement, which hands over what it released (DESIGN §1). */
function mayAnswer({ place }: AtPlace, sink: Sink, template: string): boolean {
  if (sink.place === place) return true
  return place === 'home' && sink.carries !== undefined && ['', sink.carries].includes(template)
}

/** Whether `showTo` of deliver.ts would show a text of this label in a chat of this very place: for whoever cannot open the text now. */
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
 * How far a task is depends on what it read: it is for the owner alone, in a chat that may hold whatever this task may read.
 */
export function maySayHowFar(
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
