/**
 * Proposes a job from the owner's words: a shipped one, or what code can plan from them with reads alone. Its plan is made here and never
 * again; the card shows it. Must not turn a job on: `applyJob` does, in the transaction of the yes. Called by jobs.ts and change.ts.
 */

import { levelOfWords } from '../../../flow/both-lines.ts'
import type { Labeled } from '../../../flow/labeled.ts'
import { kernelWords, ownerWords, receive } from '../../../flow/provenance.ts'
import { err, ok, type Result } from '../../../flow/verdict.ts'
import { startTask } from '../../../machine/machine.ts'
import type { AskModelPorts } from '../../../model-call/model-call.ts'
import type { PlannerViewPorts } from '../../../model-call/planner-view.ts'
import { operationInMessage } from '../../../operations/commands.ts'
import type {
  Actions,
  AskingTime,
  ChatServices,
  Clock,
  OwnerChats,
  PolicySource,
  Tools,
} from '../../../powers/ports.ts'
import {
  keepText,
  openTextOf,
  type SealedKeeping,
  type SealedReading,
  sealForLater,
} from '../../../powers/sealed.ts'
import type { SealedStore } from '../../../powers/sealed-port.ts'
import type { ApprovalStore, StoreOf, Transactions } from '../../../powers/stores.ts'
import { CANNED, type Plan } from '../../../task/plan.ts'
import { formatPrincipalId } from '../../../task/principal.ts'
import type { Template } from '../../../template/template.ts'
import { tell } from '../../../wording/words.ts'
import { propose } from '../../approvals/change.ts'
import type { Proposed, Proposer } from '../../approvals/port.ts'
import { messagesFor } from '../budget.ts'
import { jobDigest, toolsOf } from '../frozen.ts'
import { drop, type JobChange } from '../job-change.ts'
import { fieldsIn, type NamingPorts, shippedNamed, templatesHere } from '../named.ts'
import { elsewhereIn, needed, offIn, unnamedIn } from '../needs.ts'
import { type FrozenPlan, type Job, type JobStore, MOST_JOBS, type Watch } from '../port.ts'
import { reachOf } from '../reach.ts'
import { templateOf } from '../runner.ts'
import type { WordedJobs } from '../worded.ts'
import { asksForWords } from '../worded-words.ts'
import type { ExtractPorts, PlanDrafting } from './drafting-port.ts'
import { fileTimes, isSaidOften, repeatIn, type Scheduled } from './period.ts'
import { cardOf } from './proposal-card.ts'
import { areAllRead, judgeCalls, planTells, type Told, type ToldPorts } from './proposal-told.ts'

export type ProposalPorts = NamingPorts &
  Actions &
  Tools &
  ChatServices &
  AskModelPorts &
  PlannerViewPorts &
  ExtractPorts &
  PlanDrafting &
  ToldPorts &
  OwnerChats &
  AskingTime &
  SealedKeeping &
  SealedReading &
  WordedJobs &
  StoreOf<Transactions & JobStore & ApprovalStore & SealedStore>

/** Templates of a job in the owner's words: home's, and the edge's. */
const OWN_WORDS: readonly string[] = ['job_own_words', 'job_open_words']

type Asked = Proposer & { readonly sink: string }

