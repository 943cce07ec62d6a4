/**
 * Words of the question whether a time suits the owner, for the owner and for the person who asks (F-02, F-18).
 * Kernel words around two instants. A denial and an expiry read the same, so nobody learns whether the owner looked.
 * Pure. Called by owner-question.ts and drive.ts.
 */

import { ASK_OWNER } from '../../task/plan.ts'
import type { Task } from '../../task/task.ts'
import { localMoment } from '../../wording/output.ts'
import { wordsForOthers } from '../../wording/words.ts'

export const I_HAVE_ASKED = 'I have asked; you will hear from me here.'
const STILL_OPEN = 'I have asked already; you will hear from me here.'
const SUITS = 'The answer is yes: that time suits.'
const NO_YES = 'I have no yes to that time. Please propose another one.'
const ENOUGH = 'I cannot ask any more about this for now. Please try again tomorrow.'

export interface AskedPeriod {
  readonly called: string
  /** Epoch milliseconds. */
  readonly from: number
  readonly to: number
  readonly until: number
}

export function questionCard({ called, from, to, until }: AskedPeriod, timezone: string): string {
  const at = (moment: number): string => localMoment(moment, timezone)
  const [start, end] = [at(from), at(to)]
  const same = start.slice(0, DAY) === end.slice(0, DAY)
  return [
    `Does this time suit you? ${called} asks.`,
    `  from: ${start}`,
    `  to: ${same ? end.slice(DAY + 1) : end}`,
    'Yes tells that person, and nobody else, that it suits you. No, or no answer, says that there is no yes.',
    `Nothing is booked, and nothing of your calendar is told. I wait until ${at(until)}.`,
  ].join('\n')
}

/** Characters of `YYYY-MM-DD`. */
const DAY = 10

/** Final reply to the person who asked; null when the last step was no such question. */
export function wordFor({ traces }: Pick<Task, 'traces'>): string | null {
  const last = traces.findLast(({ outcome }) => outcome !== 'skipped')
  if (last?.tool !== ASK_OWNER) return null
  if (last.outcome === 'done') return SUITS
  switch (last.reason) {
    case 'approval_denied':
    case 'approval_expired':
      return NO_YES
    case 'write_repeated':
      return STILL_OPEN
    case 'grant_budget_spent':
    case 'approvals_many':
      return ENOUGH
    case 'tool_arguments_invalid':
      return wordsForOthers('tool_arguments_invalid')
    default:
      return wordsForOthers('home_offline')
  }
}
