/**
 * Drive: runs one effect row and yields one outcome. Maps each effect of the task machine to its pipeline
 * step; decides nothing. Called by the lane, which commits the outcome.
 */

import { askedRoots } from '../call/asked.ts'
import type { AuthorizePorts } from '../call/authorize-port.ts'
import { compute } from '../call/compute.ts'
import { soughtInVain } from '../call/in-vain.ts'
import { choose, extractValue } from '../call/point.ts'
import { expand, holds, select } from '../call/select.ts'
import { isLeftOut } from '../features/approvals/ask-owner.ts'
import { askOwner } from '../features/approvals/asking.ts'
import { clarify, clarifyOne } from '../features/approvals/clarify.ts'
import type { ContactStore } from '../features/contacts/port.ts'
import { type DeliverPorts, deliver, type Payload } from '../features/deliveries/deliver.ts'
import { tellLost } from '../features/deliveries/resend.ts'
import { readFiles } from '../features/files/attachments.ts'
import { pageWriteOf } from '../features/jobs/page-task.ts'
import type { JobStore } from '../features/jobs/port.ts'
import type { ExtractPorts } from '../features/jobs/requests/drafting-port.ts'
import { type RememberPorts, recallMemory, remember, tellHomeOf } from '../features/memory/memory.ts'
import type { MemoryStore } from '../features/memory/port.ts'
import { modelsFor } from '../features/models/choice.ts'
import { wordFor } from '../features/owner-question/owner-question.ts'
import { namedContacts } from '../features/people/contacts.ts'
import { agreementOver } from '../features/people/person-of.ts'
import type { AgreementStore } from '../features/people/port.ts'
import { askHome } from '../features/places/home-call.ts'
import { showPlan } from '../features/plan-mode/show-plan.ts'
import { offerTranscript } from '../features/recordings/transcript.ts'
import type { ReminderStore } from '../features/reminders/port.ts'
import { timedWords } from '../features/scheduled/waiting.ts'
import { derive, type Labeled } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { mayLookAgain } from '../machine/step.ts'
import type { AskModelPorts, AskNamedPorts } from '../model-call/model-call.ts'
import { stillReadable } from '../model-call/read-through.ts'
import { lookUpAction } from '../powers/effects.ts'
import type {
  Actions,
  AskingTime,
  ChatServices,
  Clock,
  ContactBooks,
  CostNotes,
  Extraction,
  Files,
  HistorySpan,
  HomeLine,
  Looker,
  OwnerChats,
  OwnerFacts,
  OwnerService,
  Tools,
} from '../powers/ports.ts'
import { openTextOf, type SealedReading } from '../powers/sealed.ts'
import type { ApprovalStore, EventStore, GrantStore, StoreOf } from '../powers/stores.ts'
import type { ReaderPass } from '../powers/tier-port.ts'
import { worksOnNothing } from '../task/nothing.ts'
import type { Outcome, Reported } from '../task/outcome.ts'
import { CONTACTS_ROOT, RULES, type Step, type ToolStep } from '../task/plan.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import type { Effect, SealedRef, Task } from '../task/task.ts'
import type { GuardPorts } from '../wording/guard/guard.ts'
import { tell, wordsFor, wordsForOthers } from '../wording/words.ts'
import { authorize } from './authorize.ts'
import { classify, compose } from './compose.ts'
import { extract } from './extract.ts'
import { invoke } from './invoke.ts'
import { plan } from './plan.ts'
import { type OwnCommandPorts, synthesize } from './synthesize.ts'

/** Result of running a row. `outcome: null` means that the outcome arrives later, from outside. */
export interface Driven extends Omit<Reported, 'outcome'> {
  readonly outcome: Outcome | null
  /** Task fields set by the step, written with the transition. */
  readonly patch?: Partial<Pick<Task, 'memory' | 'attached' | 'asked' | 'synced'>>
}

export async function runEffect(
  powers: OwnCommandPorts &
    ExtractWithFilesPorts &
    OwnerService &
    ReaderPass &
    ContactBooks &
    StoreOf<MemoryStore & ReminderStore & ContactStore & AgreementStore & JobStore & EventStore>,
  stored: Task,
  effect: Effect,
): Promise<Driven> {
  // The agreement was revoked: no further question, call or message for this person (B-04).
  const over = effect.do === 'remember' ? null : agreementOver(powers, stored)
  if (over !== null) return { outcome: { got: 'faulted', reason: over } }
  const memory = stillReadable(powers, stored)
  const task = memory === stored.memory ? stored : { ...stored, memory }
  switch (effect.do) {
    case 'extract':
      return extractWithFiles(powers, task)
    case 'plan':
      return planWithMemory(powers, task, effect.round)
    case 'show_plan':
      return showPlan(powers, task, effect)
    case 'authorize':
      return authorizeStep(powers, task, effect)
    case 'invoke':
      return onToolStep(task, effect.step, (step) =>
        invoke(powers, task, {
          index: effect.step,
          step,
          token: effect.token,
          ...(effect.look && { look: effect.look }),
        }),
      )
    case 'ask_home':
      return onToolStep(task, effect.step, (step) => askHome(powers, task, { index: effect.step, step }))
    case 'compose':
    case 'classify':
    case 'extract_value':
    case 'choose':
      return { outcome: await askModelFor(powers, task, effect.step) }
    case 'ask_owner':
      return askOwner(powers, task, effect)
    case 'synthesize':
      return (await looksAgain(powers, task)) ? { outcome: { got: 'unfound' } } : written(powers, task)
    case 'deliver':
      return sendAndSync(powers, task)
    case 'remember':
      return { outcome: { got: 'remembered' }, commit: await remember(powers, task) }
  }
}