export async function proposeJob(
  powers: ProposalPorts,
  proposer: Asked,
  words: string,
): Promise<Result<Proposed>> {
  const fields = fieldsIn(powers, words, { verb: 'start', intents: ['job_set'] })
  const topic = fields?.['topic']
  if (fields === null || typeof topic !== 'string') return err('job_unclear')
  if (powers.store.jobs().length >= MOST_JOBS) return err('jobs_full', { max: MOST_JOBS })
  const here = templatesHere(powers)
  const { shipped, what } = shippedOf(here, topic, isSaidOften(fields))
  const there = shipped === null ? shippedOf(powers.templates, topic, isSaidOften(fields)).shipped : null
  if (there !== null) return needsHome(powers, there)
  if ((shipped?.job?.takes === true) !== (what !== null)) return err('job_of_what')
  const ownWordsHere = here.find(isForOwnWords)?.id ?? ''
  const template = templateOf(powers, { template: shipped?.id ?? ownWordsHere, sink: proposer.sink })
  if (!template.ok) return template
  const withheld = lackingAt(powers, proposer.sink, template.value)
  if (withheld !== null) return err('compartment_missing', { sink: proposer.sink, compartment: withheld })
  const isSet = powers.store
    .jobs()
    .some(({ state, ...job }) => state !== 'asked' && isSame(job, shipped, proposer))
  if (isSet) return err('job_exists')
  const own = shipped?.job
  const base = own === undefined ? null : fileTimes(own, powers.now(), powers.profile().timezone)
  const repeat = repeatIn(powers, fields, { base, least: own?.least })
  if (!repeat.ok) return repeat
  const drafted = await draft(powers, proposer, { template: template.value, shipped, topic, what })
  if (!drafted.ok) return (await homesIn(powers, proposer, topic)) ?? drafted
  const lacking = needed(powers, drafted.value.frozen.plan)
  if (lacking !== null) return err('job_needs', lacking)
  const off = offIn(powers, drafted.value.frozen.plan)
  if (off !== null) return err('service_off', { title: off })
  const unnamed = unnamedIn(powers, drafted.value.frozen.plan)
  if (unnamed !== null)
    return err('job_needs_saved', { name: unnamed, example: shipped?.job?.example?.trim() ?? '' })
  return askFor(powers, proposer, { ...drafted.value, template: template.value, ...repeat.value })
}

function isForOwnWords({ id }: Template): boolean {
  return OWN_WORDS.includes(id)
}

/** Refusal: job_needs_home, with what only home can do of what this job reads. */
export function needsHome(powers: Actions & Tools, { plans, tools }: Template): Result<never> {
  const named = Object.values(plans).flatMap(toolsOf)
  return err('job_needs_home', { reads: elsewhereIn(powers, named.length > 0 ? named : tools) ?? '' })
}

/** What home would make of words that this place does not plan: then it is said that they need home. Null for words that it would not plan either. */
async function homesIn(powers: ProposalPorts, proposer: Asked, topic: string): Promise<Result<never> | null> {
  const line = powers.policy().sinks.find((one) => one.id === proposer.sink)
  const own = powers.templates.find((one) => isForOwnWords(one) && !one.sinks.includes(proposer.sink))
  if (powers.place === 'home' || own === undefined || line === undefined) return null
  for (const said of [topic, tell('jobs.show_me', { what: topic })]) {
    const words = receive(said, ownerWords(line.id, levelOfWords(line, powers.place)))
    const plan = await planOf(powers, proposer, { id: powers.newId(), words, template: own })
    const reads = plan.ok ? elsewhereIn(powers, toolsOf(plan.value.frozen.plan)) : null
    if (reads !== null) return err('job_needs_home', { reads })
  }
  return null
}

/** "The twitter digest of @nasa": of one that takes something, its name and what it is of. */
function shippedOf(
  templates: readonly Template[],
  topic: string,
  often: boolean,
): { readonly shipped: Template | null; readonly what: string | null } {
  const named = shippedNamed(templates, topic, often)
  const { name = '', what = '' } = OF.exec(topic)?.groups ?? {}
  const taking = named === null && what !== '' ? shippedNamed(templates, name) : null
  return taking?.job?.takes === true ? { shipped: taking, what } : { shipped: named, what: null }
}

const OF = /^(?<name>.{1,80}?),? (?:of|for|about|from|by|with|von|über|zu) (?<what>\S.{0,200})$/iu

/** A compartment of what the job tells that its chat may not show: every run would be withheld. */
export function lackingAt(powers: PolicySource, sink: string, { ceiling }: Template): string | null {
  const held = powers.policy().sinks.find(({ id }) => id === sink)?.compartments ?? []
  const told = ceiling.compartments === 'all' ? [] : ceiling.compartments
  return told.find((one) => !held.includes(one)) ?? null
}

function isSame(job: Pick<Job, 'template' | 'sink'>, shipped: Template | null, { sink }: Asked): boolean {
  if (shipped === null || shipped.job?.takes === true) return false
  return job.template === shipped.id && job.sink === sink
}

interface Draft {
  readonly id: string
  readonly words: Labeled<string>
  readonly frozen: FrozenPlan
  /** Words of it that services are told; absent for none. */
  readonly told?: readonly Told[]
  /** What a model wrote into its plan. */
  readonly literals?: { readonly text: Labeled<string>; readonly count: number }
}

