/**
 * Proposes a page that a job's text is added to as well, without asking each time: the page is looked up, and the card says which it is and who can read
 * it (DESIGN §3, X-18). Must not widen anything: `applyJob` does, in the transaction of the yes. Called by jobs.ts.
 */

import type { AuthorizePorts } from '../../../call/authorize-port.ts'
import { pageDigest } from '../../../call/job-page.ts'
import { levelOfWords } from '../../../flow/both-lines.ts'
import type { AppendGrant } from '../../../flow/grant.ts'
import type { Json } from '../../../flow/json.ts'
import { levelOf } from '../../../flow/label.ts'
import { combine, derive, type Labeled } from '../../../flow/labeled.ts'
import { compareLevels, type Level, maxLevel } from '../../../flow/level.ts'
import { kernelWords, ownerWords, receive } from '../../../flow/provenance.ts'
import { err, ok, type Result } from '../../../flow/verdict.ts'
import { startTask } from '../../../machine/machine.ts'
import { lookUpAction } from '../../../powers/effects.ts'
import { keepText, openTextOf, sealForLater } from '../../../powers/sealed.ts'
import { CANNED, type ToolStep } from '../../../task/plan.ts'
import { formatPrincipalId } from '../../../task/principal.ts'
import type { Task } from '../../../task/task.ts'
import type { RegisteredAction } from '../../../tool/registry.ts'
import { readersLevel } from '../../../tool/target.ts'
import { tell } from '../../../wording/words.ts'
import { propose } from '../../approvals/change.ts'
import type { Proposed, Proposer } from '../../approvals/port.ts'
import { chatTitle } from '../../deliveries/outage.ts'
import { messagesFor } from '../budget.ts'
import { jobDigest, readsOf } from '../frozen.ts'
import type { JobChange } from '../job-change.ts'
import { wordsIn } from '../named.ts'
import { needed, offIn } from '../needs.ts'
import { serviceOf } from '../page-task.ts'
import { type Job, PAGE_GRANT_DAYS, PAGE_TEMPLATE } from '../port.ts'
import { reachOf, reachOfJob } from '../reach.ts'
import { templateOf } from '../runner.ts'
import { shippedWords } from '../shipped-words.ts'
import type { ProposalPorts } from './proposal.ts'

/** Milliseconds. */
const DAY = 86_400_000

export type PagePorts = ProposalPorts & AuthorizePorts

/** Refusals: declassification_forbidden for a job that reads more than a page may hold; job_page_unknown for a service that no such page is of, job_needs, service_off, job_page_open, job_exists; those of the lookup and of `propose`. */
export async function proposePage(
  powers: PagePorts,
  proposer: Proposer & { readonly sink: string },
  { job, service, page }: { readonly job: Job; readonly service: string; readonly page: string },
): Promise<Result<Proposed>> {
  const { chats, registry } = powers
  const template = templateOf(powers, { template: PAGE_TEMPLATE, sink: job.sink })
  if (!template.ok || job.watch !== null) return err('job_page_unknown')
  const meant = adding(powers, template.value.tools).find((action) => isNamed(action, service))
  if (meant === undefined || meant.adds === undefined) return err('job_page_unknown')
  const { adds } = meant
  const step: ToolStep = {
    ...{ id: 's1', do: 'tool', tool: meant.id },
    args: { [adds.to]: page, [adds.text]: tell('jobs.own') },
  }
  const lacking = needed(powers, { steps: [step], explanation: '' })
  if (lacking !== null) return err('job_needs', lacking)
  const off = offIn(powers, { steps: [step] })
  if (off !== null) return err('service_off', { title: off })
  const draft = await draftTask(powers, proposer, { job, step, page })
  if (!draft.ok) return draft
  const found = await powers.drafting.target(powers, draft.value, { template: template.value, step })
  powers.store.deleteSealed([draft.value.words.id])
  if (!found.ok) return found
  const { action, call } = found.value
  if (compareLevels(readersLevel(action, call.readers), LEAST_READERS) < 0) return err('job_page_open')
  const reads = mostPrivate(powers, job)
  if (compareLevels(reads, LEAST_READERS) > 0) return err('declassification_forbidden')
  // What a run writes is labelled as its page was looked up, and by the owner's directives, which every writer is shown.
  const level = maxLevel(reads, levelOf(call.whole.label))
  const own = await titleWords(powers, job)
  if (!own.ok) return own
  const principal = formatPrincipalId({ kind: 'cron', job: job.id })
  const id = derive(call.whole, (values) => String(values[adds.by] ?? ''))
  const until = powers.now() + 2 * powers.approvalTimeout
  const sealed = await sealForLater(powers, { principal, store: 'memory', until }, id)
  const on = { tool: action.id, at: sealed.ref }
  const createdAt = powers.now()
  const grant: AppendGrant = {
    ...{ kind: 'append', id: powers.newId(), template: PAGE_TEMPLATE, tool: action.id },
    sink: action.sink ?? job.sink,
    args: [adds.to, adds.text].sort(),
    ...{
      job: job.id,
      reads: readsOf(job),
      target: pageDigest(action, call.whole),
      level,
    },
    ...{ createdAt, expiresAt: createdAt + PAGE_GRANT_DAYS * DAY, revoked: false },
    perDay: job.budget?.messages ?? messagesFor(undefined, job.repeat),
  }
  const { repeat, zone } = job
  const digest = jobDigest({ ...job, page: on })
  const reach = reachOfJob(registry, { ...job, page: on })
  const change: JobChange = { do: 'job', job: job.id, digest, repeat, zone, page: { on, reach, grant } }
  const card = combine<Json, string>([own.value, call.whole], ([title, values]) => {
    const of = values as { readonly [key: string]: Json }
    const shown = Object.keys(action.target?.shows ?? {}).filter((name) => name !== adds.name && name in of)
    return tell('jobs.card_page', {
      ...{ what: String(title), tool: serviceOf(action), name: String(of[adds.name] ?? '') },
      known: shown.map((name) => `${name}: ${String(of[name])}`).join(', '),
      ...{
        chat: chatTitle(job.sink, chats),
        day: new Date(grant.expiresAt).toISOString().slice(0, 10),
        times: grant.perDay,
        grant: grant.id,
      },
    })
  })
  sealed.put()
  return propose(powers, proposer, { kind: 'admin_change', change, card })
}

