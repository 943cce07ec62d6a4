/**
 * Runs the kernel's own actions: `memory.save`, `memory.search`, `brain.load`, `message.reply` and others
 * (B-20, I-22, I-23). The capability token is spent before, as for any tool. Called by run-call.ts.
 */

import { runHomeEffect } from '#home-effects'
import { type DeliverPorts, deliver } from '../features/deliveries/deliver.ts'
import { loadDirective } from '../features/directives/directives.ts'
import type { JobStore } from '../features/jobs/port.ts'
import { type SearchMemoryPorts, searchMemory } from '../features/memory/memory-search.ts'
import { type SaveFactPorts, saveFact } from '../features/memory/save.ts'
import { policyFor } from '../features/people/route.ts'
import { listOpen } from '../features/reminders/listed.ts'
import type { ReminderPorts } from '../features/reminders/named.ts'
import { runReminder } from '../features/reminders/reminders.ts'
import type { HoldPorts } from '../features/scheduled/scheduled.ts'
import { declassify } from '../flow/declassify.ts'
import type { Json } from '../flow/json.ts'
import { derive, joinProvenance, type Labeled, type Provenance, test } from '../flow/labeled.ts'
import { createRecord, extractRecord, type LabeledRecord, type RecordSource } from '../flow/record.ts'
import { ok, type Result } from '../flow/verdict.ts'
import { LOAD, lookUpAction, shapeOf } from '../powers/effects.ts'
import type { Actions, DirectiveFiles, HomeLine, PolicySource, Templates, Tools } from '../powers/ports.ts'
import type { SealedReading } from '../powers/sealed.ts'
import type { ApprovalStore, StoreOf } from '../powers/stores.ts'
import { foundTools } from '../prompt/tool-ranking.ts'
import { FIND_TOOLS, OWN, parseReference, REPLY, referencesIn } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { reachOf } from './disclosure.ts'
import type { HomeEffectPorts } from './home-effects.ts'

interface EffectCall {
  /** Id of the step. With it two replies of one task are two deliveries. */
  readonly step: string
  readonly action: RegisteredAction
  readonly args: Labeled<{ readonly [key: string]: Json }>
  /** Approval that this call spent, as named in its token; null for a call that needed none. */
  readonly approval: string | null
}

/** Ports of the effects that the kernel runs itself. */
export type KernelEffectPorts = DeliverPorts &
  SearchMemoryPorts &
  SaveFactPorts &
  Templates &
  Tools &
  HomeLine &
  DirectiveFiles &
  ReminderPorts &
  HomeEffectPorts &
  HoldPorts &
  StoreOf<ApprovalStore & JobStore>

export function runKernelEffect(
  powers: KernelEffectPorts,
  task: Task,
  call: EffectCall,
): Promise<Result<LabeledRecord>> {
  switch (call.action.id) {
    case FIND_TOOLS:
      return findTools(powers, task, call)
    case 'memory.save':
      return save(powers, task, call)
    case 'memory.search':
      return search(powers, task, call)
    case 'reminder.set':
    case 'reminder.about':
    case 'reminder.later':
    case 'reminder.change':
    case 'reminder.cancel':
    case 'reminder.which':
    case 'task.add':
    case 'task.done':
      return remind(powers, task, call)
    case 'reminder.list':
    case 'task.list':
      return remembered(powers, task, call)
    case LOAD:
      return load(powers, task, call)
    case REPLY:
      return reply(powers, task, call)
    default:
      return atHome(powers, task, call)
  }
}

/**
 * Finds only tools of the task's template (O-30); descriptions of tools are declared and public. Which tools
 * are found is a choice of the planner, so the result bears the provenance of that choice. Words that the
 * planner made up only select among texts of the product and are not passed on; words of a result keep their
 * authors.
 */
async function findTools(
  powers: Actions & Templates & Tools & HomeLine & DirectiveFiles,
  task: Task,
  { step, action, args }: EffectCall,
): Promise<Result<LabeledRecord>> {
  const template = powers.templates.find(({ id }) => id === task.template)
  const tools: RegisteredAction[] = []
  for (const id of template?.tools ?? []) {
    const one = lookUpAction(powers.registry, id)
    // Tools that a prompt cannot describe must not displace matching ones.
    if (one.ok && ['here', 'credential', 'home'].includes(await reachOf(powers, task, one.value)))
      tools.push(one.value)
  }
  const ids = derive(args, (values) => foundTools(tools, String(values['words'] ?? '')))
  const found = tools.filter(({ id }) => test(ids, (names) => names.includes(id)))
  const { label } = args
  const taint = isPlanners(task, step) ? (task.planned ?? task.words).taint : args.taint
  const output = { tools: found.map(({ id }) => ({ id })) }
  return recordOf(powers, action, { output, inputs: { label, taint } })
}

/**
 * Whether all words of this step were written by its planner or said by the owner, and none came from a
 * result of this or an earlier turn.
 */
