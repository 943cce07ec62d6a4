/**
 * Proposes that a job that is set says something even when there is nothing, or only when there is something: plan, words, chat and times stay (G-09). Must not change it:
 * `applyJob` does, in the transaction of the yes. Called by jobs.ts.
 */
import { derive } from '../../../flow/labeled.ts'
import { kernelWords, receive } from '../../../flow/provenance.ts'
import { err, type Result } from '../../../flow/verdict.ts'
import { openTextOf } from '../../../powers/sealed.ts'
import { tell } from '../../../wording/words.ts'
import { propose } from '../../approvals/change.ts'
import type { Proposed, Proposer } from '../../approvals/port.ts'
import { jobDigest } from '../frozen.ts'
import type { JobChange } from '../job-change.ts'
import type { Job } from '../port.ts'
import { timesADay } from '../schedule.ts'
import { shippedWords } from '../shipped-words.ts'
import { whenWords } from '../shown.ts'
import type { ProposalPorts } from './proposal.ts'

/** Refusals: job_unclear for a condition, which tells once; job_quiet_so where it is so already. */
export async function proposeQuiet(
  powers: ProposalPorts,
  proposer: Proposer,
  { job, quiet }: { readonly job: Job; readonly quiet: boolean },
): Promise<Result<Proposed>> {
  const { id, repeat, zone, watch } = job
  if (watch !== null) return err('job_unclear')
  if (job.quiet === quiet) return err('job_quiet_so')
  const { job: shipped } = powers.templates.find((one) => one.id === job.template) ?? {}
  const own = shipped === undefined ? await openTextOf(powers, job.words) : null
  if (own?.ok === false) return own
  const title = own?.value ?? receive(shipped === undefined ? '' : shippedWords(shipped).title, kernelWords())
  // It tells something at each of its times from then on.
  const messages = Math.max(job.budget?.messages ?? 0, quiet ? 0 : timesADay(repeat))
  const digest = jobDigest({ ...job, quiet, budget: { ...job.budget, messages, since: 0 } })
  const change: JobChange = { do: 'job', job: id, digest, repeat, zone, quiet: { is: quiet, messages } }
  const card = derive(title, (what) =>
    tell(quiet ? 'jobs.card_to_quiet' : 'jobs.card_to_loud', {
      ...{ what, when: whenWords(repeat), count: messages },
    }),
  )
  return propose(powers, proposer, { kind: 'admin_change', change, card })
}
