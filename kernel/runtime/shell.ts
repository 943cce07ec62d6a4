/**
 * The thin shell that both places run: takes events in, drives each principal's lane, accepts decisions and answers
 * from outside (DESIGN §3). All its state is in the store, so it may crash at any moment. Called by PrincipalObject
 * and by home.
 */

import { createAsking } from '../features/approvals/asking.ts'
import { createCardClosing } from '../features/approvals/card-closing.ts'
import { proposeAlways } from '../features/approvals/change.ts'
import { editText } from '../features/approvals/corrections/edit-text.ts'
import { leaveOutOf } from '../features/approvals/corrections/leave-out.ts'
import { decideOn } from '../features/approvals/decisions.ts'
import { approvalsOf, closeAsked, named } from '../features/approvals/waiting.ts'
import type { Channels } from '../features/channels/channel-port.ts'
import { askedByHome, createCredentials } from '../features/credentials/credentials.ts'
import { createOutbox } from '../features/deliveries/outbox.ts'
import { type ResendPorts, sendWaiting, waitingView } from '../features/deliveries/resend.ts'
import { retractDue } from '../features/deliveries/retraction.ts'
import type { RetractionStore } from '../features/deliveries/waiting-port.ts'
import { revokeGrant } from '../features/grants/grants.ts'
import { createCompactor } from '../features/history/compaction.ts'
import { createIdentityLinks } from '../features/identities/identity-links.ts'
import { createOfferingAgain, keepPaused, pausedNow } from '../features/pause/pause.ts'
import { createPeople } from '../features/people/people.ts'
import { proposeBothLines } from '../features/places/both-lines.ts'
import { acceptAnswer } from '../features/places/home-call.ts'
import type { HomeAnswer } from '../features/places/home-port.ts'
import { closeChoices } from '../features/places/home-wait.ts'
import { createHearing, decideTranscript } from '../features/recordings/transcript.ts'
import { chooseOn } from '../features/reminders/choices.ts'
import { err, ok } from '../flow/verdict.ts'
import type { Powers } from '../powers/all-powers.ts'
import type { Auditing } from '../powers/audit.ts'
import type { Actions, CredentialService, PolicySource } from '../powers/ports.ts'
import type { SealedKeeping } from '../powers/sealed.ts'
import type { ApprovalStore, AuditTrail, StoreOf, TaskStore } from '../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import { askAgain } from './again.ts'
import { type Received, takeIn } from './intake.ts'
import { createLane, type Lane } from './lane.ts'
import { repliesFor, reportOn } from './report.ts'
import type { Shell } from './shell-port.ts'
import { type Runner, runAll, type Ticking, tick } from './tick.ts'

export type { Received } from './intake.ts'

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
      const decided = (await decideTranscript(powers, lane, input)) ?? decideOn(powers, lane, input)
      if (decided.ok) asked.slice(onCard ? 1 : 0).forEach(closing.add)
      return decided
    },
    choose: (tap) => chooseOn(powers, tap),
    again: (approval) => askAgain(powers, named(powers, approval).id),
    edit: async (input) => {
      const asked = approvalsOf(powers, input.approval)
      const edited = await editText(powers, lane, input)
      if (edited.ok) asked.slice(0, 1).forEach(closing.add)
      return edited
    },
    leaveOut: async (input, onCard = false) => {
      const asked = approvalsOf(powers, input.approval)
      const left = await leaveOutOf(powers, lane, input)
      if (left.ok) asked.slice(onCard ? 1 : 0, 1).forEach(closing.add)
      return left
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
    report: (id) => {
      const task = lane.now(id)
      return reportOn(powers, task === null ? null : lane.now(repliesFor(powers, task)))
    },
    deliveries: createOutbox(powers),
    waiting: () => waitingView(powers),
  }
}

/** At most one run per principal; a call during a run makes that run check for work once more before it ends. */
function createRunner(
  powers: ResendPorts & StoreOf<RetractionStore & ApprovalStore>,
  lane: Lane,
  { offerAgain, closing }: Pick<Ticking, 'offerAgain' | 'closing'>,
): Runner {
  const { store } = powers
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
            const asked = store.pendingApprovals(principal).map(({ approval }) => approval)
            const notices = pausedNow(powers) === null ? closing.begin() : null
            if (notices !== null) await notices
            await lane.run(principal)
            // A change of a waiting call takes its card's place.
            asked
              .filter(({ id }) => store.loadApproval(id)?.approval.state === 'replaced')
              .forEach(closing.add)
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

/** Ports of everything that an answer of home may touch. */
type HomeAnswerPorts = Auditing &
  SealedKeeping &
  PolicySource &
  Actions &
  CredentialService &
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