function isPlanners({ plan }: Task, id: string): boolean {
  const step = plan?.steps.find((one) => one.id === id)
  return (
    step?.do === 'tool' &&
    referencesIn(step.args).every((ref) => {
      const parsed = parseReference(ref)
      return parsed.ok && parsed.value.root === OWN
    })
  )
}

async function save(
  powers: SaveFactPorts & Actions,
  task: Task,
  { action, args }: EffectCall,
): Promise<Result<LabeledRecord>> {
  const text = derive(args, (values) => String(values['text'] ?? ''))
  const known = await saveFact(powers, task, text)
  return known === null
    ? recordOf(powers, action, { output: { saved: true }, inputs: args })
    : recordOf(powers, action, {
        output: { saved: false, known: true },
        inputs: joinProvenance(args, known),
      })
}

async function load(
  powers: SealedReading & Actions & Templates & DirectiveFiles,
  task: Task,
  { action, args }: EffectCall,
): Promise<Result<LabeledRecord>> {
  const file = await loadDirective(powers, task, args)
  if (!file.ok) return file
  const source = sourceOf(powers, action, joinProvenance(args, file.value))
  return source.ok ? extractRecord(source.value, file.value, (value) => value) : source
}

async function search(
  powers: SearchMemoryPorts,
  task: Task,
  { action, args }: EffectCall,
): Promise<Result<LabeledRecord>> {
  const found = await searchMemory(powers, task, args)
  const source = sourceOf(powers, action, joinProvenance(args, found))
  return source.ok ? extractRecord(source.value, found, (value) => value) : source
}

/**
 * The text was guarded when it was resolved (model-call/guarded-answer.ts) and is sent exactly as authorised.
 */
async function reply(
  powers: DeliverPorts & Actions & StoreOf<ApprovalStore>,
  task: Task,
  { step, action, args, approval }: EffectCall,
): Promise<Result<LabeledRecord>> {
  const whole = derive(args, (values) => String(values['text'] ?? ''))
  const text = approval === null ? ok(whole) : lowered(powers, task, { text: whole, approval, step })
  if (!text.ok) return text
  const payload = { kind: 'answer', text: text.value, approval: null } as const
  const sent = await deliver(powers, task, { id: `${task.id}:${step}`, ...payload })
  return sent.ok ? recordOf(powers, action, { output: { sent: true }, inputs: args }) : sent
}

/**
 * Lowers the one value of this write for its one sink, as the owner approved (F-12). An approval of another
 * kind leaves the text unchanged, and the label check decides.
 */
function lowered(
  powers: PolicySource & StoreOf<ApprovalStore>,
  task: Task,
  {
    text,
    approval: id,
    step,
  }: { readonly text: Labeled<string>; readonly approval: string; readonly step: string },
): Result<Labeled<string>> {
  const approval = powers.store.loadApproval(id)?.approval
  if (approval?.kind !== 'declassification') return ok(text)
  const spent = approval.state === 'spent' && approval.task === task.id && approval.step === step
  const policy = policyFor(powers.policy(), task)
  return declassify(policy, text, { approvalId: id, sink: task.sink, spent })
}

function sourceOf(powers: Actions, action: RegisteredAction, inputs: Provenance): Result<RecordSource> {
  const shape = shapeOf(powers.registry, action.id)
  const { label, taint } = inputs
  return shape.ok ? ok({ ...shape.value, inputs: { label, taint } }) : shape
}

function recordOf(
  powers: Actions,
  action: RegisteredAction,
  done: { readonly output: Json; readonly inputs: Provenance },
): Result<LabeledRecord> {
  const source = sourceOf(powers, action, done.inputs)
  return source.ok ? createRecord(source.value, done.output) : source
}

/** Changes the owner's reminders and tasks. The answer has number and time. */
async function remind(
  powers: ReminderPorts & Actions,
  task: Task,
  { action, args }: EffectCall,
): Promise<Result<LabeledRecord>> {
  const done = await runReminder(powers, task, action.id, args)
  if (!done.ok) return done
  const source = sourceOf(powers, action, joinProvenance(args, done.value))
  return source.ok ? extractRecord(source.value, done.value, (value) => value) : source
}

/** Runs actions on data that only home stores. */
async function atHome(
  powers: HomeEffectPorts & Actions,
  task: Task,
  { action, args, approval }: EffectCall,
): Promise<Result<LabeledRecord>> {
  const done = await runHomeEffect(powers, task, { action: action.id, args, approval })
  if (!done.ok) return done
  const source = sourceOf(powers, action, joinProvenance(args, done.value))
  return source.ok ? extractRecord(source.value, done.value, (value) => value) : source
}

/** Lists open reminders and tasks, for the owner or a job of the owner. */
async function remembered(
  powers: ReminderPorts & Actions & StoreOf<JobStore>,
  task: Task,
  { action, args }: EffectCall,
): Promise<Result<LabeledRecord>> {
  const found = await listOpen(powers, task, action.id, args)
  if (!found.ok) return found
  const source = sourceOf(powers, action, joinProvenance(args, found.value))
  return source.ok ? extractRecord(source.value, found.value, (value) => value) : source
}
