/**
 * Recognises a sentence about a job by its typed fields, such as "stop job 2", and the operation that it asks for. Must
 * not run it. A row of sentences.ts.
 */
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { type LabeledRecord, pick } from '../../flow/record.ts'
import { operationInMessage } from '../../operations/commands.ts'
import { JOB_INTENTS } from '../../powers/message-fields.ts'
import type { AtPlace, Templates } from '../../powers/ports.ts'
import { type MessageReading, readMessage } from '../../powers/read-message.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, StoreOf, Turn, TurnStore } from '../../powers/stores.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { answerInMessage } from '../../task/answers/answer-words.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { changeableSince } from '../approvals/waiting.ts'
import { namesJob } from '../jobs/named.ts'
import type { JobStore } from '../jobs/port.ts'
import { noSuchJob } from '../jobs/status.ts'

type JobAskedPorts = MessageReading & AtPlace & Templates & StoreOf<JobStore & TurnStore & ApprovalStore>

/** Operation by intent of the sentence. */
const JOB_OPERATIONS: Readonly<Record<string, string>> = Object.freeze({
  job_list: 'jobs.list',
  job_set: 'jobs.enable',
  job_watch: 'jobs.enable',
  job_stop: 'jobs.pause',
  job_resume: 'jobs.resume',
  job_remove: 'jobs.remove',
  job_skip: 'jobs.skip',
  job_time: 'jobs.set_time',
  job_chat: 'jobs.set_chat',
  job_page: 'jobs.set_page',
  job_page_stop: 'jobs.drop_page',
  job_runs: 'jobs.runs',
  job_now: 'jobs.run_now',
})

/** Null for any other message. The operation reads the whole sentence. */
export async function jobAsked(powers: JobAskedPorts, task: Task): Promise<MeantOperation | null> {
  const words = await openTextOf(powers, task.words)
  const read = await readMessage(powers, task)
  if (!words.ok || !read.ok || !(await isAboutJob(powers, task, read.value.said))) return null
  const operation = Object.entries(JOB_OPERATIONS).find(([name]) => hasIntent(read.value.said, [name]))?.[1]
  return operation === undefined
    ? null
    : { operation, args: {}, named: { argument: 'words', words: words.value } }
}

/** Says that there is no such job, where the operation needs one and the sentence names none; null otherwise. */
export async function missingJob(
  powers: JobAskedPorts & Parameters<typeof noSuchJob>[0],
  task: Task,
  operation: string,
): Promise<Labeled<string> | null> {
  const read = NEED_ONE.has(operation) ? await readMessage(powers, task) : null
  const topic = read?.ok === true ? pick(read.value.said, ['topic']) : null
  return topic?.ok === true && !(await namesJob(powers, topic.value))
    ? derive(topic.value, (name) => noSuchJob(powers, String(name)))
    : null
}

/** Operations that need an existing job. */
const NEED_ONE: ReadonlySet<string> = new Set([
  'jobs.pause',
  'jobs.resume',
  'jobs.remove',
  'jobs.runs',
  'jobs.run_now',
])

/**
 * Whether the message is about a job, which an operation answers. `make that 7:30` is, right after a message
 * about a job or after a job sent something.
 */
async function isAboutJob(powers: JobAskedPorts, task: Task, said: LabeledRecord): Promise<boolean> {
  const { principal, words } = task
  if (principal !== OWNER_PRINCIPAL || words.taint.level !== 'clean') return false
  // If the message has two readings, a plan offers both.
  if (powers.place === 'home' && hasIntent(said, ['job_set']) && isOfTwo(said)) return false
  if (hasIntent(said, ['job_set', 'job_watch', 'job_list'])) return true
  const { store } = powers
  if (!hasIntent(said, JOB_INTENTS)) return false
  const whole = pick(said, ['whole'])
  if (whole.ok && test(whole.value, (is) => is === true)) return true
  if (!store.jobs().some(({ state }) => state !== 'asked')) return false
  const topic = pick(said, ['topic'])
  // "Cancel the weekly review" may refer to an event if no job has that name.
  if (topic.ok) return namesJob(powers, topic.value)
  if (!hasIntent(said, ['job_time', 'job_chat', 'job_page', 'job_page_stop'])) return true
  const last = await lastAsked(powers, principal)
  const told = store
    .jobs()
    .flatMap(({ id }) => store.runsOf(id, 1))
    .map(({ ended }) => ended ?? 0)
  const ran = Math.max(0, ...told)
  const about = last === undefined ? null : await spokenOf(powers, task, last)
  // If a card was shown since, a time alone refers to that card.
  const card = changeableSince(powers, principal)
  if (card > Math.max(ran, about === 'sure' ? (last?.at ?? 0) : 0)) return false
  return ran > (last?.at ?? 0) || about !== null
}

function isOfTwo(said: LabeledRecord): boolean {
  const repeat = pick(said, ['repeat'])
  return repeat.ok && test(repeat.value, (is) => is === 'two_ways')
}

/** Whether a message was about a job: `sure`, or `maybe` for words that other things have too; null if it was not. */
async function spokenOf(powers: JobAskedPorts, task: Task, last: Turn): Promise<'sure' | 'maybe' | null> {
  if (last.words.taint.level !== 'clean') return null
  const text = await openTextOf(powers, last.words)
  if (text.ok && test(text.value, isOfJobs)) return 'sure'
  const before = await readMessage(powers, { ...task, words: last.words })
  if (!before.ok || !hasIntent(before.value.said, ['job_set', 'job_list', ...JOB_INTENTS])) return null
  const [whole, topic] = [pick(before.value.said, ['whole']), pick(before.value.said, ['topic'])]
  const isWhole = whole.ok && test(whole.value, (is) => is === true)
  return isWhole || (topic.ok && (await namesJob(powers, topic.value))) ? 'sure' : 'maybe'
}

/** The last message, ignoring a yes or no: it may have created the job that is meant. */
async function lastAsked(
  powers: SealedReading & StoreOf<TurnStore>,
  principal: string,
): Promise<Turn | undefined> {
  const [before, last] = powers.store.recentTurns(principal, 2)
  const text = last === undefined ? null : await openTextOf(powers, last.words)
  return text?.ok === true && test(text.value, (said) => answerInMessage(said) !== null)
    ? before
    : (last ?? before)
}

/** Whether the words are a command on jobs, or a sentence that means one. */
function isOfJobs(words: string): boolean {
  return operationInMessage(words)?.operation.name.startsWith('jobs.') === true
}

function hasIntent(said: LabeledRecord, some: readonly string[]): boolean {
  const intent = pick(said, ['intent'])
  return intent.ok && test(intent.value, (value) => some.includes(String(value)))
}
