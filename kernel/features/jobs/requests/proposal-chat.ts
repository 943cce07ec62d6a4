/**
 * Proposes another chat for a job that is set: the plan, the words and the times stay, and the card says from where to where. Must not move it:
 * `applyJob` does, in the transaction of the yes. Called by jobs.ts.
 */

import { derive } from '../../../flow/labeled.ts'
import { kernelWords, receive } from '../../../flow/provenance.ts'
import { err, type Result } from '../../../flow/verdict.ts'
import { openTextOf } from '../../../powers/sealed.ts'
import { tell } from '../../../wording/words.ts'
import { propose } from '../../approvals/change.ts'
import type { Proposed, Proposer } from '../../approvals/port.ts'
import { chatTitle } from '../../deliveries/outage.ts'
import { jobDigest } from '../frozen.ts'
import type { JobChange } from '../job-change.ts'
import { wordsIn } from '../named.ts'
import type { Job } from '../port.ts'
import { templateOf } from '../runner.ts'
import { shippedWords } from '../shipped-words.ts'
import { watchTitle } from '../watch.ts'
import { lackingAt, type ProposalPorts } from './proposal.ts'

export async function proposeChat(
  powers: ProposalPorts,
  proposer: Proposer & { readonly sink: string },
  { job, into }: { readonly job: Job; readonly into: string },
): Promise<Result<Proposed>> {
  const { chats } = powers
  const sink = connectedNamed(powers, into)
  if (sink === null) return err('job_chat_unknown')
  const template = templateOf(powers, { template: job.template, sink })
  if (!template.ok) return err('job_chat_unknown')
  const withheld = lackingAt(powers, sink, template.value)
  if (withheld !== null) return err('compartment_missing', { sink, compartment: withheld })
  const isThere = powers.store
    .jobs()
    .some(
      (one) => one.sink === sink && (one.id === job.id || (isShipped(job) && one.template === job.template)),
    )
  if (isThere) return err('job_exists')
  const { job: shipped } = template.value
  const own = shipped === undefined ? await openTextOf(powers, job.words) : null
  if (own?.ok === false) return own
  const words =
    own === null
      ? receive(shipped === undefined ? '' : shippedWords(shipped).title, kernelWords())
      : derive(own.value, (text) => (job.watch === null ? text : watchTitle(job.watch, text)))
  const { id, repeat, zone } = job
  const change: JobChange = { do: 'job', job: id, digest: jobDigest({ ...job, sink }), repeat, zone, sink }
  const card = derive(words, (what) =>
    tell('jobs.card_chat', { what, before: chatTitle(job.sink, chats), chat: chatTitle(sink, chats) }),
  )
  return propose(powers, proposer, { kind: 'admin_change', change, card })

  function isShipped({ template: name }: Job): boolean {
    return powers.templates.some((one) => one.id === name && one.job !== undefined)
  }
}

/** A chat of the owner's by the name of its service, or "my terminal". */
function connectedNamed({ adminSinks, chats }: ProposalPorts, said: string): string | null {
  const words = wordsIn(said).join(' ')
  const names = (sink: string): readonly string[] => [chatTitle(sink, chats), sink.split(':')[1] ?? '']
  return adminSinks.find((sink) => names(sink).some((name) => wordsIn(name).join(' ') === words)) ?? null
}
