/**
 * Who is paired now (B-03, B-04): read from the place's own rows at each call, so a revoked agreement makes
 * nobody `paired` and lets none of their tasks continue. Must not change one; people.ts does. Called by
 * route.ts, drive.ts, deliver.ts, features/models/serve.ts and every display of a class.
 */
import type { Refusal } from '../../flow/verdict.ts'
import type { Clock, Principals, Templates } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { type Agreement, isLive } from '../../task/agreement.ts'
import type { Directory } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { templatesOff } from '../templates/off.ts'
import type { AgreementStore } from './port.ts'

type Sources = Clock & Principals & StoreOf<AgreementStore>

/** The configured directory, extended by the people paired now. */
export function directoryOf(powers: Sources): Directory {
  const { owner, paired } = powers.directory()
  const agreed = liveOnes(powers).flatMap(({ principal }) => (principal === null ? [] : [principal]))
  return { owner, paired: [...paired, ...agreed] }
}

/** The agreement in force for this principal; null when there is none. */
export function agreementOf(powers: Clock & StoreOf<AgreementStore>, principal: string): Agreement | null {
  return liveOnes(powers).findLast((agreement) => agreement.principal === principal) ?? null
}

/**
 * Why a task must not take its next step: the owner switched its kind of request off, or it belongs to a paired
 * person, and the agreement it started under has ended. Null for every other task. Checked before each step,
 * including delivery.
 */
export function agreementOver(
  powers: Clock & Templates & StoreOf<AgreementStore>,
  { principal, template: id, sink }: Pick<Task, 'principal' | 'template' | 'sink'>,
): Refusal | null {
  const template = powers.templates.find((candidate) => candidate.id === id)
  if (template === undefined || template.principalClass === 'owner') return null
  if (templatesOff(powers).includes(id)) return { code: 'agreement_ended', facts: { template: id } }
  if (template.principalClass !== 'paired') return null
  const agreement = agreementOf(powers, principal)
  const stands = agreement?.templates.includes(id) === true && agreement.sink === sink
  return stands ? null : { code: 'agreement_ended', facts: { template: id } }
}

function liveOnes({ store, now }: Clock & StoreOf<AgreementStore>): readonly Agreement[] {
  const at = now()
  return store.agreements().flatMap(({ agreement }) => (isLive(agreement, at) ? [agreement] : []))
}
