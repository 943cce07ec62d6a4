/**
 * Times of jobs that nothing ran for, because this place was off or paused: told once, in the chat of the job, when the place is back and it is not quiet (G-08). Must not
 * run anything. Called by runner.ts, which notes them, and tick.ts.
 */
import { combine, type Labeled } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import type { OwnerFacts, Templates } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { namedMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { type DeliverPorts, deliverNotice } from '../deliveries/deliver.ts'
import type { SettingStore } from '../quiet/port.ts'
import { type QuietPowers, quietEnd } from '../quiet/quiet.ts'
import type { Job, JobStore } from './port.ts'
import { isOften } from './schedule.ts'
import { shippedWords } from './shipped-words.ts'
import { isWatch } from './watch.ts'

/** JSON of `NotRun`s, oldest first. */
const SETTING = 'jobs_not_run'
/** Most that are kept: what was missed for years is no list to read. */
const MOST = 200

interface NotRun {
  readonly job: string
  /** Epoch milliseconds. */
  readonly at: number
}

function notRun({ setting }: Pick<SettingStore, 'setting'>): readonly NotRun[] {
  const kept = setting(SETTING)
  return kept === null ? [] : (JSON.parse(kept) as readonly NotRun[])
}

/**
 * In the transaction that stores the rows. What comes several times a day tells what is new with its next time, and a condition
 * says what it could not look at.
 */
export function noteNotRun(store: SettingStore, job: Job, times: readonly number[]): void {
  if (times.length === 0 || isOften(job.repeat) || isWatch(job)) return
  const all = [...notRun(store), ...times.map((at) => ({ job: job.id, at }))].slice(-MOST)
  store.saveSetting(SETTING, JSON.stringify(all))
}

/** When they are told, epoch milliseconds; null for none. */
export function notRunMoment(powers: QuietPowers): number | null {
  return notRun(powers.store).length === 0 ? null : (quietEnd(powers) ?? powers.now())
}

/**
 * Whether a run, or the word of one that was missed, was cut off before it was noted what became of it: only time moves these.
 */
export function hasUnsettledJobs(store: SettingStore & JobStore): boolean {
  return store.openRuns().length > 0 || store.setting(SETTING) !== null
}

type Ports = DeliverPorts &
  QuietPowers &
  OwnerFacts &
  SealedReading &
  Templates &
  StoreOf<JobStore & SettingStore>

/** One message a chat. Its id is of the last time, so that a crash before they are forgotten sends it once. */
export async function tellNotRun(powers: Ports): Promise<void> {
  const { store } = powers
  const times = notRun(store)
  if (times.length === 0 || quietEnd(powers) !== null) return
  const jobs = [...new Set(times.map(({ job }) => job))].flatMap((id) => store.findJob(id) ?? [])
  // One that was stopped or removed meanwhile is of no interest.
  const on = jobs.filter(({ state }) => state === 'on')
  for (const sink of new Set(on.map((job) => job.sink))) {
    const lines: Labeled<string>[] = []
    const here = on.filter((job) => job.sink === sink)
    for (const job of here) lines.push(await lineOf(powers, job, timesOf(times, job)))
    const last = Math.max(...here.flatMap((job) => timesOf(times, job)))
    await deliverNotice(powers, {
      ...{ id: `jobs:not-run:${sink}:${last}`, code: 'job_missed', sink, principal: OWNER_PRINCIPAL },
      text: combine(lines, (all) => `${tell('jobs.not_run')}\n${all.map((one) => `- ${one}`).join('\n')}`),
    })
  }
  const after = notRun(store).slice(times.length)
  store.saveSetting(SETTING, after.length === 0 ? null : JSON.stringify(after))
}

function timesOf(times: readonly NotRun[], { id }: Job): readonly number[] {
  return times.flatMap(({ job, at }) => (job === id ? [at] : []))
}

/** `Evening review, Friday 27 November, 18:00`; of several times their number and the last one. */
async function lineOf(powers: Ports, job: Job, times: readonly number[]): Promise<Labeled<string>> {
  const shipped = powers.templates.find(({ id }) => id === job.template)?.job
  const own = shipped === undefined ? await openTextOf(powers, job.words) : null
  const kernels = shipped === undefined ? tell('jobs.own') : shippedWords(shipped).title
  const title = own?.ok === true ? own.value : receive(kernels, kernelWords())
  const at = namedMoment(times.at(-1) ?? 0, job.zone, powers.now())
  return combine([title], ([words]) =>
    times.length === 1
      ? `${words}, ${at}`
      : tell('jobs.not_run_times', { title: String(words), count: times.length, at }),
  )
}
