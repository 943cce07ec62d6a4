/**
 * Drive: runs one effect row and yields one outcome. Maps each effect of the task machine to its pipeline
 * step; decides nothing. Called by the lane, which commits the outcome.
 */

import type { AuthorizePorts } from '../call/authorize-port.ts'
import { searchesWithoutResult } from '../call/searches-without-result.ts'
import { askedRoots } from '../call/values/asked.ts'
import { compute } from '../call/values/compute.ts'
import { choose, extractValue } from '../call/values/point.ts'
import { expand, holds, select } from '../call/values/select.ts'
import { isLeftOut } from '../features/approvals/ask-owner.ts'
import { askOwner } from '../features/approvals/asking.ts'
import { clarify, clarifyOne } from '../features/approvals/clarify.ts'
import type { ContactStore } from '../features/contacts/port.ts'
import type { DeliverPorts } from '../features/deliveries/deliver.ts'
import { readFiles } from '../features/files/attachments.ts'
import { pageWriteOf } from '../features/jobs/page-task.ts'
import type { JobStore } from '../features/jobs/port.ts'
import type { ExtractPorts } from '../features/jobs/requests/drafting-port.ts'
import { recallMemory, remember } from '../features/memory/memory.ts'
import type { EntryNumbers, Forgetting, MemoryStore } from '../features/memory/port.ts'
import { modelsFor } from '../features/models/choice.ts'
import { namedContacts } from '../features/people/contacts.ts'
import { agreementOver } from '../features/people/person-of.ts'
import type { AgreementStore } from '../features/people/port.ts'
import { askHome } from '../features/places/home-call.ts'
import { showPlan } from '../features/plan-mode/show-plan.ts'
import { offerTranscript } from '../features/recordings/transcript.ts'
import type { ReminderStore } from '../features/reminders/port.ts'
import { mayLookAgain } from '../machine/step.ts'
import type { AskModelPorts, AskNamedPorts } from '../model-call/model-call.ts'
import { stillReadable } from '../model-call/read-through.ts'
import type {
  AskingTime,
  ContactBooks,
  CostNotes,
  Extraction,
  Files,
  HistorySpan,
  Looker,
  Models,
  OwnerChats,
  OwnerService,
  Tools,
} from '../powers/ports.ts'
import type { ApprovalStore, EventStore, GrantStore, StoreOf } from '../powers/stores.ts'
import type { ReaderPass } from '../powers/tier-port.ts'
import { worksOnNothing } from '../task/nothing.ts'
import type { Outcome, Reported } from '../task/outcome.ts'
import { CONTACTS_ROOT, RULES, type Step, type ToolStep } from '../task/plan.ts'
import type { Effect, Task } from '../task/task.ts'
import type { GuardPorts } from '../wording/guard/guard.ts'
import { authorize } from './authorize.ts'
import { classify, compose } from './compose.ts'
import { deliverAnswer } from './deliver-answer.ts'
import { extract } from './extract.ts'
import { invoke } from './invoke.ts'
import { plan } from './plan.ts'
import { type OwnCommandPorts, synthesize } from './synthesize.ts'

/** Result of running a row. `outcome: null` means that the outcome arrives later, from outside. */
export interface Driven extends Omit<Reported, 'outcome'> {
  readonly outcome: Outcome | null
  /** Task fields set by the step, written with the transition. */
  readonly patch?: Partial<Pick<Task, 'memory' | 'attached' | 'asked'>>
}

export async function runEffect(
  powers: OwnCommandPorts &
    ExtractWithFilesPorts &
    OwnerService &
    ReaderPass &
    ContactBooks &
    StoreOf<
      MemoryStore &
        Forgetting &
        EntryNumbers &
        ReminderStore &
        ContactStore &
        AgreementStore &
        JobStore &
        EventStore
    >,
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
      return { outcome: await deliverAnswer(powers, task) }
    case 'remember':
      return { outcome: { got: 'remembered' }, commit: await remember(powers, task) }
  }
}

/**
 * Whether a model should plan again after a search found nothing. Only for the owner's own words, and only if a model could plan.
 */
async function looksAgain(powers: AskModelPorts, task: Task): Promise<boolean> {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template?.principalClass !== 'owner' || task.words.taint.level !== 'clean') return false
  if (!mayLookAgain(task) || !modelsFor(powers, template, task).some(({ reader }) => reader.id !== RULES))
    return false
  return (await searchesWithoutResult(powers, task)).length > 0
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
  Models &
  CostNotes &
  Files &
  OwnerChats &
  AskingTime &
  StoreOf<ApprovalStore & GrantStore>

/** Files are fetched when their message is first read, and never again. */
async function extractWithFiles(powers: ExtractWithFilesPorts, task: Task): Promise<Driven> {
  const hasPlanner = powers.models.some(({ reader }) => reader.id !== RULES)
  const attached = await readFiles(powers, task)
  if (attached === null) return { outcome: await extract(powers, task, hasPlanner) }
  const offered = await offerTranscript(powers, task, attached)
  if (offered !== null) return { ...offered, patch: { attached } }
  return { outcome: await extract(powers, { ...task, attached }, hasPlanner), patch: { attached } }
}

async function planWithMemory(
  powers: AskModelPorts & Extraction & Tools & HistorySpan & StoreOf<MemoryStore & ApprovalStore & JobStore>,
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

/** Runs the verbs that a model without tools works on. */
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
