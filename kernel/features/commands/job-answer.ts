/**
 * Answers a sentence about a job by running the operation that it asks for, such as "stop job 2". Returns
 * null for any other message. Called by own-commands.ts.
 */
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { pick } from '../../flow/record.ts'
import { isAboutJob, readMessage } from '../../pipeline/extract.ts'
import type { Task } from '../../task/task.ts'
import { namesJob } from '../jobs/named.ts'
import { noSuchJob } from '../jobs/status.ts'
import { operationAnswer } from './slash.ts'

type AnswerPorts = Parameters<typeof operationAnswer>[0] &
  Parameters<typeof readMessage>[0] &
  Parameters<typeof isAboutJob>[0] &
  Parameters<typeof noSuchJob>[0]

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

/** Null for any other message. */
export async function jobAnswer(
  powers: AnswerPorts,
  task: Task,
  words: Labeled<string>,
): Promise<Labeled<string> | null> {
  const read = await readMessage(powers, task)
  if (!read.ok || !(await isAboutJob(powers, task, read.value.said))) return null
  const intent = pick(read.value.said, ['intent'])
  const operation = Object.entries(JOB_OPERATIONS).find(
    ([name]) => intent.ok && test(intent.value, (value) => value === name),
  )?.[1]
  if (operation === undefined) return null
  const topic = pick(read.value.said, ['topic'])
  const isMissing = NEED_ONE.has(operation) && topic.ok && !(await namesJob(powers, topic.value))
  return isMissing
    ? derive(topic.value, (name) => noSuchJob(powers, String(name)))
    : operationAnswer(powers, task, words, { operation, argument: 'words' })
}

/** Operations that need an existing job. */
const NEED_ONE: ReadonlySet<string> = new Set([
  'jobs.pause',
  'jobs.resume',
  'jobs.remove',
  'jobs.runs',
  'jobs.run_now',
])