/** Only for the owner's own words, and only if a model could plan. */
async function looksAgain(powers: AskModelPorts, task: Task): Promise<boolean> {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template?.principalClass !== 'owner' || task.words.taint.level !== 'clean') return false
  if (!mayLookAgain(task) || !modelsFor(powers, template, task).some(({ reader }) => reader.id !== RULES))
    return false
  return (await soughtInVain(powers, task)).length > 0
}

/** The text of a job is also written to its page, whatever happens in its chat. */
async function written(powers: Parameters<typeof runEffect>[0], task: Task): Promise<Driven> {
  const outcome = await synthesize(powers, task)
  const commit = await pageWriteOf(powers, task, outcome)
  return commit === null ? { outcome } : { outcome, commit }
}

/** Ports needed to read a message with its attached files. */
export type ExtractWithFilesPorts = AskNamedPorts &
  DeliverPorts &
  ExtractPorts &
  GuardPorts &
  Looker &
  CostNotes &
  Files &
  OwnerChats &
  AskingTime &
  StoreOf<ApprovalStore & GrantStore>

/**
 * The turn is sent to home while the answer is on its way, so that the rest is stored in one commit. Both are
 * repeated after a crash, and each is known by its id.
 */
async function sendAndSync(powers: DeliverAnswerPorts & RememberPorts, task: Task): Promise<Driven> {
  // A failure to sync the turn must not fail the answer; `remember` syncs it later.
  const telling =
    task.synced === true
      ? Promise.resolve(true)
      : tellHomeOf(powers, task).then(
          () => true,
          () => false,
        )
  const [outcome, synced] = await Promise.all([deliverAnswer(powers, task), telling])
  return { outcome, patch: synced ? { synced } : {} }
}

/** Files are fetched when their message is first read, and never again. */
async function extractWithFiles(powers: ExtractWithFilesPorts, task: Task): Promise<Driven> {
  const attached = await readFiles(powers, task)
  if (attached === null) return { outcome: await extract(powers, task) }
  const offered = await offerTranscript(powers, task, attached)
  if (offered !== null) return { ...offered, patch: { attached } }
  return { outcome: await extract(powers, { ...task, attached }), patch: { attached } }
}

async function planWithMemory(
  powers: AskModelPorts & Tools & HistorySpan & StoreOf<MemoryStore & ApprovalStore & JobStore>,
  task: Task,
  round: number,
): Promise<Driven> {
  // `w1` must refer to the same record in both plans of a task.
  if (task.plan !== null) return { outcome: await plan(powers, task, round) }
  const named = await namedContacts(powers, task)
  const memory = { ...recallMemory(powers, task), ...(named !== null && { [CONTACTS_ROOT]: named }) }
  const asked = askedRoots(powers, task)
  return { outcome: await plan(powers, { ...task, memory, asked }, round), patch: { memory, asked } }
}

async function authorizeStep(
  powers: AuthorizePorts,
  task: Task,
  { step: index, approval }: Extract<Effect, { do: 'authorize' }>,
): Promise<Driven> {
  const step = stepAt(task, index)
  if (step === null) return { outcome: missing(index) }
  if (isLeftOut(powers, task, step)) return { outcome: { got: 'skipped', step: index } }
  if (step.when !== undefined && !(await holds(powers, task, step.when)))
    return { outcome: { got: 'skipped', step: index } }
  if (worksOnNothing(task, step)) return { outcome: { got: 'skipped', step: index } }
  switch (step.do) {
    case 'tool':
      return authorize(powers, task, { index, step, approvalId: approval })
    case 'clarify':
      return clarify(powers, task, { index, step, approvalId: approval })
    case 'select':
    case 'compute': {
      const selected =
        step.do === 'select' ? await select(powers, task, step) : await compute(powers, task, step)
      if (step.do === 'select' && step.take === 'one' && selected.ok && selected.value.kind === 'aliases')
        return clarifyOne(powers, task, { index, step, found: selected.value, approvalId: approval })
      return {
        outcome: selected.ok
          ? { got: 'selected', step: index, result: selected.value }
          : { got: 'failed', step: index, reason: selected.reason },
      }
    }
    case 'forEach': {
      const steps = await expand(powers, task, step)
      return {
        outcome: steps.ok
          ? { got: 'expanded', step: index, ...steps.value }
          : { got: 'failed', step: index, reason: steps.reason },
      }
    }
    default:
      return { outcome: { got: 'ready', step: index, verb: step.do } }
  }
}

