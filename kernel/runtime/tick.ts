/**
 * Time-driven work: ends what has expired, does what is due, and computes the next
 * moment. Must not accept events. Called by shell.ts.
 */

import { type Asking, waitedForChat } from '../features/approvals/asking.ts'
import type { CardClosing } from '../features/approvals/card-closing.ts'
import type { Credentials } from '../features/credentials/credentials.ts'
import type { DeliverPorts } from '../features/deliveries/deliver.ts'
import { tellLost, waitingMoment } from '../features/deliveries/resend.ts'
import { nextRetraction } from '../features/deliveries/retraction.ts'
import type { RetractionStore, WaitingStore } from '../features/deliveries/waiting-port.ts'
import { tidyDirectives } from '../features/directives/directive-keeping.ts'
import { type LinkPorts, linkMoment, lookAfterLinks } from '../features/identities/identity-links.ts'
import { notRunMoment, tellNotRun } from '../features/jobs/not-run.ts'
import { settlePages } from '../features/jobs/page-task.ts'
import type { JobStore } from '../features/jobs/port.ts'
import { jobMoment, type RunnerPorts, runDueJobs, settleRuns } from '../features/jobs/runner.ts'
import { keepPaused, pausedNow } from '../features/pause/pause.ts'
import { lookAfterPeople, peopleMoment } from '../features/people/invitations.ts'
import type { AgreementStore } from '../features/people/port.ts'
import { closeChoices, lookAfterWaits, momentOf, type TaskAtHome } from '../features/places/home-wait.ts'
import type { SettingStore } from '../features/quiet/port.ts'
import { awayMomentHeld, tellAway, tellOtherTimes } from '../features/reminders/away.ts'
import { type DuePorts, deliverDue, reminderMoment } from '../features/reminders/due.ts'
import type { ReminderStore } from '../features/reminders/port.ts'
import { scheduledMoment, wakeScheduled } from '../features/scheduled/scheduled.ts'
import { type FollowPorts, followZone, zoneMoment } from '../features/zone/zone.ts'
import { type Auditing, audit } from '../powers/audit.ts'
import type {
  Actions,
  AtPlace,
  ChatServices,
  Clock,
  DirectiveFiles,
  HomeLine,
  OwnerChats,
  OwnerFacts,
  Pausing,
} from '../powers/ports.ts'
import type { SealedStore } from '../powers/sealed-port.ts'
import type {
  ApprovalStore,
  GrantStore,
  IdentityLinkStore,
  OutboxStore,
  StoredApproval,
  StoreOf,
  TaskStore,
} from '../powers/stores.ts'
import { expire } from '../task/approval.ts'
import type { Task } from '../task/task.ts'
import type { Lane } from './lane.ts'

/** Minimum milliseconds between two ticks: a due time that stays in the past must not make the alarm fire continuously. */
const LEAST_WAIT = 1_000

/** Milliseconds before a principal whose work threw is retried. */
const AFTER_FAULT = 30_000

export interface Runner {
  run(principal: string): Promise<void>
}

export interface Ticking extends Runner {
  readonly lane: Lane
  readonly asking: Asking
  readonly offerAgain: () => void
  readonly credentials: Credentials
  readonly closing: CardClosing
}

/** Ports of everything that time alone may trigger. */
type TickPorts = LinkPorts &
  PausedTickPorts &
  OwnerFacts &
  Actions &
  ChatServices &
  HomeLine &
  DuePorts &
  FollowPorts &
  RunnerPorts &
  StoreOf<GrantStore>

export async function tick(
  powers: TickPorts,
  { lane, run, asking, credentials, offerAgain, closing }: Ticking,
): Promise<number | null> {
  const { store } = powers
  const now = powers.now()
  keepPaused(powers)
  if (pausedNow(powers) !== null) return tickPaused(powers, run)
  offerAgain()
  for (const { approval } of store.pendingApprovals(null)) {
    const next = expire(approval, now)
    if (next.state === 'pending') continue
    expireApproval(powers, lane, next)
    closing.add(next)
    await credentials.expired(next)
    await tellUnshown(powers, next)
  }
  await credentials.settle()
  await asking.again()
  await lookAfterLinks(powers)
  await lookAfterPeople(powers)
  await lookAfterWaits(powers, lane, tasksAtHome(powers))
  closeChoices(powers)
  wakeScheduled(powers, lane)
  followZone(powers)
  await deliverDue(powers)
  await tellAway(powers)
  await settleRuns(powers)
  settlePages(powers)
  await runDueJobs(powers)
  await tellNotRun(powers)
  const whole = await runAll(powers, run)
  await settleRuns(powers)
  settlePages(powers)
  await closing.settle()
  tellOtherTimes(powers)
  const next = nextMoment(powers, asking, closing)
  return whole ? next : Math.min(next ?? Infinity, now + AFTER_FAULT)
}

/** Ports of what continues during a pause. */
type PausedTickPorts = Auditing &
  DirectiveFiles &
  Pausing &
  StoreOf<TaskStore & OutboxStore & SealedStore & RetractionStore & WaitingStore>