async function draft(
  powers: ProposalPorts,
  proposer: Asked,
  {
    template,
    shipped,
    topic,
    what,
  }: {
    readonly template: Template
    readonly shipped: Template | null
    readonly topic: string
    readonly what: string | null
  },
): Promise<Result<Draft>> {
  const id = powers.newId()
  if (shipped?.job !== undefined && what === null) {
    const [plan] = Object.values(shipped.plans)
    if (plan === undefined || planTells(powers, plan)) return err('job_cannot')
    return ok({ id, words: receive(shipped.job.request, kernelWords()), frozen: { plan, planner: 'canned' } })
  }
  const line = powers.policy().sinks.find((one) => one.id === proposer.sink)
  if (line === undefined) return err('sink_unknown', { sink: proposer.sink })
  const own = ownerWords(line.id, levelOfWords(line, powers.place))
  if (shipped?.job !== undefined && what !== null) {
    const words = receive(
      shipped.job.request.replace('{what}', () => what),
      own,
    )
    const plan = await planOf(powers, proposer, { id, words, template })
    return plan.ok ? ok({ id, words, ...plan.value }) : plan
  }
  const listed = listedBy(topic)
  if (listed !== null)
    return ok({ id, words: receive(topic, own), frozen: { plan: listed, planner: 'canned' } })
  const byModel = () => draftedByModel(powers, proposer, { id, words: receive(topic, own), template })
  const first = asksForWords(topic) ? await byModel() : null
  if (first?.ok === true) return first
  // "Tell me my unread mail": what is told may be a request by itself, or what a request shows.
  for (const said of [topic, tell('jobs.show_me', { what: topic })]) {
    const words = receive(said, own)
    const plan = await planOf(powers, proposer, { id, words, template })
    if (plan.ok) return ok({ id, words, ...plan.value })
  }
  return first ?? byModel()
}

/** What code does not plan whole, a model may that may read it, and words it then. Refusal: job_cannot. */
async function draftedByModel(
  powers: ProposalPorts,
  proposer: Asked,
  of: Pick<Draft, 'id' | 'words'> & { readonly template: Template },
): Promise<Result<Draft>> {
  const by = powers.worded
  const plan = by === undefined ? err('job_cannot') : await planOf(powers, proposer, { ...of, by })
  return plan.ok ? ok({ id: of.id, words: of.words, ...plan.value }) : plan
}

/** What a command lists, by its phrase: no planner knows it. */
const LISTS: Readonly<Record<string, string>> = {
  'reminders.tasks': 'task.list',
  'reminders.list': 'reminder.list',
}

function listedBy(topic: string): Plan | null {
  const tool = LISTS[operationInMessage(topic)?.operation.name ?? '']
  return tool === undefined ? null : { steps: [{ id: 's1', do: 'tool', tool, args: {} }], explanation: '' }
}

/** Refusal: job_cannot, for words that code does not plan whole with the reads of the template. */
export async function planOf(
  powers: ProposalPorts,
  { sink }: Asked,
  {
    id,
    words,
    template,
    by,
  }: Pick<Draft, 'id' | 'words'> & { readonly template: Template; readonly by?: WordedJobs['worded'] },
): Promise<Result<Pick<Draft, 'frozen' | 'told' | 'literals'>>> {
  const principal = formatPrincipalId({ kind: 'cron', job: id })
  const ref = await keepText(powers, { principal, store: 'sessions', until: null }, words)
  const { ceiling, tools, maxToolCalls } = template
  const started = startTask({
    ...{ id: `draft:${id}`, trace: powers.newId(), template: template.id, principal, event: '', sink },
    ...{ place: powers.place, turn: 0, ceiling, tools, maxToolCalls, memory: {}, words: ref },
    createdAt: powers.now(),
  })
  // No row of this task is ever stored.
  const { task, made } = await (by ?? powers.drafting).plan(powers, started.task, template)
  const literals = made.got === 'planned' ? made.literals : undefined
  const judged =
    made.got === 'planned'
      ? await judgeCalls(
          powers,
          {
            ...{ ...task, plan: made.plan, planner: made.planner, planned: made.provenance },
            ...(literals !== undefined && { literals: [{ ...literals, planner: made.planner }] }),
          },
          template,
        )
      : err('job_cannot')
  const wrote = literals === undefined || by === undefined ? null : await openTextOf(powers, literals.ref)
  const rows = literals === undefined ? [] : [literals.ref]
  powers.store.deleteSealed([ref, ...rows, ...(task.said === null ? [] : [task.said])].map((row) => row.id))
  if (made.got !== 'planned' || !judged.ok) return err('job_cannot')
  const isRead = made.plan.steps.every((step) => !('tool' in step) || template.tools.includes(step.tool))
  if (!isRead) return err('job_cannot')
  const { tells, told } = judged.value
  if (by !== undefined) {
    const frozen: FrozenPlan = {
      ...{ plan: made.plan, planner: 'model' },
      ...(told.length > 0 && { tells }),
    }
    const writer = by.writerFor(powers, { template: template.id, frozen, sink })
    if (writer === null || wrote?.ok === false) return err('job_cannot')
    const count = literals?.count ?? 0
    return ok({
      ...{ frozen: { ...frozen, writer }, told },
      ...(wrote !== null && { literals: { text: wrote.value, count } }),
    })
  }
  if (told.length > 0 && !areAllRead(words, told, made.plan.steps.length)) return err('job_cannot')
  const plan = {
    plan: made.plan,
    planner: made.planner === CANNED ? ('canned' as const) : ('rules' as const),
  }
  return ok({ frozen: { ...plan, ...(told.length > 0 && { tells }) }, told })
}

