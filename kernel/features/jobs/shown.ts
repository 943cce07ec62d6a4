/** When a job runs, and what became of its times, in words. Pure. Called by the card and by the operations on jobs. */

import { isReasonCode } from '../../reasons.ts'
import { namedMoment, weekdayNames } from '../../wording/output.ts'
import { tell, wordsFor } from '../../wording/words.ts'
import type { Repeat } from '../reminders/repeat.ts'
import type { JobView, RunView } from './port.ts'

/** `every weekday at 08:00`. */
export function whenWords({ kind, every, first }: Repeat): string {
  const day = new Date(`${first.slice(0, 10)}T00:00:00Z`)
  const [weekday = ''] = namedMoment(day.getTime(), 'UTC', 0).split(' ')
  const often = tell(every === 1 || kind === 'on_days' ? `jobs.${kind}` : `jobs.every_${kind}`, {
    ...{ weekday, day: day.getUTCDate(), every, nth: Math.ceil(day.getUTCDate() / 7) },
    days: weekdayNames(every),
  })
  return tell('jobs.at', { often, time: first.slice(11, 16) })
}

/** One line: number, title, when, the next time, and what the last one became. */
export function jobLine(view: JobView, now: number): string {
  const { number, title, state, why, due, zone, skips } = view
  const when = whenWords({ kind: view.repeat, every: view.every, first: view.first })
  const next =
    due === null
      ? tell(why === 'failures' ? 'jobs.is_failing' : 'jobs.is_paused', { number })
      : tell('jobs.next', { at: namedMoment(due, zone, now) })
  const lines = [
    `${number}. ${title}: ${when}, ${view.chat}. ${next}`,
    ...(skips !== null && state === 'on' ? [tell('jobs.leaves_out', { day: skips })] : []),
    ...(view.last === null ? [] : [tell('jobs.last', { run: runLine(view.last, zone, now) })]),
  ]
  return lines.join(' ')
}

/** `Friday 27 November, 08:00: sent`. */
export function runLine(
  { scheduled, started, outcome, delivery, code }: RunView,
  zone: string,
  now: number,
): string {
  const what = outcome === 'undelivered' ? tell(`jobs.delivery_${delivery}`) : tell(`jobs.run_${outcome}`)
  const why =
    code !== null && isReasonCode(code) && outcome !== 'missed'
      ? ` (${wordsFor(code).replace(/\.$/, '')})`
      : ''
  const late = outcome === 'told' && started - scheduled > LATE ? ` ${tell('jobs.run_late')}` : ''
  return `${namedMoment(scheduled, zone, now)}: ${what}${late}${why}`
}

const LATE = 120_000
