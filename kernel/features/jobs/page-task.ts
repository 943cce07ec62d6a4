/**
 * Writes a job's output to its page: a separate task in the job's session with a plan of one write, created
 * in the transaction that stores the text (DESIGN §3, X-18). Whether it asks is judged like any write. Must
 * not look at the text. Called by drive.ts, synthesize.ts and runner.ts.
 */
import { derive, type Labeled } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { rowsFor, startPlanned } from '../../machine/machine.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, PolicySource, Templates } from '../../powers/ports.ts'
import { openTextOf, type SealedKeeping, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { EventStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { isReasonCode, type ReasonCode } from '../../reasons.ts'
import { taskIdOf } from '../../task/capability.ts'
import type { Outcome } from '../../task/outcome.ts'
import { CANNED, type Plan } from '../../task/plan.ts'
import { isFinal, type Task } from '../../task/task.ts'
import type { RegisteredAction } from '../../tool/registry.ts'
import { namedMoment } from '../../wording/output.ts'
import { tell, wordsFor } from '../../wording/words.ts'
import { approvedJob } from './frozen.ts'
import { type Job, type JobStore, PAGE_TEMPLATE, type RunPage } from './port.ts'
import { templateOf, titleOf } from './runner.ts'
import { runningJob } from './telling.ts'

/** Milliseconds for which the text is kept: until the morning's bundle, a day for its answer, and some. */
const TEXT_KEPT = 3 * 86_400_000

/** UTF-16 units for a service that declares no limit. */
const LEAST_TEXT = 2_000

type PagePorts = Auditing &
  Actions &
  PolicySource &
  Templates &
  SealedKeeping &
  SealedReading &
  StoreOf<JobStore & TaskStore & EventStore>

/**
 * Task to store with the answer of a run, so that the page is written whatever happens in the chat; null
 * without a page.
 */
export async function pageWriteOf(
  powers: PagePorts,
  task: Task,
  outcome: Outcome,
): Promise<(() => void) | null> {
  const running = outcome.got === 'synthesized' ? runningJob(powers, task) : null
  // A complete failure is only reported in the chat.
  const hasTold = task.traces.some((trace) => trace.outcome === 'done')
  if (outcome.got !== 'synthesized' || running === null || !hasTold || running.run.page !== 'none')
    return null
  const { principal, place } = task
  const job = approvedJob(powers.store, principal)
  if (!job.ok || job.value.page === null) return null
  const { page, sink, id: of, zone } = job.value
  const template = templateOf(powers, { template: PAGE_TEMPLATE, sink })
  const action = lookUpAction(powers.registry, page.tool)
  const told = await openTextOf(powers, outcome.answer)
  if (!template.ok || !action.ok || action.value.adds === undefined || !told.ok) return null
  const { scheduled } = running.run
  const now = powers.now()
  const mark = tell('jobs.page_mark', { when: namedMoment(scheduled, zone, now) })
  const text = derive(told.value, (all) => fitting(`${mark}\n${all}`, mostOf(action.value)))
  const kept = { principal, store: 'sessions' } as const
  const sealed = await sealForLater(powers, { ...kept, until: now + TEXT_KEPT }, text)
  const title = receive(titleOf(powers, job.value), kernelWords())
  const words = await sealForLater(powers, { ...kept, until: null }, title)
  const { ceiling, tools, maxToolCalls } = template.value
  const event = `cron:${of}:${scheduled}:page`
  const id = taskIdOf(principal, event)
  return () => {
    const begun = startPlanned(
      {
        ...{ id, trace: powers.newId(), template: PAGE_TEMPLATE, principal, event, place, sink },
        ...{ ceiling, tools, maxToolCalls, memory: { w1: sealed.ref, w2: page.at }, words: words.ref },
        ...{ createdAt: now, turn: powers.store.nextTurn(principal) },
      },
      { plan: planOf(action.value), planned: kernelWords(), planner: CANNED },
    )
    const { task: first, rows } = rowsFor(begun.task, begun.effects)
    if (!powers.store.addTask(first, rows)) return
    sealed.put()
    words.put()
    powers.store.savePage(running.run, { page: 'running', pageTask: id, pageCode: null })
    audit(powers, 'task_created', first, {
      template: PAGE_TEMPLATE,
      sink,
      kind: 'cron_trigger',
      class: 'cron',
    })
  }
}

function planOf({ id: tool, adds }: RegisteredAction): Plan {
  const args = adds === undefined ? {} : { [adds.to]: { $ref: 'w2' }, [adds.text]: { $ref: 'w1' } }
  return { explanation: '', steps: [{ id: 's1', do: 'tool', tool, args }] }
}

function mostOf({ adds, args }: RegisteredAction): number {
  const spec = adds === undefined ? undefined : args.fields[adds.text]
  return spec?.kind === 'text' ? (spec.max ?? LEAST_TEXT) : 0
}

/** A text above the limit of the service ends with a note; the chat has all of it. */
function fitting(text: string, most: number): string {
  if (text.length <= most) return text
  const note = `\n${tell('jobs.page_cut')}`
  return `${text.slice(0, Math.max(0, most - note.length)).replace(/[\uD800-\uDBFF]$/, '')}${note}`
}

/** Notice about a finished write to a page; null if it succeeded, or the owner denied it. */
export function pageAnswer(
  powers: Actions & Templates & StoreOf<JobStore>,
  task: Task,
): Labeled<string> | null {
  const { page, pageCode } = pageStateOf(task)
  if (page === 'written' || page === 'refused') return null
  const job = approvedJob(powers.store, task.principal)
  const [step] = task.plan?.steps ?? []
  const action = step !== undefined && 'tool' in step ? lookUpAction(powers.registry, step.tool) : null
  const tool = action?.ok === true ? serviceOf(action.value) : ''
  const title = job.ok ? titleOf(powers, job.value) : tell('jobs.own')
  const words =
    page === 'unclear'
      ? tell('jobs.page_unclear', { title, tool })
      : tell('jobs.page_failed', { title, tool, why: wordsFor(pageCode ?? 'internal_fault') })
  return receive(words, kernelWords())
}

/** Name of the service, for people. */
export function serviceOf({ tool }: RegisteredAction): string {
  return tool.connect?.title ?? tool.name
}

/** Name of the service of a job's page; null where it has none. */
export function pageOf({ registry }: Actions, { page }: Pick<Job, 'page'>): string | null {
  const action = page === null ? null : lookUpAction(registry, page.tool)
  return action?.ok === true ? serviceOf(action.value) : (page?.tool ?? null)
}

/** Of the task that writes. */
function pageStateOf(task: Task): Pick<RunPage, 'page' | 'pageCode'> {
  const trace = task.traces.find(({ step }) => step === 's1')
  if (trace?.outcome === 'done') return { page: 'written', pageCode: null }
  if (trace?.outcome === 'unknown') return { page: 'unclear', pageCode: 'write_outcome_unknown' }
  const found = trace?.reason ?? task.trouble?.code ?? null
  const code: ReasonCode | null = found !== null && isReasonCode(found) ? found : null
  return code === 'approval_denied' ? { page: 'refused', pageCode: null } : { page: 'failed', pageCode: code }
}

/** Records the result of the page in each run. */
export function settlePages({ store }: StoreOf<JobStore & TaskStore>): void {
  for (const run of store.openPages()) {
    const task = run.pageTask === null ? null : store.loadTask(run.pageTask)
    if (task !== null && !isFinal(task.state)) {
      const waits = task.state.at === 'awaiting_approval'
      if (waits && run.page !== 'asked') store.savePage(run, { ...run, page: 'asked' })
      continue
    }
    const became =
      task === null ? ({ page: 'failed', pageCode: 'internal_fault' } as const) : pageStateOf(task)
    store.savePage(run, { pageTask: run.pageTask, ...became })
  }
}
