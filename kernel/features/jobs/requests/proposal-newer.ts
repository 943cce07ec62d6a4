/**
 * Proposes that a job that is set is read by the newer plan of its file: words, chat and times stay (G-09). Must not change it: `applyJob` does, in the
 * transaction of the yes. Called by jobs.ts.
 */
import { kernelWords, receive } from '../../../flow/provenance.ts'
import { err, type Result } from '../../../flow/verdict.ts'
import { lookUpAction } from '../../../powers/effects.ts'
import { progressWords } from '../../../tool/worded.ts'
import { tell } from '../../../wording/words.ts'
import { propose } from '../../approvals/change.ts'
import type { Proposed, Proposer } from '../../approvals/port.ts'
import { chatTitle } from '../../deliveries/outage.ts'
import { jobDigest } from '../frozen.ts'
import type { JobChange } from '../job-change.ts'
import { newerPlan } from '../newer.ts'
import type { Job } from '../port.ts'
import { reachOf } from '../reach.ts'
import { shippedWords } from '../shipped-words.ts'
import { whenWords } from '../shown.ts'
import type { ProposalPorts } from './proposal.ts'

/** Refusals: job_quiet_so where it is the newest form, or what that reads is not there; those of `propose`. */
export async function proposeNewer(
  powers: ProposalPorts,
  proposer: Proposer,
  job: Job,
): Promise<Result<Proposed>> {
  const { registry, chats } = powers
  const plan = newerPlan(powers, job)
  const shipped = powers.templates.find(({ id }) => id === job.template)?.job
  if (plan === null || shipped === undefined) return err('job_quiet_so')
  const { id, repeat, zone } = job
  const { title, tells } = shippedWords(shipped)
  const reads = plan.steps.flatMap((step) => {
    if (!('tool' in step)) return []
    const action = lookUpAction(registry, step.tool)
    return [`- ${action.ok ? (progressWords(action.value) ?? action.value.description) : step.tool}`]
  })
  const digest = jobDigest({ ...job, frozen: { plan, planner: 'canned' }, page: null })
  const change: JobChange = {
    ...{ do: 'job', job: id, digest, repeat, zone },
    form: { plan, reach: reachOf(registry, plan) },
  }
  const card = tell('jobs.card_newer', {
    ...{ title, tells, reads: [...new Set(reads)].join('\n'), when: whenWords(repeat) },
    chat: chatTitle(job.sink, chats),
    page: job.page === null ? '' : `\n${tell('jobs.card_newer_page')}`,
  })
  return propose(powers, proposer, { kind: 'admin_change', change, card: receive(card, kernelWords()) })
}
