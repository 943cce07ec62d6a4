/**
 * The model that words what a job reads: which one that is, whether it is still the one that the card named, and how many tokens of a day it may use (DESIGN §9,
 * issue 2.6). Must not call a model, or let one read more than it was allowed: router.ts decides that. Called by pipeline/worded-jobs.ts, at home alone.
 */

import { digestOf } from '../../flow/digest.ts'
import type { CloudGrant } from '../../flow/grant.ts'
import { labelOf } from '../../flow/label.ts'
import { checkModel } from '../../flow/policy.ts'
import type { ModelProvider } from '../../inference/provider.ts'
import { isRegulated } from '../../inference/router.ts'
import type { Clock, Ids } from '../../powers/ports.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { RULES } from '../../task/plan.ts'
import { formatPrincipalId } from '../../task/principal.ts'
import type { Template } from '../../template/template.ts'
import { localMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { modelsFor } from '../models/choice.ts'
import { lineTemplate } from '../models/cloud-consent.ts'
import { acknowledgesCloud } from '../models/consent.ts'
import type { JobRepeat } from '../reminders/repeat.ts'
import type { UsageStore } from '../usage/port.ts'
import type { NamedWriter } from './named-writer.ts'
import type { Job } from './port.ts'
import { timesADay } from './schedule.ts'
import type { WriterOnCard, WriterPorts } from './worded.ts'

/** Tokens of one run: a dozen long mails and a page of text. */
const TOKENS_A_RUN = 30_000
/** Tokens of a day: those of a run that is tried again, and no more than a day of small runs, however often it comes. */
const LEAST_TOKENS = 60_000
const MOST_TOKENS = 600_000
/** Part of the day's tokens at which the owner is told that they run out. */
const NOTICE_AT = 0.8
/** Days for which a company's model may word a job: a consent that nobody looked at for a year is assumed forgotten. */
const CLOUD_DAYS = 365
const MINUTE = 60_000
const DAY = 86_400_000

/** The first model of the owner's order that may read all that such a job may hold, or that may read this in a chat, and once the owner says so in the job. */
export function writerFor(
  powers: WriterPorts,
  { template: id, frozen, sink }: Pick<Job, 'template' | 'frozen' | 'sink'>,
): NamedWriter | null {
  const template = templateOf(powers, id)
  const line = templateOf(powers, lineTemplate(powers, sink))
  if (template === undefined || line === undefined || isRegulated(template.ceiling)) return null
  // A company that may read nothing of this chat is not asked about for a job of it.
  const clouds = [line.id, id].some((one) => acknowledgesCloud(powers, one))
  const may = ({ reader, reads }: ModelProvider): boolean =>
    reader.id !== RULES &&
    reads !== 'parts' &&
    (reader.locality !== 'cloud' || clouds) &&
    checkModel(reader, ceilingLabel(template)).allow
  // What only a template names is no model of a job.
  const known = modelsFor(powers, line, { plan: frozen.plan }).filter((one) =>
    powers.models.some(({ reader }) => reader.id === one.reader.id),
  )
  const found = known.find(may)
  return found === undefined ? null : { model: found.reader.id, version: versionOf(found) }
}

function templateOf({ templates }: WriterPorts, id: string): Template | undefined {
  return templates.find((one) => one.id === id)
}

/** As private as what it reads can be. */
function ceilingLabel({ ceiling: { level } }: Template) {
  return labelOf([{ origin: 'job', field: '*', level, compartment: null }])
}

function versionOf({ reader: { id, locality }, version = '' }: ModelProvider): string {
  return digestOf([id, locality, version])
}

/** The very model that was approved; null where it is gone, or another one answers by its name. */
export function approvedModel({ models }: Pick<WriterPorts, 'models'>, { frozen }: Job): string | null {
  const { writer } = frozen
  const found = models.find(({ reader }) => reader.id === writer?.model)
  return writer !== undefined && found !== undefined && versionOf(found) === writer.version
    ? writer.model
    : null
}

/** Null also where none is left: code writes its text then. */
export function otherWriter(powers: WriterPorts, job: Job): NamedWriter | null {
  return job.frozen.writer === undefined || approvedModel(powers, job) !== null
    ? null
    : writerFor(powers, job)
}

/** What the card says of the model, and the consent that its yes gives for this job alone. */
export function writerOnCard(
  powers: WriterPorts & Ids,
  { id: job, template, frozen, budget }: Pick<Job, 'id' | 'template' | 'frozen' | 'budget'>,
  anew?: 'anew',
): WriterOnCard {
  const model = frozen.writer?.model ?? ''
  const tokens =
    budget?.tokens === undefined ? [] : [tell('jobs.card_tokens', { count: thousands(budget.tokens) })]
  const before = anew === undefined ? [] : [tell('jobs.other_model')]
  const saying = (line: string): readonly string[] => [...before, line, ...tokens]
  const isCloud = powers.models.some(({ reader }) => reader.id === model && reader.locality === 'cloud')
  const by = formatPrincipalId({ kind: 'cron', job })
  if (!isCloud) return { lines: saying(tell('jobs.card_writer', { model })) }
  if (acknowledgesCloud(powers, template, by))
    return { lines: saying(tell('jobs.card_writer_cloud', { model })) }
  const createdAt = powers.now()
  const expiresAt = createdAt + CLOUD_DAYS * DAY
  const cloud: CloudGrant = {
    ...{ kind: 'cloud', id: powers.newId(), template, job, createdAt, expiresAt, perDay: 0, revoked: false },
  }
  const level = templateOf(powers, template)?.ceiling.level ?? ''
  const asks = tell('jobs.card_writer_asks', {
    ...{ model, level, grant: cloud.id, day: new Date(expiresAt).toISOString().slice(0, 10) },
  })
  return { lines: saying(asks), cloud }
}

/** Enough for each of its times. */
export function tokensFor(repeat: JobRepeat): number {
  return Math.min(MOST_TOKENS, Math.max(LEAST_TOKENS, timesADay(repeat) * TOKENS_A_RUN))
}

/** Of this day in the job's zone, since it went on last; `but`: without those of one task. */
export function tokensOf(
  { store }: StoreOf<UsageStore>,
  { id, zone, budget }: Job,
  { now, but = null }: { readonly now: number; readonly but?: string | null },
): number {
  const [hours = 0, minutes = 0] = localMoment(now, zone).slice(11).split(':').map(Number)
  const midnight = now - (now % MINUTE) - (hours * 60 + minutes) * MINUTE
  const from = Math.max(midnight, budget?.since ?? 0)
  return store.tokensSince({ principal: formatPrincipalId({ kind: 'cron', job: id }), from, but })
}

/** What is left of them; null for a job without a limit. */
export function tokensLeft(powers: StoreOf<UsageStore>, job: Job, now: number): number | null {
  const most = job.budget?.tokens
  return most === undefined ? null : Math.max(0, most - tokensOf(powers, job, { now }))
}

export function isSpent(powers: StoreOf<UsageStore>, job: Job, now: number): boolean {
  return tokensLeft(powers, job, now) === 0
}

export function spentWords(powers: StoreOf<UsageStore> & Clock, job: Job, title: string): string | null {
  const { number, budget } = job
  if (!isSpent(powers, job, powers.now())) return null
  return tell('jobs.paused_tokens', { number, title, count: thousands(budget?.tokens ?? 0) })
}

/** In the text of the run that went over it, once. */
export function tokensNotice(powers: StoreOf<UsageStore> & Clock, job: Job, task: string): readonly string[] {
  const most = job.budget?.tokens
  if (most === undefined) return []
  const now = powers.now()
  const [before, after] = [tokensOf(powers, job, { now, but: task }), tokensOf(powers, job, { now })]
  const at = most * NOTICE_AT
  return before < at && after >= at
    ? [tell('jobs.tokens_notice', { used: thousands(after), of: thousands(most) })]
    : []
}

/** `60`, of words that say "thousand". */
function thousands(count: number): number {
  return Math.round(count / 1_000)
}