/** The verbs that a model without tools works on. */
async function askModelFor(powers: AskModelPorts & Extraction, task: Task, index: number): Promise<Outcome> {
  const step = stepAt(task, index)
  switch (step?.do) {
    case 'compose':
      return compose(powers, task, { index, step })
    case 'classify':
      return classify(powers, task, { index, step })
    case 'extract':
      return extractValue(powers, task, { index, step })
    case 'choose':
      return choose(powers, task, { index, step })
    default:
      return missing(index)
  }
}

/** Ports needed to deliver an answer, or a notice about why it could not be delivered. */
type DeliverAnswerPorts = DeliverPorts &
  SealedReading &
  OwnerFacts &
  Actions &
  ChatServices &
  HomeLine &
  OwnerChats

async function deliverAnswer(powers: DeliverAnswerPorts, task: Task): Promise<Outcome> {
  const said =
    task.answer === null
      ? { text: notice(powers, task) }
      : noted(powers, task, await answerOf(powers, task.answer))
  const told = task.timed === undefined ? said : { text: await timedWords(powers, task, said.text) }
  const kind = task.answer === null ? 'notice' : 'answer'
  const payload = { id: `${task.id}:answer`, kind, approval: null } as const
  const named = task.answer === null ? await stoppedNotice(powers, task) : null
  const first = named === null ? null : await deliver(powers, task, { ...payload, text: named })
  const sent = first?.ok === true ? first : await deliver(powers, task, { ...payload, ...told })
  if (sent.ok) return { got: 'delivered' }
  const { reason } = sent
  // A refused answer is followed by a notice in the same chat. If that is refused too, or the queue is full,
  // the owner is notified elsewhere.
  if (task.answer === null || reason.code === 'outbox_full') {
    const { id, sink, principal, createdAt: asked } = task
    await tellLost(powers, { id, sink, principal, asked, kind: 'answer' }, reason.code)
  }
  return { got: 'delivery_denied', reason }
}

type Said = Pick<Payload, 'text' | 'stored'>

/** Milliseconds after the message from which an answer that waited for home explains the delay. */
const LATE_AFTER = 60_000

/** With the note, the text differs from the sealed one. */
function noted({ now }: Clock, task: Task, said: Said): Said {
  if (task.waited !== true || task.trouble !== null || now() - task.createdAt <= LATE_AFTER) return said
  return { text: derive(said.text, (answer) => `${tell('wording.late')}\n\n${answer}`) }
}

/** UTF-16 units of a request in a sentence about it: enough to recognise it. */
const NAMED_WORDS = 60

/**
 * Names the stopped request, if its words may be shown in this chat: several may wait. Null for any other
 * task.
 */
async function stoppedNotice(powers: SealedReading, task: Task): Promise<Labeled<string> | null> {
  if (task.principal !== OWNER_PRINCIPAL || task.trouble?.code !== 'task_stopped') return null
  if (task.traces.length > 0) return null
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return null
  return derive(words.value, (said) => {
    const line = said.replace(/\s+/g, ' ').trim()
    const shown = line.length > NAMED_WORDS ? `${line.slice(0, NAMED_WORDS).trimEnd()}…` : line
    return tell('wording.stopped_of', { words: shown })
  })
}

/** Kernel words for the failure. An interrupted write is reported with every failure. */
function notice(powers: Actions, task: Task): Labeled<string> {
  const word = wordFor(task)
  if (word !== null && task.trouble?.code !== 'task_stopped') return receive(word, kernelWords())
  const trouble = task.trouble?.code ?? 'answer_empty'
  const unclear =
    trouble !== 'write_outcome_unknown' && task.traces.some((trace) => isUnclearWrite(powers, trace))
  const codes = unclear ? [trouble, 'write_outcome_unknown' as const] : [trouble]
  const say = task.principal === OWNER_PRINCIPAL ? wordsFor : wordsForOthers
  return receive(codes.map(say).join(' '), kernelWords())
}

function isUnclearWrite(powers: Actions, { tool, outcome }: Task['traces'][number]): boolean {
  const action = lookUpAction(powers.registry, tool)
  return outcome === 'unknown' && action.ok && action.value.semantics === 'write'
}

/** The text as it was guarded and sealed when written. */
async function answerOf(powers: SealedReading, ref: SealedRef): Promise<Said> {
  const answer = await openTextOf(powers, ref)
  if (!answer.ok) return { text: receive(wordsFor('record_unreadable'), kernelWords()) }
  return { text: answer.value, stored: ref }
}

async function onToolStep(
  task: Task,
  index: number,
  run: (step: ToolStep) => Promise<Outcome | null>,
): Promise<Driven> {
  const step = stepAt(task, index)
  return { outcome: step?.do === 'tool' ? await run(step) : missing(index) }
}

function stepAt(task: Task, index: number): Step | null {
  return task.plan?.steps[index] ?? null
}

function missing(step: number): Outcome {
  return { got: 'failed', step, reason: { code: 'internal_fault', facts: { step } } }
}
