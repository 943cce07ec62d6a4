/** The sentence on a closed question, by how it ended. Pure. Called by runtime/endings.ts. */
import type { ApprovalState } from '../task/approval.ts'
import { localDay, localMoment } from './output.ts'
import { wordsFor } from './words.ts'

export type How =
  | Exclude<ApprovalState, 'approved' | 'spent'>
  /** After an approval: the result of the call, or of the plan. */
  | 'done'
  | 'working'
  | 'failed'
  | 'unknown'
  | 'not_done'
  /** A rule change was made. */
  | 'holds'
  /** The approval itself was the answer; nothing else follows. */
  | 'taken'

export interface Ending {
  readonly how: How
  /** When it was answered, epoch milliseconds. */
  readonly at: number | null
  /** The tool's own text for the resulting state. */
  readonly done: string | null
}

export function endedText(
  { how, at, done }: Ending,
  { now, timezone }: { readonly now: number; readonly timezone: string },
): string {
  const when = at === null ? '' : ` at ${timeOf(at, now, timezone)}`
  switch (how) {
    case 'done':
      return done === null ? `You said yes${when}, and it was done then.` : `Done${when}: ${done}`
    case 'working':
      return `You said yes${when}. I am still at it.`
    case 'failed':
      return `You said yes${when}, but it did not work. Ask again to get a new question.`
    case 'unknown':
      return `You said yes${when}. I cannot tell whether it happened; please check before asking again.`
    case 'not_done':
      return `You said yes${when}, but it was not done. Ask again to get a new question.`
    case 'holds':
      return `You said yes${when}, and it has held since then.`
    case 'taken':
      return `You said yes${when}, and I went on from there.`
    case 'denied':
      return `You said no${when}, so I did not do it.`
    case 'expired':
      return wordsFor('approval_expired')
    case 'withdrawn':
      return wordsFor('approval_withdrawn')
    case 'replaced':
      return 'You gave other words for it, and nothing of this one was done. The card after it shows them.'
    case 'pending':
      return 'It still waits for your yes or no.'
  }
}

/** For today, the time of day only. */
function timeOf(at: number, now: number, timezone: string): string {
  const moment = localMoment(at, timezone)
  return localDay(at, timezone) === localDay(now, timezone) ? moment.slice(DAY + 1) : moment
}

/** Length of `YYYY-MM-DD`. */
const DAY = 10
