/** What is read of a sentence about a job. Types only. Made by job.ts and job-until.ts; read where the fields of a message are made. */
import type { JobRepeatKind } from '../../../kernel/features/reminders/repeat.ts'
import type { Intent } from '../../../kernel/powers/message-fields.ts'
import type { TimesReading } from './job-times.ts'
import type { Asked } from './repeat-rules.ts'

export interface JobReading {
  readonly intent: Extract<Intent, `job_${string}`>
  /** What is to be told, or the words that name a job, as typed. */
  readonly topic: string | null
  /** Epoch milliseconds: the first time of a new job, the new time of day, or the day that is left out. */
  readonly at: number | null
  readonly repeat: JobRepeatKind | Asked | null
  readonly count: number | null
  /** Said of a job and of nothing else, whether there is one or not. */
  readonly sure?: true
  /** The chat that it is to go to, as typed. */
  readonly into?: string
  /** Of several times a day: minutes from one to the next, and the last one (epoch milliseconds). */
  readonly step?: number
  readonly last?: number
  /** A day, or days, without a time of day. */
  readonly untimed?: true
  readonly which?: TimesReading['which']
  readonly cron?: string
  /** Times of a day that are named one by one, minutes after midnight, rising. */
  readonly times?: readonly number[]
  /** The last day, `2026-12-24`. */
  readonly until?: string
  /** It may as well be of an event. */
  readonly loose?: true
}
