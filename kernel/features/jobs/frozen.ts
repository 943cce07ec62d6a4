/**
 * The approved plan of a job (DESIGN §9): its digest, and the check that a plan still equals it. Pure. Called
 * where a job is proposed, approved and run.
 */

import { digestOf } from '../../flow/digest.ts'
import { canonicalJson } from '../../flow/json.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Plan } from '../../task/plan.ts'
import { parsePrincipalId } from '../../task/principal.ts'
import type { Job, JobStore } from './port.ts'

type Bound = Pick<
  Job,
  'template' | 'sink' | 'words' | 'frozen' | 'missed' | 'quiet' | 'watch' | 'budget' | 'page'
>

/**
 * SHA-256 over everything that asks again when it changes. Times are not in it: they may be moved without
 * asking.
 */
export function jobDigest(job: Bound): string {
  const { template, sink, words, frozen, missed, quiet, watch, budget, page } = job
  return digestOf({
    template,
    sink,
    words: words.id,
    plan: plain(frozen.plan),
    by: frozen.planner,
    ...(frozen.tells !== undefined && { tells: { ...frozen.tells } }),
    ...(frozen.literals !== undefined && { literals: frozen.literals.ref.id }),
    ...(frozen.writer !== undefined && { writer: { ...frozen.writer } }),
    missed,
    quiet,
    ...(budget !== null && { messages: budget.messages }),
    ...(budget?.tokens !== undefined && { tokens: budget.tokens }),
    ...(watch !== null && {
      watch: {
        kind: watch.kind,
        since: watch.since,
        ...(watch.looks !== undefined && { looks: { ...watch.looks } }),
      },
    }),
    ...(page !== null && { page: { tool: page.tool, at: page.at.id } }),
  })
}

/** SHA-256 over what a job reads and who words it, without chat and times. A grant for its page is bound to it. */
export function readsOf({ template, words, frozen }: Pick<Job, 'template' | 'words' | 'frozen'>): string {
  const { plan, planner, literals, writer } = frozen
  return digestOf({
    ...{ template, words: words.id, plan: plain(plan), by: planner },
    ...(literals !== undefined && { literals: literals.ref.id }),
    ...(writer !== undefined && { writer: { ...writer } }),
  })
}

function plain(plan: Plan) {
  return JSON.parse(JSON.stringify(plan.steps))
}

/** The job of a principal `cron:<job>`; null for any other principal. */
export function jobOfPrincipal(store: Pick<JobStore, 'findJob'>, principal: string): Job | null {
  const name = parsePrincipalId(principal)
  return name.ok && name.value.kind === 'cron' ? store.findJob(name.value.job) : null
}

/** Refusals: job_unknown; job_changed for a row that is not what was approved. */
export function approvedJob(store: Pick<JobStore, 'findJob'>, principal: string): Result<Job> {
  const job = jobOfPrincipal(store, principal)
  if (job === null) return err('job_unknown')
  return jobDigest(job) === job.digest ? ok(job) : err('job_changed', { job: job.number })
}

/**
 * Whether a plan derived anew from the same words equals the approved one. Its dates are literals, which
 * differ each day.
 */
export function isSamePlan(frozen: Plan, made: Plan): boolean {
  return canonicalJson(plain(frozen)) === canonicalJson(plain(made))
}

/** Rows of a job's own: its words, and what a model wrote into its plan. */
export function sealedOf({ words, frozen }: Pick<Job, 'words' | 'frozen'>): readonly string[] {
  return [words.id, ...(frozen.literals === undefined ? [] : [frozen.literals.ref.id])]
}

/** What a plan calls. A job's task may use nothing else of its template, which may have more by now. */
export function toolsOf({ steps }: Plan): readonly string[] {
  return [...new Set(steps.flatMap((step) => ('tool' in step ? [step.tool] : [])))]
}

/** Reads that use no result of each other: one that fails leaves the others. */
export function eachByItself(plan: Plan): Plan {
  const uses = /"(?:\$ref|from|in|of)":"s\d/.test(JSON.stringify(plan.steps))
  if (uses || plan.steps.some((step) => step.do !== 'tool')) return plan
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, independent: true })) }
}