/**
 * The tick during a pause: no question is asked or expires; only replies to the pause
 * command, deletions and expiry of data continue.
 */
async function tickPaused(powers: PausedTickPorts, run: Runner['run']): Promise<number | null> {
  const whole = await runAll(powers, run)
  const moments = [powers.store.nextExpiry(), nextRetraction(powers), tidyDirectives(powers)]
  const next = Math.min(
    ...moments.map((moment) => moment ?? Infinity),
    ...soonest(powers, waitingMoment(powers)),
    whole ? Infinity : AFTER_FAULT + powers.now(),
  )
  return Number.isFinite(next) ? Math.max(next, powers.now() + LEAST_WAIT) : null
}

/** False when something threw: one principal's damaged row or full table must not block the others. */
export async function runAll(
  powers: Auditing & StoreOf<TaskStore & RetractionStore & WaitingStore>,
  run: Runner['run'],
): Promise<boolean> {
  let whole = true
  const { store } = powers
  const whose = new Set([
    ...store.activePrincipals(),
    ...store.retractions().map(({ principal }) => principal),
    ...store.waiting().map(({ principal }) => principal),
  ])
  for (const principal of whose) {
    try {
      await run(principal)
    } catch (fault) {
      whole = false
      // Audits the error's name only, because its text could quote data. If even the audit cannot be written, every
      // principal is affected.
      const name = fault instanceof Error ? fault.name : 'unknown'
      audit(powers, 'fault', null, { code: 'internal_fault', name, principal })
    }
  }
  return whole
}

/** Ports of what may become due. */
type MomentPorts = Clock &
  OwnerFacts &
  AtPlace &
  DirectiveFiles &
  Pausing &
  StoreOf<
    TaskStore &
      ApprovalStore &
      IdentityLinkStore &
      OutboxStore &
      SealedStore &
      RetractionStore &
      AgreementStore &
      ReminderStore &
      JobStore &
      SettingStore &
      WaitingStore
  >

/** The next time at which something is due. Computed after everything ran, so that it includes new waits. */
function nextMoment(powers: MomentPorts, asking: Asking, closing: CardClosing): number | null {
  const { store } = powers
  const expiry = store.nextExpiry()
  const codes = [linkMoment(powers), peopleMoment(powers)]
  const moments = [
    ...store.pendingApprovals(null).map(({ approval }) => asking.moment(approval)),
    ...tasksAtHome(powers).map((task) => momentOf(powers, task)),
    ...soonest(powers, waitingMoment(powers)),
    ...soonest(powers, closing.moment()),
    ...soonest(powers, zoneMoment(powers)),
    ...soonest(powers, reminderMoment(powers)),
    ...soonest(powers, awayMomentHeld(powers)),
    ...soonest(powers, jobMoment(powers)),
    ...soonest(powers, notRunMoment(powers)),
    ...soonest(powers, scheduledMoment(powers)),
    ...[expiry, ...codes, nextRetraction(powers), tidyDirectives(powers)].filter((moment) => moment !== null),
  ]
  return moments.length === 0 ? null : Math.min(...moments)
}

/** At least `LEAST_WAIT` from now: what is due now has just been tried. */
function soonest({ now }: Clock, moment: number | null): readonly number[] {
  return moment === null ? [] : [Math.max(moment, now() + LEAST_WAIT)]
}

function tasksAtHome(powers: StoreOf<TaskStore>): readonly TaskAtHome[] {
  return activeTasks(powers).filter((task): task is TaskAtHome => task.state.at === 'awaiting_home')
}

function activeTasks({ store }: StoreOf<TaskStore>): readonly Task[] {
  return store
    .activePrincipals()
    .flatMap((principal) => store.activeTasks(principal))
    .map(({ task }) => task)
}

/** A question that expires unanswered counts as denied (F-05). */
function expireApproval(
  powers: Auditing & StoreOf<TaskStore & ApprovalStore>,
  lane: Lane,
  approval: StoredApproval['approval'],
): void {
  const code = waitedForChat(approval) ? 'delivery_overdue' : 'approval_expired'
  const reason = { code, facts: { approval: approval.id } } as const
  const save = (): void => powers.store.saveApproval(approval, null)
  if (!lane.report(approval.task, { got: 'refused', approval: approval.id, reason }, save)) save()
  const task = approval.task === '' ? null : powers.store.loadTask(approval.task)
  audit(powers, 'approval_decided', task, {
    approval: approval.id,
    kind: approval.kind,
    decision: 'expired',
    ok: true,
  })
}

/**
 * Tells the owner that a transcript's question expired unseen. For other questions the
 * task itself reports; a transcript no longer belongs to a task.
 */
async function tellUnshown(
  powers: DeliverPorts & OwnerFacts & ChatServices & HomeLine & OwnerChats,
  approval: StoredApproval['approval'],
): Promise<void> {
  if (!waitedForChat(approval) || approval.change?.do !== 'heard') return
  const { id, sink, principal, createdAt: asked } = approval
  await tellLost(powers, { id, sink, principal, asked, kind: 'card' }, 'delivery_overdue')
}
