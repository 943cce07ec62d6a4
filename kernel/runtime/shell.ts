/**
 * The thin shell that both places run: takes events in, drives each principal's lane, takes decisions and answers
 * from outside (DESIGN §3). Everything it knows is in the store, so it may die at any moment. Called by
 * PrincipalObject and by home.
 */
import type { Lasting, OtherWords, Proposed, Proposer } from '../features/approvals/port.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { waitedForChat } from '../pipeline/unshown.ts'
import { audit } from '../powers/audit.ts'
import type { HomeAnswer } from '../powers/home-port.ts'
import type { Powers, StoredApproval } from '../powers/ports.ts'
import { type DecisionInput, expire } from '../task/approval.ts'
import type { Pause } from '../task/pause.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import type { Task } from '../task/task.ts'
import { type Asking, createAsking } from './asking.ts'
import { proposeBothLines } from './both-lines.ts'
import { type CardClosing, createCardClosing } from './card-closing.ts'
import { proposeAlways } from './change.ts'
import { createCompactor } from './compaction.ts'
import { askedByHome, type Credentials, createCredentials } from './credentials.ts'
import { type Decided, decideOn, editText } from './decisions.ts'
import { tidyDirectives } from './directive-keeping.ts'
import { revokeGrant } from './grants.ts'
import { decideHeard } from './heard.ts'
import { createHearing } from './hearing.ts'
import { acceptAnswer } from './home-call.ts'
import { closeChoices, lookAfterWaits, momentOf, type TaskAtHome } from './home-wait.ts'
import { createIdentityLinks, type IdentityLinks, linkMoment, lookAfterLinks } from './identity-links.ts'
import { type Received, takeIn } from './intake.ts'
import { lookAfterPeople, peopleMoment } from './invitations.ts'
import { createLane, type Lane } from './lane.ts'
import { createOutbox, type Deliveries } from './outbox.ts'
import { createOfferingAgain, keepPaused, pausedNow } from './pause.ts'
import { createPeople, type People } from './people.ts'
import { closeAsked } from './plan-questions.ts'
import { reportOn, type TaskReport } from './report.ts'
import { sendWaiting, tellLost, type WaitingView, waitingMoment, waitingView } from './resend.ts'
import { nextRetraction, retractDue } from './retraction.ts'
import { approvalsOf } from './waiting.ts'
import type { Version } from './withdraw.ts'

/** Milliseconds: a moment that stays in the past must not make its alarm spin. */
const LEAST_WAIT = 1_000

export type { Received } from './intake.ts'

export interface Shell {
  /**
   * Intake only: validates, derives the principal, deduplicates, seals, creates the task. Never runs it. `only`
   * names the principal whose namespace this is, where a place keeps one for each; others are refused. `alone`: home is not asked for it.
   */
  receive(input: unknown, only?: string, alone?: boolean): Promise<Result<Received>>
  /** Drives everything runnable of a principal, in turn order, until idle. Concurrent calls join one run. */
  run(principal: string): Promise<void>
  /**
   * Puts notes in the place of older turns where a conversation fills its window (O-34). For after a run, and nobody waits
   * for it; cut off by a crash, it is due again after the next run. Never rejects but when storage fails.
   */
  compact(principal: string): Promise<void>
  /** After a start: runs every principal that has open work; what was found started is re-run or reported. */
  recover(): Promise<void>
  /** Records the owner's answer; the same answer again changes nothing and is told as the first. The caller runs the principal's lane afterwards. `onCard`: by the card itself, which its caller closes. */
  decide(input: DecisionInput, onCard?: boolean): Promise<Result<Decided>>
  /** Other words for a text that is asked about (F-11). The caller runs the principal's lane afterwards. */
  edit(input: OtherWords): Promise<Result<Decided>>
  /**
   * A version of a message that the other place answers: what its former ones asked for here is asked no more, as if it had come here.
   * The caller runs the principal's lane afterwards.
   */
  withdraw(version: Version): Promise<void>
  /** Puts a standing grant for the shape of a waiting call to the owner; it needs his yes in another message (F-17, F-19). */
  always(proposer: Proposer, terms: Lasting & { readonly approval: string }): Promise<Result<Proposed>>
  /** The same for his chat with the edge's bot, by which home may then answer (DESIGN §1). */
  acknowledgeTransport(proposer: Proposer, sink: string): Promise<Result<Proposed>>
  /** Takes effect at once; nothing is asked, as it widens nothing. Refusal: grant_missing. */
  revoke(grant: string, principal: string): Promise<Result<{ readonly grant: string }>>
  /** Which principals are one person (F-15, F-16). */
  readonly identities: IdentityLinks
  /** Who else may have something, as the owner agreed (B-04). */
  readonly people: People
  /** A credential came or went: what waits for a service that is connected by now goes on (L-12). */
  connected(): Promise<void>
  /** Hands home's answer to its task, durably; the caller runs the lane afterwards. A second delivery changes nothing. */
  homeAnswered(answer: HomeAnswer): Promise<void>
  /**
   * Ends a task with what is done so far, and tells the person. Refusals: task_unknown; task_already_answering for one
   * whose answer is under way or given.
   */
  stop(task: string): Promise<Result<{ task: string }>>
  /** Null while work goes on. */
  paused(): Pause | null
  /** Deletes what has had its time, and nothing that waits while he pauses. */
  expire(): void
  /** Expires what has expired; returns the next moment to call it (epoch ms), or null. */
  tick(): Promise<number | null>
  report(task: string): Promise<TaskReport | null>
  readonly deliveries: Deliveries
  /** What waits for a chat that cannot be reached; of all principals that are here. */
  waiting(): readonly WaitingView[]
}

