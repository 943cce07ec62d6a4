/**
 * A new job with an end: "every day at 8 until Christmas tell me what's on", "check my mail every 15 minutes for two weeks". Must not read a job: job.ts
 * reads the sentence without its end. Pure. Called by message.ts.
 */
import type { Moment } from '../../dates/read.ts'
import { type Ended, endIn, lastDayOf } from './ends.ts'
import { readJob } from './job.ts'
import type { JobReading } from './job-reading.ts'
import { endsInTime, localOf, NAMES_END } from './reminder.ts'
import { isAsked } from './repeat-rules.ts'

/** Behind it an end is of the repetition, as behind a time. */
const STEP =
  /(?<!\p{L})(?:(?:every|each|alle|jede[nrs]?) (?:[\p{L}\d]+ ){0,3}(?:minutes?|mins?|hours?|minuten?|(?:viertel)?stunden?)|hourly|stündlich)$/iu

/** Null for a message of another kind. `core`: without what is polite around it. */
export function readJobUntil(core: string, moment: Moment): JobReading | null {
  const ended = NAMES_END.test(core) ? endIn(core, moment) : null
  const read = ended === null || !isOfRepeat(ended, moment) ? null : readJob(ended.text, moment)
  if (ended === null || read?.intent !== 'job_set' || read.repeat === null || isAsked(read.repeat))
    return readJob(core, moment)
  const { repeat: kind, count, at, step, times } = read
  // So many times of what comes several times a day would end within a day.
  const isOften = kind === 'minutes' || kind === 'cron' || step !== undefined || times !== undefined
  const repeat = { kind, every: count ?? 1, first: localOf(at ?? moment.now, moment) } as const
  const until = isOften && ended.end.is === 'times' ? null : lastDayOf(ended.end, repeat)
  return until === null ? { ...read, repeat: 'unclear' } : { ...read, until }
}

function isOfRepeat({ before, end }: Ended, moment: Moment): boolean {
  if (end.is === 'never') return false
  return before.trim() === '' || endsInTime(before, moment) || STEP.test(before.trim())
}
