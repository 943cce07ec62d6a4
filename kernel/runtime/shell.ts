/**
 * The thin shell that both places run: takes events in, drives each principal's lane, takes decisions and answers
 * from outside (DESIGN §3). Everything it knows is in the store, so it may die at any moment. Called by
 * PrincipalObject and by home.
 */
import type { Lasting, OtherWords, Proposed, Proposer } from '../features/approvals/port.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { Powers } from '../powers/all-powers.ts'
import type { Auditing } from '../powers/audit.ts'
import type { Channels } from '../powers/channel-port.ts'
import type { HomeAnswer } from '../powers/home-port.ts'
import type { Actions, CredentialDesk, PolicySource } from '../powers/ports.ts'
import type { RetractionStore } from '../powers/retraction-port.ts'
import type { SealedKeeping } from '../powers/sealed.ts'
import type { ApprovalStore, AuditTrail, StoreOf, TaskStore } from '../powers/stores.ts'
import type { DecisionInput } from '../task/approval.ts'
import type { Pause } from '../task/pause.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import { createAsking } from './asking.ts'
import { proposeBothLines } from './both-lines.ts'
import { createCardClosing } from './card-closing.ts'
import { proposeAlways } from './change.ts'
import { createCompactor } from './compaction.ts'
import { askedByHome, createCredentials } from './credentials.ts'
import { type Decided, decideOn, editText } from './decisions.ts'
import { revokeGrant } from './grants.ts'
import { decideHeard } from './heard.ts'
import { createHearing } from './hearing.ts'
import { acceptAnswer } from './home-call.ts'
import { closeChoices } from './home-wait.ts'
import { createIdentityLinks, type IdentityLinks } from './identity-links.ts'
import { type Received, takeIn } from './intake.ts'
import { createLane, type Lane } from './lane.ts'
import { createOutbox, type Deliveries } from './outbox.ts'
import { createOfferingAgain, keepPaused, pausedNow } from './pause.ts'
import { createPeople, type People } from './people.ts'
import { closeAsked } from './plan-questions.ts'
import { reportOn, type TaskReport } from './report.ts'
import { type ResendPorts, sendWaiting, type WaitingView, waitingView } from './resend.ts'
import { retractDue } from './retraction.ts'
import { type Runner, runAll, type Ticking, tick } from './tick.ts'
import { approvalsOf } from './waiting.ts'
import type { Version } from './withdraw.ts'

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
  powers: ResendPorts & StoreOf<RetractionStore>,
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

/** What an answer of home's may touch. */
type HomeAnswerPorts = Auditing &
  SealedKeeping &
  PolicySource &
  Actions &
  CredentialDesk &
  Channels &
  StoreOf<TaskStore & ApprovalStore & AuditTrail>

async function takeAnswer(powers: HomeAnswerPorts, lane: Lane, answer: HomeAnswer): Promise<void> {
  const task = powers.store.loadTask(answer.task)
  if (task?.state.at !== 'awaiting_home' || task.state.step !== answer.step) return
  const lacks = !answer.ok && answer.reason === 'credential_missing'
  const asked = lacks ? await askedByHome(powers, task, answer.step) : null
  if (asked !== null) lane.report(task.id, asked.outcome, asked.commit)
  else lane.report(task.id, await acceptAnswer(powers, task, answer))
  closeChoices(powers)
}

function isPauseWord({ store }: StoreOf<TaskStore>, { task, duplicate }: Received): boolean {
  return !duplicate && store.loadTask(task)?.pause !== undefined
}