/** Milliseconds after which a principal whose work threw is looked at again. */
const AFTER_FAULT = 30_000

interface Runner {
  run(principal: string): Promise<void>
}

export function createShell(powers: Powers): Shell {
  const lane = createLane(powers)
  const offerAgain = createOfferingAgain(powers, lane)
  const closing = createCardClosing(powers)
  const { run } = createRunner(powers, lane, { offerAgain, closing })
  const asking = createAsking(powers)
  const compactor = createCompactor(powers)
  const credentials = createCredentials(powers, lane, () => run(OWNER_PRINCIPAL))
  return {
    run,
    compact: async (principal) => {
      if (pausedNow(powers) === null) await compactor.compact(principal)
    },
    paused: () => pausedNow(powers),
    expire: () => keepPaused(powers),
    receive: async (input, only, alone = false) => {
      const { heard, after } = createHearing(powers, lane, closing)
      const received = await takeIn(powers, input, {
        only: only ?? null,
        alone,
        take: credentials.take,
        ...heard,
      })
      if (received.ok) await after()
      if (received.ok && isPauseWord(powers, received.value)) lane.speak(received.value.task)
      return received
    },
    connected: async () => {
      if (await credentials.settle()) await run(OWNER_PRINCIPAL)
    },
    recover: async () => {
      closing.leftOver()
      await runAll(powers, run)
      if (pausedNow(powers) === null) await closing.settle()
    },
    decide: async (input, onCard = false) => {
      const asked = approvalsOf(powers, input.approval)
      const decided = (await decideHeard(powers, lane, input)) ?? decideOn(powers, lane, input)
      if (decided.ok) asked.slice(onCard ? 1 : 0).forEach(closing.add)
      return decided
    },
    edit: async (input) => {
      const asked = approvalsOf(powers, input.approval)
      const edited = await editText(powers, lane, input)
      if (edited.ok) asked.slice(0, 1).forEach(closing.add)
      return edited
    },
    async withdraw(version) {
      const { heard, after } = createHearing(powers, lane, closing)
      powers.store.transaction(() => heard.edited?.(version))
      await after()
    },
    always: (proposer, terms) => proposeAlways(powers, proposer, terms),
    acknowledgeTransport: (proposer, sink) => proposeBothLines(powers, proposer, sink),
    revoke: (grant, principal) => Promise.resolve(revokeGrant(powers, grant, principal)),
    identities: createIdentityLinks(powers),
    people: createPeople(powers),
    homeAnswered: (answer) => takeAnswer(powers, lane, answer),
    stop: async (id) => {
      const task = powers.store.loadTask(id)
      if (task === null) return err('task_unknown', { task: id })
      if (!lane.report(id, { got: 'stopped' })) return err('task_already_answering', { task: id })
      closeChoices(powers)
      closeAsked(powers).forEach(closing.add)
      await run(task.principal)
      return ok({ task: id })
    },
    tick: () => tick(powers, { lane, run, asking, credentials, offerAgain, closing }),
    report: (id) => reportOn(powers, lane.now(id)),
    deliveries: createOutbox(powers),
    waiting: () => waitingView(powers),
  }
}

