/**
 * `/pause`: no task of anyone runs at this place until the owner says `/resume`, and nothing is lost. `mayClaim` is
 * checked before each effect row; a row under way still stores its result. Cleanup, expiry, health checks and the
 * reply to the command continue. Must not end a task. Called by shell.ts, lane.ts and intake.ts.
 */
import { test } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Clock, Pausing, PolicySource } from '../../powers/ports.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { ApprovalStore, StoredApproval, StoreOf, TaskStore } from '../../powers/stores.ts'
import { type Approval, spendableUntil, widens } from '../../task/approval.ts'
import { PAUSE, RESUME } from '../../task/command.ts'
import type { TaskReports } from '../../task/outcome.ts'
import {
  applyOwn,
  NEVER_PAUSED,
  type Pause,
  type PauseAnswer,
  type PauseCommand,
  pauseIn,
} from '../../task/pause.ts'
import type { Task } from '../../task/task.ts'
import { temporaryOf } from '../memory/memory.ts'
import type { Routed } from '../people/route.ts'

/** Milliseconds by which each check extends the life of expiring content; below it, the most after the start of a pause. */
const KEEP_ON = 3_600_000
const MOST_QUEUED = 7 * 24 * KEEP_ON

/** Null when not paused. */
export function pausedNow({ pause }: Pausing): Pause | null {
  return pause === undefined ? null : pauseIn(pause.read())
}

/** Whether an effect row of this task may start: during a pause only that of the reply to the pause command. */
export function mayClaim(powers: Pausing, task: Pick<Task, 'pause'>): boolean {
  return task.pause !== undefined || pausedNow(powers) === null
}

/** Null for a message that is neither command. Only the owner's own words count (B-08). */
export function pauseWordIn({ event, principal, words }: Routed): PauseCommand['do'] | null {
  if (principal.class !== 'owner' || event.kind !== 'message') return null
  const said = receive(event.text, words)
  if (said.taint.level !== 'clean' || !test(said, isPauseText)) return null
  return test(said, (text) => text.trim().toLowerCase() === PAUSE) ? 'pause' : 'resume'
}

export function isPauseText(text: string): boolean {
  return [PAUSE, RESUME].includes(text.trim().toLowerCase())
}

/**
 * `sent`: time by the chat's clock. If the other place holds the chat's token, whoever compromised that place could
 * have written the message.
 */
export function sayPause(
  powers: Auditing & PolicySource & Pausing & StoreOf<TaskStore>,
  { do: what, sink, sent }: { readonly do: PauseCommand['do']; readonly sink: string; readonly sent: number },
): PauseAnswer {
  const { pause, place } = powers
  const before = pause?.read() ?? NEVER_PAUSED
  const isOwn = powers.policy().sinks.find(({ id }) => id === sink)?.place === place
  const since = pauseIn(before)?.since ?? null
  const waited = since === null ? 0 : arrivedSince(powers, since)
  if (!isOwn && what === 'resume') return { did: since === null ? 'not_paused' : 'held', waited }
  const { state, did } = applyOwn(before, place, { do: what, at: powers.now(), sink, sent })
  if (state !== before) {
    pause?.write(state)
    audit(powers, 'pause_changed', null, { said: what, did, sink })
  }
  return { did, waited }
}

function arrivedSince(powers: StoreOf<TaskStore>, since: number): number {
  return active(powers).filter((task) => task.createdAt >= since && task.pause === undefined).length
}

function active({ store }: StoreOf<TaskStore>): readonly Task[] {
  return store
    .activePrincipals()
    .flatMap((principal) => store.activeTasks(principal))
    .map(({ task }) => task)
}

/**
 * During a pause, extends the life of what open questions and tasks are made of, so that they can continue;
 * everything else expires as usual.
 */
export function keepPaused(powers: Clock & Pausing & StoreOf<TaskStore & ApprovalStore & SealedStore>): void {
  const pause = pausedNow(powers)
  const { store } = powers
  const now = powers.now()
  if (pause !== null && now < pause.since + MOST_QUEUED) {
    const refs = active(powers).flatMap((task) => [task.words, ...temporaryOf(task)])
    const cards = store.pendingApprovals(null).map(({ card }) => card)
    store.keepSealed(
      [...refs, ...cards].map(({ id }) => id),
      now + KEEP_ON,
    )
  }
  store.expireSealed(now)
}

/**
 * After a pause, before anything else runs, puts again every question that expired during it and every approval that
 * could not be used in time. Once per pause; a restart repeats the search and finds nothing.
 */
export function createOfferingAgain(
  powers: Clock & Pausing & StoreOf<TaskStore & ApprovalStore>,
  lane: TaskReports,
): () => void {
  let done = 0
  return () => {
    const over = powers.pause?.read().over ?? null
    if (over === null || over.until === done || pausedNow(powers) !== null) return
    done = over.until
    const ranOut = (at: number): boolean => at >= over.since && at <= over.until
    for (const stored of powers.store.pendingApprovals(null))
      if (ranOut(stored.approval.expiresAt)) offer(powers, lane, stored)
    for (const stored of unspent(powers))
      if (ranOut(spendableUntil(stored.approval))) offer(powers, lane, stored)
  }
}

function offer(
  powers: Clock & StoreOf<ApprovalStore>,
  lane: TaskReports,
  { approval }: StoredApproval,
): void {
  const { id, task, expiresAt, createdAt } = approval
  const closed: Approval = { ...approval, state: 'expired' }
  const save = (): void => powers.store.saveApproval(closed, null)
  if (task !== '' && lane.report(task, { got: 'lapsed', approval: id }, save)) return
  // A change of the owner's rules waits for approval as shown; its card is sent once more.
  if (task !== '' || !widens(approval.kind)) return
  const now = powers.now()
  const again = { ...approval, createdAt: now, expiresAt: now + (expiresAt - createdAt), toldAt: null }
  powers.store.saveApproval(again, null)
}

/** Approvals that were given and not yet used. */
function unspent(powers: StoreOf<TaskStore & ApprovalStore>): readonly StoredApproval[] {
  const { store } = powers
  return active(powers).flatMap(({ state }) => {
    const asked = state.at === 'executing' && (state.phase === 'checking' || state.phase === 'showing')
    const id = asked ? state.approval : null
    const stored = id === null ? null : store.loadApproval(id)
    return stored?.approval.state === 'approved' ? [stored] : []
  })
}
