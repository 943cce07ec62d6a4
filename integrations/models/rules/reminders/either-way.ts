/**
 * A repetition with two readings, of a reminder or a job: both are offered, and what was chosen is set. Must not choose itself. Pure. Called by
 * named-plan.ts and reminding.ts; the edge has `either-way-none.ts` in its place (`#either-way` in package.json).
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Argument, Plan, Step } from '../../../../kernel/task/plan.ts'
import { coreAsTyped } from '../../../extractors/message/message-intent.ts'
import { readJobUntil } from '../../../extractors/timed/job-until.ts'
import type { ReminderReading } from '../../../extractors/timed/reminder.ts'
import { type WayMeant, waysMeant } from '../../../extractors/timed/two-ways.ts'
import { moment } from '../answers/clock.ts'
import { momentOf } from '../several.ts'
import { call, steps } from '../steps.ts'
import * as words from '../words.ts'
import { readingOf, setOf } from './reminder-more.ts'

/** UTF-16 units: requests are short. */
const MOST = 200

/** What an option says, and the calls that it stands for. */
interface Way {
  readonly label: string
  readonly calls: (id: number) => readonly Step[]
}

/** Null for a message that has no two readings, or where one of them cannot be set. */
export function eitherReminder(parts: PromptParts): Plan | null {
  return either(parts, (way) => {
    const read = way.map((text) => readingOf(text, parts))
    const set = read.filter((one): one is ReminderReading => one !== null)
    if (set.length < read.length || set.length === 0) return null
    return {
      label: set.map((one) => whenOf(one, parts)).join('; '),
      calls: (id) => set.map((one, at) => setOf(one, `s${id + at}`, parts)),
    }
  })
}

/** The same of a new job, where it can be asked for. */
export function eitherJob(parts: PromptParts, offered: ReadonlySet<string>): Plan | null {
  if (!offered.has('job.set')) return null
  return either(parts, ([text = '', ...others]) => {
    const { zone } = momentOf(parts)
    const read = others.length > 0 ? null : readJobUntil(text, momentOf(parts))
    if (read?.intent !== 'job_set' || read.topic === null || read.at === null) return null
    const { topic, repeat, count, at, until } = read
    if ((repeat !== 'weekly' && repeat !== 'monthly_weekday') || until !== undefined) return null
    const args: Record<string, Argument> = { tells: topic, at: zone.iso(at), repeat, every: count ?? 1 }
    return {
      label: whenOf({ due: at, repeat, count: count ?? 1 }, parts),
      calls: (id) => [call(`s${id}`, 'job.set', args)],
    }
  })
}

function either(parts: PromptParts, wayOf: (way: WayMeant) => Way | null): Plan | null {
  const meant = parts.request.length > MOST ? null : waysMeant(coreAsTyped(parts.request))
  const [one = null, other = null] = meant?.map(wayOf) ?? []
  if (one === null || other === null || one.label === other.label) return null
  const first = one.calls(2)
  return steps(
    {
      ...{ id: 's1', do: 'clarify', question: words.ASKS_HOW_OFTEN() },
      options: [one.label, other.label],
    },
    ...first.map((step) => onlyIf(step, one.label)),
    ...other.calls(2 + first.length).map((step) => onlyIf(step, other.label)),
  )
}

function onlyIf(step: Step, chosen: string): Step {
  return { ...step, when: { ref: 's1', is: 'equals', value: chosen } } as Step
}

/** `Fri 4 Dec, 09:00, then every 2 weeks`. */
function whenOf(
  { due, repeat, count, until }: Pick<ReminderReading, 'due' | 'repeat' | 'count' | 'until'>,
  parts: PromptParts,
): string {
  const { now, zone } = momentOf(parts)
  const when = moment(zone.wallOf(due ?? now), zone.wallOf(now))
  return `${when}${words.REMINDERS.again(repeat ?? '', count ?? 1)}${words.REMINDERS.ends(until ?? '')}`
}