interface Whole extends Draft, Scheduled {
  readonly template: Template
  readonly watch?: Watch
  /** Instead of the one that jobs have. */
  readonly card?: Labeled<string>
}

/** Keeps the row, which does nothing yet, and puts the card. */
export async function askFor(
  powers: ProposalPorts,
  proposer: Asked,
  {
    id,
    words,
    frozen: plan,
    literals,
    told = [],
    template,
    repeat,
    zone,
    watch: condition,
    card: own,
  }: Whole,
): Promise<Result<Proposed>> {
  const { sink } = proposer
  const principal = formatPrincipalId({ kind: 'cron', job: id })
  const keeping = { principal, store: 'memory', until: null } as const
  const sealed = await sealForLater(powers, keeping, words)
  const wrote = literals === undefined ? null : await sealForLater(powers, keeping, literals.text)
  const frozen: FrozenPlan = {
    ...plan,
    ...(literals !== undefined && wrote !== null && { literals: { ref: wrote.ref, count: literals.count } }),
  }
  const tokens = plan.writer === undefined ? undefined : powers.worded?.tokensFor(repeat)
  const { missed, quiet } = template.job ?? { missed: 'once', quiet: true }
  const bound = {
    template: template.id,
    sink,
    words: sealed.ref,
    frozen,
    missed,
    quiet,
    watch: condition ?? null,
    // One with a condition sends one message, and is over.
    budget:
      condition === undefined
        ? {
            messages: messagesFor(template.job, repeat),
            // What its planning used is none of a run's.
            since: tokens === undefined ? 0 : powers.now(),
            ...(tokens !== undefined && { tokens }),
          }
        : null,
    page: null,
  }
  const job: Omit<Job, 'number'> = {
    ...{ ...bound, id, digest: jobDigest(bound), repeat, zone, state: 'asked', why: null, due: null },
    ...{ skips: null, failures: 0, at: powers.now(), before: null },
    reach: reachOf(powers.registry, frozen.plan),
  }
  const number = powers.store.transaction(() => {
    dropAsked(powers)
    sealed.put()
    wrote?.put()
    return powers.store.addJob(job)
  })
  const by = plan.writer === undefined ? null : (powers.worded?.onCard(powers, job) ?? null)
  const change: JobChange = {
    ...{ do: 'job', job: id, digest: job.digest, repeat, zone },
    ...(by?.cloud !== undefined && { cloud: by.cloud }),
  }
  const lines = by?.lines ?? [tell('jobs.card_code')]
  const card =
    own ?? cardOf(powers, { ...job, number }, { template, words, told, lines, ...(literals && { literals }) })
  const asked = await propose(powers, proposer, { kind: 'admin_change', change, card })
  if (!asked.ok) drop(powers, job)
  return asked
}

/** A card that was not answered leaves its row. */
function dropAsked(powers: Clock & AskingTime & StoreOf<JobStore & SealedStore>): void {
  for (const job of powers.store.jobs())
    if (job.state === 'asked' && job.at + 2 * powers.approvalTimeout < powers.now()) drop(powers, job)
}
