/**
 * Stops a job if an update widened what its tools may reach, with one message and a card (DESIGN §9). Must
 * not resume it: `applyJob` does, in the transaction of the approval. Called by runner.ts, and by jobs.ts if
 * the owner wants to resume it.
 */
import { derive } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { err, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  ChatServices,
  Ids,
  Models,
  OwnerChats,
  SelfKnowledge,
  Templates,
} from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, GrantStore, StoreOf } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { findAction } from '../../tool/registry.ts'
import { tell } from '../../wording/words.ts'
import { propose } from '../approvals/change.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'
import { type DeliverPorts, tellOwner } from '../deliveries/deliver.ts'
import { chatTitle } from '../deliveries/outage.ts'
import type { SettingStore } from '../quiet/port.ts'
import type { UsageStore } from '../usage/port.ts'
import { jobDigest } from './frozen.ts'
import type { JobChange } from './job-change.ts'
import type { Job, JobStore } from './port.ts'
import { reachOfJob, type Widening, wideningsOf } from './reach.ts'
import { shippedWords } from './shipped-words.ts'
import { whenWords } from './shown.ts'
import type { WordedJobs, WriterPorts } from './worded.ts'

export type WidenedPorts = DeliverPorts &
  Auditing &
  Actions &
  AskingTime &
  AtPlace &
  ChatServices &
  OwnerChats &
  SealedReading &
  SelfKnowledge &
  Templates &
  Models &
  Ids &
  WordedJobs &
  StoreOf<JobStore & ApprovalStore & GrantStore & SettingStore & UsageStore>

type WideningPorts = WordedJobs & WriterPorts

/**
 * A job that was approved before reaches were recorded has nothing to compare with; its reach is recorded at
 * its next run.
 */
export function wideningsSince(powers: WideningPorts, job: Job): readonly Widening[] {
  const { reach } = job
  const other = powers.worded?.otherWriter(powers, job) ?? null
  return [
    ...(reach === null ? [] : wideningsOf(reach, reachOfJob(powers.registry, job))),
    ...(other === null ? [] : [{ action: '', what: 'model', to: other.model } as const]),
  ]
}

/** Stops it and says so; its card follows. One that no chat takes is put by `resume`. */
export async function pauseWidened(powers: WidenedPorts, id: string, title: string): Promise<void> {
  const job = powers.store.findJob(id)
  if (job === null || job.state !== 'on') return
  powers.store.saveJob({ ...job, state: 'paused', why: 'widened', due: null })
  powers.self.touch('job')
  const { number } = job
  audit(powers, 'memory_changed', null, { what: 'job', did: 'paused', number, code: 'job_widened' })
  const words = tell('jobs.paused_widened', { number, title })
  await tellOwner(powers, { id: `job:${id}:widened:${powers.now()}`, code: 'job_widened', words })
  const by = { principal: OWNER_PRINCIPAL, place: powers.place, message: `job:${id}:widened` } as const
  await proposeWidened(powers, { ...by, sink: job.sink }, job)
}

/** The card names each change; its yes keeps what the tools may reach now. */
export async function proposeWidened(
  powers: WidenedPorts,
  proposer: Proposer,
  job: Job,
): Promise<Result<Proposed>> {
  const { registry, chats } = powers
  const { id, repeat, zone } = job
  const reach = reachOfJob(registry, job)
  const changes = wideningsSince(powers, job).map(({ action, what, to }) => {
    if (what === 'model') return ''
    const found = findAction(registry, action)
    const tool = found.ok ? (found.value.tool.connect?.title ?? found.value.tool.name) : action
    return `- ${tell(`jobs.widened_${what}`, { tool, to })}`
  })
  const { job: shipped } = powers.templates.find((one) => one.id === job.template) ?? {}
  const own = shipped === undefined ? await openTextOf(powers, job.words) : null
  if (own?.ok === false) return err(own.reason.code, own.reason.facts)
  const words =
    own === null
      ? receive(shipped === undefined ? '' : shippedWords(shipped).title, kernelWords())
      : own.value
  const writer = powers.worded?.otherWriter(powers, job) ?? null
  const changed = writer === null ? job : { ...job, frozen: { ...job.frozen, writer } }
  const by = writer === null ? undefined : powers.worded?.onCard(powers, changed, 'anew')
  const change: JobChange = {
    ...{ do: 'job', job: id, digest: jobDigest(changed), repeat, zone, reach },
    ...(writer !== null && { writer }),
    ...(by?.cloud !== undefined && { cloud: by.cloud }),
  }
  const card = derive(words, (what) =>
    tell('jobs.card_widened', {
      ...{
        what,
        changes: [...new Set(changes), ...(by?.lines ?? [])].filter(Boolean).join('\n'),
        when: whenWords(repeat),
      },
      chat: chatTitle(job.sink, chats),
    }),
  )
  return propose(powers, proposer, { kind: 'admin_change', change, card })
}
