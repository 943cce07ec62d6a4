/**
 * What is to be told again and again, with no word that it be told: "each morning my open pull requests", "jeden Tag um 7 das Wetter in Leeds". Only where all that is
 * left beside the repetition is read as reads; a question, and a repetition without a time behind it, may be of the days themselves. Called by message.ts.
 */
import type { Moment } from '../../dates/read.ts'
import { readJob } from '../timed/job.ts'
import { bareWish } from '../timed/job-free.ts'
import type { JobReading } from '../timed/job-reading.ts'
import { askedIn } from './message-learned.ts'

/** Null for any other message. */
export function wishedIn(text: string, moment: Moment): JobReading | null {
  if (/\?\s*$/.test(text)) return null
  const plain = bareWish(text)
  const job = plain === null ? null : readJob(plain, moment)
  if (job?.intent !== 'job_set' || job.topic === null) return null
  const asked = askedIn(job.topic, moment)
  return asked.length > 0 && asked.every(({ writes }) => !writes) ? job : null
}
