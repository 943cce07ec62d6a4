/**
 * What a plan changes of a job that is set, and a new one that it has asked about: by the same operations as the owner's own sentences, so that what widens
 * is asked about on a card of its own, and "undo" takes a change back. Must not turn a job on, or decide whether to ask. Called by
 * call/home-effects.ts.
 */
import { isSpanOf } from '../../call/values/literals.ts'
import type { Json } from '../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { MEMORY_SINK } from '../../powers/effects.ts'
import type { Operations } from '../../powers/ports.ts'
import { openTextOf } from '../../powers/sealed.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { instantOf, localMoment, zonedMinute } from '../../wording/output.ts'
import { showTo } from '../deliveries/deliver.ts'
import { PLANNED_REPEATS } from './effects.ts'
import { fieldsIn, findJob, type NamingPorts, titleFor } from './named.ts'
import type { Job } from './port.ts'

type Values = Readonly<Record<string, Json>>

export type JobChangePorts = NamingPorts & Operations

interface Named {
  readonly job: Job
  /** As people call it. */
  readonly title: Labeled<string>
  /** The arguments, which a row of a job may hold. */
  readonly plan: Values
}

/** Refusals: principal_not_allowed for anybody but the owner, jobs of the owner included; those of `findJob`. */
async function jobNamed(
  powers: JobChangePorts,
  { principal, sink }: Task,
  args: Labeled<Values>,
): Promise<Result<Named>> {
  if (principal !== OWNER_PRINCIPAL) return err('principal_not_allowed')
  const bytes = derive(args, (values) => JSON.stringify(values))
  const open = showTo(powers, { sink: MEMORY_SINK[powers.place], principal }, bytes)
  if (!open.ok) return open
  const plan = JSON.parse(open.value) as Values
  const asking = { principal, sink }
  const found = await findJob(powers, asking, String(plan['which'] ?? ''))
  if (!found.ok) return found
  const job = found.value
  const isShipped = powers.templates.some(({ id, job: own }) => id === job.template && own !== undefined)
  const words = isShipped ? null : await openTextOf(powers, job.words)
  if (words?.ok === false) return words
  const title = receive(await titleFor(powers, asking, job), words === null ? kernelWords() : words.value)
  return ok({ job, title, plan })
}

/** What the card of a change says. Refusals: those of `jobNamed`. */
export async function whichJob(
  powers: JobChangePorts,
  task: Task,
  args: Labeled<Values>,
): Promise<Result<Labeled<Values>>> {
  const named = await jobNamed(powers, task, args)
  if (!named.ok) return named
  const { job, title } = named.value
  return ok(combine<Json, Values>([args, title], ([, called = '']) => ({ job: called, row: versionOf(job) })))
}

/** Other times, another plan or another state make another one of it; its next time does not. */
function versionOf({ id, digest, state, repeat: { kind, every, first, last } }: Job): string {
  return [
    id,
    digest,
    state,
    kind,
    every,
    first.replace(' ', 'T'),
    ...(last === undefined ? [] : [last]),
  ].join('.')
}

/** Refusals: those of `jobNamed` and of the operation; job_time_unclear where a new time is not said; tool_unavailable without operations. */
export async function runJobChange(
  powers: JobChangePorts,
  task: Task,
  action: string,
  args: Labeled<Values>,
): Promise<Result<Labeled<Values>>> {
  const named = await jobNamed(powers, task, args)
  if (!named.ok) return named
  const { job, title, plan } = named.value
  const { timezone } = powers.profile()
  const at = instantOf(plan['at'])
  // A day that is not the job's own would be left out in silence.
  if (action === 'job.move' && plan['repeat'] === undefined && !isOfItsDay(powers, job, at))
    return err('job_time_unclear')
  const call = callFor(action, job, {
    local: at === null ? null : localMoment(at, timezone),
    repeat: PLANNED_REPEATS.find((one) => one === plan['repeat']) ?? null,
  })
  if (call === null) return err('job_time_unclear')
  if (powers.operations === undefined) return err('tool_unavailable')
  const { id, event, principal, sink } = task
  const { place } = powers
  const caller = { principal, place, door: 'private', sink, message: event, task: id, behind: true } as const
  const done = await powers.operations({ ...call, caller })
  if (!done.ok) return done
  const now = powers.store.findJob(job.id) ?? job
  const due = now.due === null ? {} : { due: zonedMinute(now.due, timezone) }
  const isAsked = typeof Reflect.get(Object(done.value), 'approval') === 'string'
  return ok(
    combine<Json, Values>([args, title], ([, called = '']) => ({
      ...{ number: now.number, job: called, state: now.state, ...due },
      ...(isAsked && { card: true }),
    })),
  )
}

/**
 * Puts the card of a new job, as the owner's own sentence does: what it tells are words of this message, whoever planned. Refusals: principal_not_allowed;
 * job_unclear for words that the owner did not say; job_time_unclear without a time; those of the operation.
 */
