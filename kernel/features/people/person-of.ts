/**
 * Who is paired at this very moment (B-03, B-04): looked up in the place's own rows each time, so that an agreement that was taken
 * back a moment ago makes nobody `paired` and lets no task of his go on. Must not change one: runtime/people.ts does. Called by
 * route.ts, drive.ts, deliver.ts, serve-granted.ts and whoever shows a class.
 */
import type { Refusal } from '../../flow/verdict.ts'
import type { Clock, Principals, Templates } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { type Agreement, isLive } from '../../task/agreement.ts'
import type { Directory } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import type { AgreementStore } from './agreement-port.ts'

type Sources = Clock & Principals & StoreOf<AgreementStore>

/** The configured directory, with whom the owner is paired now. */
export function directoryOf(powers: Sources): Directory {
  const { owner, paired } = powers.directory()
  const agreed = liveOnes(powers).flatMap(({ principal }) => (principal === null ? [] : [principal]))
  return { owner, paired: [...paired, ...agreed] }
}

/** What this principal may have now; null for whoever has agreed on nothing. */
export function agreementOf(powers: Clock & StoreOf<AgreementStore>, principal: string): Agreement | null {
  return liveOnes(powers).findLast((agreement) => agreement.principal === principal) ?? null
}

/**
 * Why a task must not take its next step: it is a paired person's, and what it was started under no longer stands. Null for every
 * other. Asked before each of its steps, its delivery among them.
 */
export function agreementOver(
  powers: Clock & Templates & StoreOf<AgreementStore>,
  { principal, template: id, sink }: Pick<Task, 'principal' | 'template' | 'sink'>,
): Refusal | null {
  const template = powers.templates.find((candidate) => candidate.id === id)
  if (template?.principalClass !== 'paired') return null
  const agreement = agreementOf(powers, principal)
  const stands = agreement?.templates.includes(id) === true && agreement.sink === sink
  return stands ? null : { code: 'agreement_ended', facts: { template: id } }
}

function liveOnes({ store, now }: Clock & StoreOf<AgreementStore>): readonly Agreement[] {
  const at = now()
  return store.agreements().flatMap(({ agreement }) => (isLive(agreement, at) ? [agreement] : []))
}
