/**
 * Whose session a task may read (F-15): its principal's own, and through a live link that of the same person elsewhere.
 * What is in the other's must fit this chat, as nothing that its reader may not have is worth reading for him; labels and
 * taint stay what they are, and nothing is ever written across. Must not open anything. Called by whoever recalls.
 */
import type { Label } from '../flow/label.ts'
import { checkEgress, checkRead } from '../flow/policy.ts'
import { policyFor } from '../pipeline/route.ts'
import type { Clock, PolicySource } from '../powers/ports.ts'
import type { SealedStore } from '../powers/sealed-port.ts'
import type { IdentityLinkStore, StoreOf } from '../powers/stores.ts'
import { partnersOf } from '../task/identity-link.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import type { SealedRef, Task } from '../task/task.ts'

/** One principal's session, as one task may read it. */
export interface Session {
  readonly principal: string
  readonly linked: boolean
  readonly may: (label: Label) => boolean
}

/** Who reads, in which chat, by which template, up to where. */
type Reading = Pick<Task, 'principal' | 'sink' | 'template' | 'place' | 'ceiling'>

/**
 * What is above the ceiling is not there for it. Of anybody but the owner neither is what his chat may no longer
 * show, such as what came through a link that has ended: it would keep all of his answers back.
 */
export function ownSession(powers: Clock & PolicySource, task: Task): Session {
  const { principal, ceiling } = task
  const fits = fitsChat(powers, task)
  const may = (label: Label): boolean =>
    checkRead(ceiling, label).allow && (principal === OWNER_PRINCIPAL || fits(label))
  return { principal, linked: false, may }
}

/** Those of the same person elsewhere, as far as this chat may show them. */
export function linkedSessions(
  powers: Clock & PolicySource & StoreOf<IdentityLinkStore>,
  task: Task,
): readonly Session[] {
  const links = powers.store.identityLinks().map(({ link }) => link)
  const fits = fitsChat(powers, task)
  return partnersOf(links, task.principal).map((principal) => ({
    principal,
    linked: true,
    may: (label) => checkRead(task.ceiling, label).allow && fits(label),
  }))
}

/** Own first. */
export function sessionsOf(
  powers: Clock & PolicySource & StoreOf<IdentityLinkStore>,
  task: Task,
): readonly Session[] {
  return [ownSession(powers, task), ...linkedSessions(powers, task)]
}

/** What may stand in a prompt unasked: what is above the ceiling or above the chat would keep the whole answer back. */
export function fitsTask(powers: Clock & PolicySource, task: Reading): (label: Label) => boolean {
  const fits = fitsChat(powers, task)
  return (label) => checkRead(task.ceiling, label).allow && fits(label)
}

function fitsChat(powers: Clock & PolicySource, task: Omit<Reading, 'ceiling'>): (label: Label) => boolean {
  const { sink, template } = task
  const policy = policyFor(powers.policy(), task)
  return (label) => checkEgress(policy, { label, sink, template, now: powers.now() }).allow
}

/** Memory that a task holds of others, without what a link that has ended gave it. */
export function stillReadable(
  powers: Clock & PolicySource & StoreOf<IdentityLinkStore & SealedStore>,
  task: Task,
): Task['memory'] {
  if (powers.store.identityLinks().length === 0) return task.memory
  const readable = sessionsOf(powers, task).map(({ principal }) => principal)
  const isReadable = ({ id }: SealedRef): boolean =>
    readable.includes(powers.store.getSealed(id)?.principal ?? '')
  return Object.fromEntries(Object.entries(task.memory).filter(([, ref]) => isReadable(ref)))
}