/** At most one run per principal; a call that comes while one runs makes it look once more before it ends. */
function createRunner(
  powers: Powers,
  lane: Lane,
  { offerAgain, closing }: Pick<Ticking, 'offerAgain' | 'closing'>,
): Runner {
  const running = new Map<string, { done: Promise<void>; again: boolean }>()
  return {
    run: (principal) => {
      const current = running.get(principal)
      if (current !== undefined) {
        current.again = true
        return current.done
      }
      const state = { done: Promise.resolve(), again: false }
      running.set(principal, state)
      state.done = (async () => {
        try {
          do {
            state.again = false
            offerAgain()
            await lane.run(principal)
            await retractDue(powers, principal)
            await sendWaiting(powers, principal, () => state.again)
            if (pausedNow(powers) === null) await closing.settle()
          } while (state.again)
        } finally {
          running.delete(principal)
        }
      })()
      return state.done
    },
  }
}

async function takeAnswer(powers: Powers, lane: Lane, answer: HomeAnswer): Promise<void> {
  const task = powers.store.loadTask(answer.task)
  if (task?.state.at !== 'awaiting_home' || task.state.step !== answer.step) return
  const lacks = !answer.ok && answer.reason === 'credential_missing'
  const asked = lacks ? await askedByHome(powers, task, answer.step) : null
  if (asked !== null) lane.report(task.id, asked.outcome, asked.commit)
  else lane.report(task.id, await acceptAnswer(powers, task, answer))
  closeChoices(powers)
}

interface Ticking extends Runner {
  readonly lane: Lane
  readonly asking: Asking
  readonly offerAgain: () => void
  readonly credentials: Credentials
  readonly closing: CardClosing
}

async function tick(
  powers: Powers,
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
  const whole = await runAll(powers, run)
  await closing.settle()
  const next = nextMoment(powers, asking, closing)
  return whole ? next : Math.min(next ?? Infinity, now + AFTER_FAULT)
}

/** Nobody is asked or answered; what an earlier run left is, where it was the owner's word that brought it. */
async function tickPaused(powers: Powers, run: Runner['run']): Promise<number | null> {
  const whole = await runAll(powers, run)
  const moments = [powers.store.nextExpiry(), nextRetraction(powers), tidyDirectives(powers)]
  const next = Math.min(
    ...moments.map((moment) => moment ?? Infinity),
    ...soonest(powers, waitingMoment(powers)),
    whole ? Infinity : AFTER_FAULT + powers.now(),
  )
  return Number.isFinite(next) ? Math.max(next, powers.now() + LEAST_WAIT) : null
}

function isPauseWord({ store }: Powers, { task, duplicate }: Received): boolean {
  return !duplicate && store.loadTask(task)?.pause !== undefined
}

/** False when something threw: one principal's damaged row or full table must not keep the others waiting. */
async function runAll(powers: Powers, run: Runner['run']): Promise<boolean> {
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
      // By its name alone: its text could quote data. Where not even a line can be written, all of them are in trouble.
      const name = fault instanceof Error ? fault.name : 'unknown'
      audit(powers, 'fault', null, { code: 'internal_fault', name, principal })
    }
  }
  return whole
}

/** Asked after everything ran: what a run began to wait for counts too. */
function nextMoment(powers: Powers, asking: Asking, closing: CardClosing): number | null {
  const { store } = powers
  const expiry = store.nextExpiry()
  const codes = [linkMoment(powers), peopleMoment(powers)]
  const moments = [
    ...store.pendingApprovals(null).map(({ approval }) => asking.moment(approval)),
    ...tasksAtHome(powers).map((task) => momentOf(powers, task)),
    ...soonest(powers, waitingMoment(powers)),
    ...soonest(powers, closing.moment()),
    ...[expiry, ...codes, nextRetraction(powers), tidyDirectives(powers)].filter((moment) => moment !== null),
  ]
  return moments.length === 0 ? null : Math.min(...moments)
}

/** Never at once: what is due by now has just been tried. */
function soonest({ now }: Powers, moment: number | null): readonly number[] {
  return moment === null ? [] : [Math.max(moment, now() + LEAST_WAIT)]
}

function tasksAtHome(powers: Powers): readonly TaskAtHome[] {
  return activeTasks(powers).filter((task): task is TaskAtHome => task.state.at === 'awaiting_home')
}

function activeTasks({ store }: Powers): readonly Task[] {
  return store
    .activePrincipals()
    .flatMap((principal) => store.activeTasks(principal))
    .map(({ task }) => task)
}

/** Silence is *no* (F-05). */
function expireApproval(powers: Powers, lane: Lane, approval: StoredApproval['approval']): void {
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

/** A task says itself what its question came to; what was heard is no task's any more. */
async function tellUnshown(powers: Powers, approval: StoredApproval['approval']): Promise<void> {
  if (!waitedForChat(approval) || approval.change?.do !== 'heard') return
  const { id, sink, principal, createdAt: asked } = approval
  await tellLost(powers, { id, sink, principal, asked, kind: 'card' }, 'delivery_overdue')
}