/** Whoever can read the page must be cleared for what a job may tell: a page on the web is not. */
const LEAST_READERS: Level = 'sensitive'

/** Which writes only add a text, of those that the template allows. */
function adding(
  { registry }: Pick<PagePorts, 'registry'>,
  tools: readonly string[],
): readonly RegisteredAction[] {
  return tools.flatMap((tool) => {
    const action = lookUpAction(registry, tool)
    return action.ok && action.value.adds !== undefined ? [action.value] : []
  })
}

function isNamed(action: RegisteredAction, service: string): boolean {
  const said = wordsIn(service).join(' ')
  return [serviceOf(action), action.tool.name].some((name) => wordsIn(name).join(' ') === said)
}

/** The most that a read of the job's plan may hold, and its words. */
function mostPrivate({ registry }: Pick<PagePorts, 'registry'>, job: Job): Level {
  const read = Object.values(reachOf(registry, job.frozen.plan)).map(({ ceiling }) => ceiling)
  const said = job.words.label.atoms.map(({ level }) => level)
  return [...read, ...said].reduce<Level>((most, level) => maxLevel(most, level), 'internal')
}

async function titleWords(powers: PagePorts, job: Job): Promise<Result<Labeled<string>>> {
  const shipped = powers.templates.find(({ id }) => id === job.template)?.job
  return shipped === undefined
    ? openTextOf(powers, job.words)
    : ok(receive(shippedWords(shipped).title, kernelWords()))
}

/** For the lookup alone: no row of this task is ever stored. */
async function draftTask(
  powers: PagePorts,
  { sink }: Proposer & { readonly sink: string },
  { job, step, page }: { readonly job: Job; readonly step: ToolStep; readonly page: string },
): Promise<Result<Task>> {
  const line = powers.policy().sinks.find((one) => one.id === sink)
  const template = templateOf(powers, { template: PAGE_TEMPLATE, sink: job.sink })
  if (line === undefined) return err('sink_unknown', { sink })
  if (!template.ok) return template
  const principal = formatPrincipalId({ kind: 'cron', job: job.id })
  const planned = ownerWords(line.id, levelOfWords(line, powers.place))
  const words = await keepText(
    powers,
    { principal, store: 'sessions', until: powers.now() + DAY },
    receive(page, planned),
  )
  const { ceiling, tools, maxToolCalls } = template.value
  const { task } = startTask({
    ...{
      id: powers.newId(),
      trace: powers.newId(),
      template: PAGE_TEMPLATE,
      principal,
      event: '',
      sink: job.sink,
    },
    ...{ place: powers.place, turn: 0, ceiling, tools, maxToolCalls, memory: {}, words },
    createdAt: powers.now(),
  })
  return ok({ ...task, plan: { steps: [step], explanation: '' }, planned, planner: CANNED, path: 'full' })
}
