/**
 * Port for jobs that a model plans once, at the request, and words at each run (DESIGN §9). The planning model sees the
 * owner's words and no result; the wording model sees results, and its text is never parsed. Passed in by home only.
 */

import type { WordedJobs } from '../features/jobs/worded.ts'
import {
  approvedModel,
  isSpent,
  otherWriter,
  spentWords,
  tokensFor,
  tokensLeft,
  tokensNotice,
  writerFor,
  writerOnCard,
} from '../features/jobs/writer.ts'
import { lineTemplate } from '../features/models/cloud-consent.ts'
import { joinProvenance, test } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import { ok } from '../flow/verdict.ts'
import { guarded, readBy } from '../model-call/guarded-answer.ts'
import { askModel } from '../model-call/model-call.ts'
import { RECORD } from '../model-call/task-record.ts'
import { keepText, openTextOf } from '../powers/sealed.ts'
import type { Task } from '../task/task.ts'
import { isEmptied } from '../wording/guard/claims.ts'
import { guardFor } from '../wording/guard/guard.ts'
import { tell } from '../wording/words.ts'
import { extract } from './extract.ts'
import { planForJob } from './plan-for-job.ts'

/** Time limit of one text, milliseconds. */
const WORDING_TIMEOUT = 120_000
/** Planner name of a frozen plan that a model made: its literals come neither from code nor from a person. */
const PLANNER = 'job'

export const WORDED_JOBS: NonNullable<WordedJobs['worded']> = Object.freeze({
  async plan(powers, started, template) {
    const read = await extract(powers, started)
    const said = read.got === 'extracted' ? read.said : null
    const task: Task = { ...started, state: { at: 'planning' }, planRounds: 1, said, path: 'full' }
    // A model that may read a request in this chat may read this one.
    const line = lineTemplate(powers, started.sink) || started.template
    return { task, made: await planForJob(powers, { ...task, template: line }, template) }
  },
  writerFor,
  tokensFor,
  onCard: writerOnCard,
  otherWriter,
  isSpent,
  spentWords,
  notes(powers, { job }, { task, by }) {
    const isRead = task.traces.some(({ outcome }) => outcome === 'done')
    if (by === null) return isRead ? [tell('jobs.by_code')] : []
    // The model's text may omit a failed step, so code says it.
    const failed = task.traces.some(({ outcome }) => outcome !== 'done' && outcome !== 'skipped')
    return [...tokensNotice(powers, job, task.id), ...(failed ? [tell('jobs.in_part')] : [])]
  },
  async again(powers, task, { frozen, round }) {
    const made = { got: 'planned', round, plan: frozen.plan, planner: PLANNER } as const
    const { literals } = frozen
    const words = await openTextOf(powers, literals?.ref ?? task.words)
    if (!words.ok) return words
    const provenance = joinProvenance(words.value)
    if (literals === undefined) return ok({ ...made, provenance })
    // A copy of its own, because what a finished task read is deleted with its turn.
    const keeping = { principal: task.principal, store: 'sessions', until: null } as const
    const ref = await keepText(powers, keeping, words.value)
    return ok({ ...made, provenance, literals: { ref, count: literals.count } })
  },
  async text(powers, task, { run: { job }, view, template }) {
    const model = approvedModel(powers, job)
    const left = tokensLeft(powers, job, powers.now())
    const isRead = view.contents.some(({ action }) => action !== RECORD)
    if (model === null || left === 0 || !isRead) return null
    // Each run is independent: an earlier text quotes other people and would be read again every day.
    const alone = { ...view, history: null, summarised: false }
    const contents = (await powers.tier.readFirst?.(powers, task, alone.contents)) ?? alone.contents
    const reply = await askModel(powers, task, {
      request: { ...alone, contents, purpose: 'synthesize', tools: [], question: null },
      limits: { maxTokens: template.maxTokensSynthesize, timeout: WORDING_TIMEOUT },
      only: ({ reader }) => reader.id === model,
      ...(left !== null && { left }),
    })
    if (!reply.ok || reply.value.text.trim() === '') return null
    const { text, provenance, cut } = reply.value
    const judged = guardFor(powers, task, { looksBack: false })
    const written = guarded({ answer: receive(text, provenance), cut }, readBy(powers, task, alone), judged)
    return test(written, isEmptied) ? null : { text: written, model }
  },
})