export async function askForJob(
  powers: JobChangePorts,
  task: Task,
  args: Labeled<Values>,
): Promise<Result<Labeled<Values>>> {
  const { id, event, principal, sink } = task
  if (principal !== OWNER_PRINCIPAL) return err('principal_not_allowed')
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return words
  const both = combine<Json, boolean>([words.value, args], ([said, values]) => {
    const tells = Object(values).tells
    return typeof tells === 'string' && isSpanOf(String(said), tells)
  })
  if (words.value.taint.level !== 'clean' || !test(both, Boolean)) return err('job_unclear')
  const bytes = derive(args, (values) => JSON.stringify(values))
  const open = showTo(powers, { sink: MEMORY_SINK[powers.place], principal }, bytes)
  if (!open.ok) return open
  const plan = JSON.parse(open.value) as Values
  const said = sentenceFor(powers, String(plan['tells']), plan)
  if (said === null) return err('job_time_unclear')
  if (powers.operations === undefined) return err('tool_unavailable')
  const { place } = powers
  const caller = { principal, place, door: 'private', sink, message: event, task: id, behind: true } as const
  const asked = await powers.operations({ operation: 'jobs.enable', args: { words: said }, caller })
  if (!asked.ok) return asked
  const number = Math.max(
    ...powers.store.jobs().flatMap((job) => (job.state === 'asked' ? [job.number] : [])),
  )
  return ok(derive(args, ({ tells = '' }) => ({ number, job: tells, state: 'asked', card: true })))
}

/** The owner's words, where they say themselves when; else with the time of the plan before them. */
function sentenceFor(powers: NamingPorts, tells: string, { at, repeat, every = 1 }: Values): string | null {
  const own = fieldsIn(powers, tells, { verb: 'start', intents: ['job_set'] })
  if (typeof own?.['repeat'] === 'string') return tells
  const instant = instantOf(at)
  const kind = PLANNED_REPEATS.find((one) => one === repeat)
  if (instant === null || kind === undefined || typeof every !== 'number') return null
  const local = localMoment(instant, powers.profile().timezone)
  return `${daysOf(kind, local, every)} at ${clockOf(local)} tell me ${tells}`
}

/** Today, tomorrow or the day of its next time: only the time of day is moved. */
function isOfItsDay(powers: JobChangePorts, { due }: Job, at: number | null): boolean {
  const { timezone } = powers.profile()
  const dayOf = (instant: number): string => localMoment(instant, timezone).slice(0, 10)
  const now = powers.now()
  const days = [now, now + DAY, ...(due === null ? [] : [due])].map(dayOf)
  return at === null || days.includes(dayOf(at))
}

/** Milliseconds. */
const DAY = 86_400_000

interface Wanted {
  /** `2026-11-27 07:30` in the owner's zone. */
  readonly local: string | null
  readonly repeat: (typeof PLANNED_REPEATS)[number] | null
}

interface Call {
  readonly operation: string
  readonly args: { readonly words: string }
}

/** Each takes a job by its name, and says no more. */
const BY: Readonly<Partial<Record<string, string>>> = Object.freeze({
  'job.stop': 'jobs.pause',
  'job.resume': 'jobs.resume',
  'job.skip': 'jobs.skip',
  'job.run': 'jobs.run_now',
  'job.remove': 'jobs.remove',
})

/** The operation, with the job by its number and its times as a sentence of the owner's would say them; null without a time to move to. */
function callFor(action: string, { number }: Job, { local, repeat }: Wanted): Call | null {
  const job = `job ${number}`
  const operation = Object.hasOwn(BY, action) ? BY[action] : undefined
  if (operation !== undefined) {
    const day = action === 'job.skip' && local !== null ? ` on ${local.slice(0, 10)}` : ''
    return { operation, args: { words: `${job}${day}` } }
  }
  if (local === null) return null
  const words =
    repeat === null
      ? `move ${job} to ${clockOf(local)}`
      : `make ${job} ${daysOf(repeat, local)} at ${clockOf(local)}`
  return { operation: 'jobs.set_time', args: { words } }
}

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const

function daysOf(repeat: (typeof PLANNED_REPEATS)[number], local: string, every = 1): string {
  if (repeat === 'daily') return every === 1 ? 'every day' : `every ${every} days`
  if (repeat === 'weekdays') return 'on weekdays'
  const date = new Date(`${local.slice(0, 10)}T00:00Z`)
  const day = DAYS[date.getUTCDay()] ?? ''
  if (repeat === 'weekly') return every === 1 ? `every ${day}` : `every ${every} weeks on ${day}`
  return `every month on the ${NTH[Math.ceil(date.getUTCDate() / 7) - 1] ?? ''} ${day}`
}

const NTH = ['first', 'second', 'third', 'fourth'] as const

/** `7:30 am`: a time without its half of the day is taken for the one that is nearer to before. */
function clockOf(local: string): string {
  const hour = Number(local.slice(11, 13))
  return `${hour % 12 === 0 ? 12 : hour % 12}:${local.slice(14, 16)} ${hour < 12 ? 'am' : 'pm'}`
}
