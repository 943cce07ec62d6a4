/**
 * Reads new times for an existing job from the owner's words. More frequent times are proposed on a card.
 * Must not change the job: jobs.ts does, or `applyJob` in the transaction of the approval. Called by jobs.ts.
 */
import { derive } from '../../../flow/labeled.ts'
import { kernelWords, receive } from '../../../flow/provenance.ts'
import { err, type Result } from '../../../flow/verdict.ts'
import type { Clock, OwnerFacts, Templates } from '../../../powers/ports.ts'
import { openTextOf } from '../../../powers/sealed.ts'
import { instantOf, localMoment, namedMoment } from '../../../wording/output.ts'
import { tell } from '../../../wording/words.ts'
import { propose } from '../../approvals/change.ts'
import type { Proposed, Proposer } from '../../approvals/port.ts'
import { messagesFor } from '../budget.ts'
import { jobDigest } from '../frozen.ts'
import type { JobChange } from '../job-change.ts'
import type { Fields } from '../named.ts'
import type { Job, JobTimes } from '../port.ts'
import { nextTimes } from '../schedule.ts'
import { shippedWords } from '../shipped-words.ts'
import { whenWords } from '../shown.ts'
import { repeatIn } from './period.ts'
import type { ProposalPorts } from './proposal.ts'

/** Times that a card shows. */
const SHOWN_TIMES = 3

/**
 * What the words make of the times that it has. Refusals: job_time_unclear, also for one with a condition;
 * job_too_often.
 */
export function timesFor(
  powers: Clock & OwnerFacts & Templates,
  { fields, words }: { readonly fields: Fields; readonly words: string },
  { repeat, zone, template, watch, due }: Job,
): Result<JobTimes> {
  if (watch !== null || repeat.kind === 'once') return err('job_time_unclear')
  const { least } = powers.templates.find(({ id }) => id === template)?.job ?? {}
  // A day that no word names is that of its next time.
  const day = due === null ? repeat.first.slice(0, 10) : localMoment(due, zone).slice(0, 10)
  const keepsDay = KEEPS_DAY.has(repeat.kind)
  const first = keepsDay ? repeat.first : `${day}${repeat.first.slice(10)}`
  const base = { repeat: { ...repeat, first }, zone }
  return repeatIn(powers, nearTo(powers, { fields, words }, clockIn(first)), { base, least })
}

const KEEPS_DAY: ReadonlySet<string> = new Set(['weekly', 'monthly', 'monthly_weekday', 'last_weekday'])

/** It says which half of the day it is of. */
const HALF =
  /[ap]\.?m(?!\p{L})|uhr|noon|midnight|morning|evening|night|afternoon|mittag|mitternacht|früh|morgens|vormittag|nachmittag|abend|nacht|(?<!\d)(?:0\d|1[3-9]|2\d)(?::|\.|h|$)/iu
const HALF_A_DAY = 720

/** "Make it half six" of what comes at seven in the morning is of the morning. */
function nearTo(
  { profile }: OwnerFacts,
  { fields, words }: { readonly fields: Fields; readonly words: string },
  before: number,
): Fields {
  const from = instantOf(fields['from'])
  if (from === null || fields['repeat'] !== undefined || HALF.test(words)) return fields
  const said = clockIn(localMoment(from, profile().timezone))
  const other = (said + HALF_A_DAY) % (2 * HALF_A_DAY)
  if (Math.abs(said - before) <= Math.abs(other - before)) return fields
  return { ...fields, from: new Date(from + (other - said) * 60_000).toISOString() }
}

/** Minutes of `2026-11-27 07:30`. */
function clockIn(local: string): number {
  return Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))
}

/** Puts the card; its words stay, and so do plan, chat and what it reads. */
export async function proposeTimes(
  powers: ProposalPorts,
  proposer: Proposer,
  { job, times: { repeat, zone } }: { readonly job: Job; readonly times: JobTimes },
): Promise<Result<Proposed>> {
  const { job: shipped } = powers.templates.find(({ id }) => id === job.template) ?? {}
  const own = shipped === undefined ? await openTextOf(powers, job.words) : null
  if (own?.ok === false) return own
  const words =
    own === null
      ? receive(shipped === undefined ? '' : shippedWords(shipped).title, kernelWords())
      : own.value
  const messages = Math.max(messagesFor(shipped, repeat), job.budget?.messages ?? 0)
  const digest = jobDigest({ ...job, budget: { ...job.budget, messages, since: 0 } })
  const change: JobChange = { do: 'job', job: job.id, digest, repeat, zone, messages }
  const now = powers.now()
  const next = nextTimes({ repeat, zone }, now, SHOWN_TIMES).map((at) => `- ${namedMoment(at, zone, now)}`)
  const card = derive(words, (what) =>
    tell('jobs.card_times', {
      ...{ what, before: whenWords(job.repeat), when: whenWords(repeat), zone, times: next.join('\n') },
      count: messages,
    }),
  )
  return propose(powers, proposer, { kind: 'admin_change', change, card })
}
