/**
 * Sessions that a task may read (F-15): its principal's own and, through a live link, those of the same person's
 * other accounts, filtered by what this chat may show. Labels and taint are unchanged, and nothing is written across.
 * Must not open anything. Called by every reader of memory or history.
 */

import { policyFor } from '../features/people/route.ts'
import type { Label } from '../flow/label.ts'
import { checkEgress, checkRead } from '../flow/policy.ts'
import type { Clock, PolicySource } from '../powers/ports.ts'
import type { SealedStore } from '../powers/sealed-port.ts'
import type { IdentityLinkStore, StoreOf } from '../powers/stores.ts'
import { partnersOf } from '../task/identity-link.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import type { SealedRef, Task } from '../task/task.ts'

/** One principal's session, as readable by one task. */
export interface Session {
  readonly principal: string
  readonly linked: boolean
  readonly may: (label: Label) => boolean
}

/** Who reads, in which chat, by which template, up to which ceiling. */
type Reading = Pick<Task, 'principal' | 'sink' | 'template' | 'place' | 'ceiling'>

/**
 * Entries above the ceiling are left out. For principals other than the owner, so are entries that their chat
 * may no longer show, such as those read through an ended link: they would block every answer.
 */
export function ownSession(powers: Clock & PolicySource, task: Task): Session {
  const { principal, ceiling } = task
  const fits = fitsChat(powers, task)
  const may = (label: Label): boolean =>
    checkRead(ceiling, label).allow && (principal === OWNER_PRINCIPAL || fits(label))
  return { principal, linked: false, may }
}

/** Sessions of the same person's other accounts, filtered by what this chat may show. */
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

/** Own session first. */
export function sessionsOf(
  powers: Clock & PolicySource & StoreOf<IdentityLinkStore>,
  task: Task,
): readonly Session[] {
  return [ownSession(powers, task), ...linkedSessions(powers, task)]
}

/** What a prompt may include unasked: anything above the ceiling or the chat would block the whole answer. */
export function fitsTask(powers: Clock & PolicySource, task: Reading): (label: Label) => boolean {
  const fits = fitsChat(powers, task)
  return (label) => checkRead(task.ceiling, label).allow && fits(label)
}

function fitsChat(powers: Clock & PolicySource, task: Omit<Reading, 'ceiling'>): (label: Label) => boolean {
  const { sink, template } = task
  const policy = policyFor(powers.policy(), task)
  return (label) => checkEgress(policy, { label, sink, template, now: powers.now() }).allow
}

/** Memory attached to a task, without entries that came through a link that has ended. */
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
