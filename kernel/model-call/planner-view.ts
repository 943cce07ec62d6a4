/**
 * Builds a planner's view (C-06 – C-09, C-29): the owner's own words, metadata of this message and
 * of earlier turns, and the template's tools. The type has no field for content. Called by plan.ts.
 */

import { namesFor } from '#home-effects'
import { reachOf } from '../call/disclosure.ts'
import { type CallPorts, provenanceBehind, resolveCall } from '../call/resolve.ts'
import { searchesWithoutResult } from '../call/searches-without-result.ts'
import { askedCall } from '../call/values/asked.ts'
import { tellingApart } from '../call/values/meant.ts'
import { authorsOf } from '../features/approvals/card/authors.ts'
import { knownIn } from '../features/contacts/groups.ts'
import { recallHistory } from '../features/history/history.ts'
import type { HomeLink } from '../features/places/home-port.ts'
import { canonicalJson, type Json } from '../flow/json.ts'
import { combine, derive, type Labeled, test } from '../flow/labeled.ts'
import { once } from '../flow/once.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import {
  extractRecord,
  fieldNames,
  type HandleFacts,
  type LabeledRecord,
  metadata,
  metadataProvenance,
  pick,
} from '../flow/record.ts'
import { taintOf } from '../flow/taint.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { lookUpAction } from '../powers/effects.ts'
import type {
  Actions,
  Clock,
  DirectiveFiles,
  Extraction,
  HistorySpan,
  HomeLine,
  OwnerFacts,
  OwnerProfile,
  PolicySource,
  Tools,
} from '../powers/ports.ts'
import { openRecordOf, openTextOf, type SealedReading } from '../powers/sealed.ts'
import type { ApprovalStore, StoreOf, TurnStore } from '../powers/stores.ts'
import type { ToolCard, TroubleView } from '../prompt/parts.ts'
import { CONTACTS_ROOT, FIND_TOOLS, type SelectStep, type Step } from '../task/plan.ts'
import type { SealedRef, Task } from '../task/task.ts'
import { unseenSteps } from '../task/unseen.ts'
import type { Template } from '../template/template.ts'
import type { GuardPorts } from '../wording/guard/guard.ts'
import { ownSession } from './read-through.ts'
import { isUnfound } from './sought.ts'
import { cardOf } from './tool-card.ts'

/** Root of the fields extracted from this message. */
const SAID = 'said'
/** Maximum pending questions shown to a planner. */
const MOST_WAITING = 5
/**
 * Prefix of words whose answer is not stored here, because the program or the other
 * place gave it: they no longer ask for anything.
 */
export const ANSWERED = '(answered)'
/** Shown for a search for tools, whose result cannot be referenced. */
const LOOKED_UP: Json = Object.freeze({ tools: 'described here' })
/** Highest match rank: bounds what a stranger can signal by repeating the owner's words. */
const MAX_RANK = 3

export interface PlannerView {
  readonly request: Labeled<string>
  /** Earlier words of the same owner; never an answer, which quotes others (DESIGN §3). */
  readonly history: Labeled | null
  readonly metadata: readonly { readonly root: string; readonly action: string; readonly fields: Labeled }[]
  readonly tools: readonly ToolCard[]
  /** Searches of the previous plan that found nothing, if they are the reason for another plan. */
  readonly troubles: readonly TroubleView[]
}

/** Ports needed to build a planner's view. */
export type PlannerViewPorts = SealedReading &
  WaitingPorts &
  Extraction &
  PolicySource &
  OwnerFacts &
  Actions &
  Tools &
  HomeLine &
  DirectiveFiles &
  HistorySpan &
  Clock &
  StoreOf<TurnStore & ApprovalStore>

export async function plannerView(
  powers: PlannerViewPorts,
  task: Task,
  template: Template,
): Promise<Result<PlannerView>> {
  const request = await requestFor(powers, task, template)
  if (!request.ok) return request
  const views: PlannerView['metadata'][number][] = []
  const searches: LabeledRecord[] = []
  const known: Known = {
    profile: powers.profile(),
    words: template.principalClass === 'owner' ? request.value : null,
  }
  for (const [root, ref] of rootsOf(task)) {
    const record = await openRecordOf(powers, ref)
    if (!record.ok || ref.holds.what !== 'record') continue
    const { action, unseen } = ref.holds
    if (action === FIND_TOOLS) {
      searches.push(record.value)
      views.push({ root, action, fields: receive(LOOKED_UP, metadataProvenance(record.value)) })
      continue
    }
    const fields = unseen === true ? namesOf(record.value, root) : metadataOf(record.value, root, known)
    views.push({ root, action, fields })
  }
  views.push(
    ...ranUnseen(task),
    ...(await unfoundIn(powers, task)),
    ...(await waitingFor(powers, task, known)),
  )
  const history = await historyOf(powers, task)
  const likely = likelyIn(powers, task, request.value)
  const tools = (await toolCards(powers, task, template)).map((card) => {
    const at = MOST_LIKELY.findIndex((place) => test(likely, (ids) => isAt(ids, place, card.id)))
    return {
      ...card,
      ...(at >= 0 && { likely: at }),
      ...(searches.some((search) => hasFound(search, card.id)) && { wanted: true as const }),
    }
  })
  const troubles = await vainIn(powers, task)
  return ok({ request: request.value, history, metadata: views, tools, troubles })
}

/** A stranger's words never reach a planner; the template's own text replaces them (B-38, C-08). */
async function requestFor(
  powers: SealedReading,
  task: Task,
  template: Template,
): Promise<Result<Labeled<string>>> {
  if (template.principalClass === 'owner') return openTextOf(powers, task.words)
  return template.plannerDescription === null
    ? err('template_malformed', { template: template.id })
    : ok(receive(template.plannerDescription, kernelWords()))
}

function rootsOf(task: Task): readonly (readonly [string, SealedRef])[] {
  const hidden = unseenSteps(task.plan?.steps ?? [])
  const results = Object.entries(task.results).flatMap(([root, result]) =>
    result.kind === 'sealed' && !hidden.has(root) ? [[root, result.ref] as const] : [],
  )
  return [
    ...(task.said === null ? [] : [[SAID, task.said] as const]),
    ...Object.entries(task.memory),
    ...results,
  ]
}

/** Ranks of tools that the words most likely ask for. */
const MOST_LIKELY = [0, 1, 2, 3, 4, 5]

/**
 * Ids of the tools that the owner's own words most likely ask for. The request is in this prompt, so its label is joined there.
 */
function likelyIn(
  { extractor, now, profile }: Extraction & Clock & OwnerFacts,
  task: Task,
  request: Labeled<string>,
): Labeled {
  const context = { now: now(), timezone: profile().timezone }
  const isOwn = task.words.taint.level === 'clean'
  return derive<string, Json>(request, (words) => (isOwn ? (extractor.likely?.(words, context) ?? []) : []))
}

function isAt(ids: Json, place: number, id: string): boolean {
  return Array.isArray(ids) && ids[place] === id
}

/**
 * Whether a search returned this tool. Tool ids are declared; the search has its line
 * in this prompt, so its label is joined there.
 */
function hasFound(search: LabeledRecord, id: string): boolean {
  const found = pick(search, ['tools'])
  return found.ok && test(found.value, (tools) => canonicalJson(tools).includes(canonicalJson(id)))
}

function namesOf(record: LabeledRecord, root: string): Labeled {
  return receive(fieldNames(record, root) as Json, kernelWords())
}

/** Steps whose results this planner may not see. It learns that they are in the plan, but not whether they ran. */
function ranUnseen(task: Task): PlannerView['metadata'] {
  const { plan, results } = task
  const steps = plan?.steps ?? []
  // The number of calls that a list expanded to would reveal its length.
  const made = new Set(
    Object.values(results).flatMap((result) => (result.kind === 'many' ? result.steps : [])),
  )
  const hidden = unseenSteps(steps)
  return steps
    .filter((step) => hidden.has(step.id) && !made.has(step.id) && !isForOther(task, step))
    .map((step) => ({
      root: step.id,
      action: 'tool' in step ? step.tool : step.do,
      fields: receive({ result: { ref: step.id, kind: 'unseen' } }, kernelWords()),
    }))
}

/**
 * A `select` of code's own plan that matched no row, the reason why a model plans on
 * (DESIGN §10). Any other failure of it ends the planning.
 */
function isForOther({ results }: Task, step: Step): step is SelectStep {
  return step.do === 'select' && step.independent !== true && isUnfound(results[step.id])
}

/**
 * That there is another plan reveals something about the list, so the list's label
 * joins the prompt: a model that is not cleared for it cannot plan.
 */
async function unfoundIn(powers: SealedReading & Actions, task: Task): Promise<PlannerView['metadata']> {
  const steps = (task.plan?.steps ?? []).filter((step) => isForOther(task, step))
  return Promise.all(
    steps.map(async ({ id, do: action, from }) => {
      const { label } = await provenanceBehind(powers, task, from)
      const fields = receive(
        { result: { ref: id, kind: 'nothing_found' } },
        { label, taint: taintOf('extracted', action) },
      )
      return { root: id, action, fields }
    }),
  )
}

/** Searches that found nothing. The lists themselves are in the prompt, so their label is joined there. */
async function vainIn(powers: SealedReading & Actions, task: Task): Promise<PlannerView['troubles']> {
  const searches = task.plan === null || task.again === true ? [] : await searchesWithoutResult(powers, task)
  return searches.map((tool) => ({ tool, reason: 'nothing_found' }))
}

/** Root of a question that no plan can change, such as one about a rule. */
const WAITING = 'waiting'

/**
 * The owner's pending questions: tool, number, time, and the arguments as metadata, never a
 * card's text. Without them a planner would plan the same again, and could not change it.
 */
async function waitingFor(powers: WaitingPorts, task: Task, known: Known): Promise<PlannerView['metadata']> {
  const { may } = ownSession(powers, task)
  const waiting = powers.store
    .pendingApprovals(task.principal)
    .filter(({ approval, card }) => approval.task !== task.id && may(card.label))
    .slice(-MOST_WAITING)
  const roots = new Map(Object.entries(task.asked ?? {}).map(([root, id]) => [id, root]))
  const views: PlannerView['metadata'][number][] = []
  for (const { approval, card, number } of waiting) {
    const root = roots.get(approval.id)
    const args = root === undefined ? null : await askedFields(powers, task, { root, known })
    const asked = receive<Json>(
      { number, asked: new Date(approval.createdAt).toISOString() },
      { label: card.label, taint: taintOf('extracted', WAITING) },
    )
    const fields = combine<Json, Json>(args === null ? [asked] : [asked, args], (parts) =>
      Object.assign({}, ...parts),
    )
    views.push({ root: root ?? WAITING, action: approval.tool, fields })
  }
  return views
}

/** Ports needed to describe pending questions. */
type WaitingPorts = OwnerFacts & CallPorts & GuardPorts & StoreOf<ApprovalStore>

/**
 * Arguments of a pending call as metadata. Null if one is a value that a model found
 * in a text, which no planner may see (DESIGN §10).
 */
async function askedFields(
  powers: WaitingPorts,
  task: Task,
  { root, known }: { readonly root: string; readonly known: Known },
): Promise<Labeled | null> {
  const asked = askedCall(powers, task, root)
  const action = asked === null ? null : lookUpAction(powers.registry, asked.step.tool)
  if (asked === null || !action?.ok) return null
  const { id, args, ceiling, compartment } = action.value
  const call = await resolveCall(powers, asked.task, {
    ...{ action: action.value, args: asked.step.args, step: asked.step.id },
  })
  if (!call.ok) return null
  const { owner = [], assistant = [] } = authorsOf(powers, asked.task, asked.step, call.value)
  const isShown = call.value.args.every(
    ({ name, spec, value }) =>
      spec.kind === 'text' || value.taint.level !== 'raw' || [...owner, ...assistant].includes(name),
  )
  if (!isShown) return null
  const { label, taint } = call.value.whole
  const source = { origin: `asked:${id}`, spec: args, ceiling, compartment, taint: 'clean' } as const
  const record = extractRecord({ ...source, inputs: { label, taint } }, call.value.whole, (values) => values)
  return record.ok ? metadataOf(record.value, root, known) : null
}

/** Knowledge of the owner used to describe a handle. The words are null when another person speaks. */
interface Known {
  readonly profile: OwnerProfile
  readonly words: Labeled<string> | null
}

function metadataOf(record: LabeledRecord, root: string, { profile, words }: Known): Labeled {
  const own = receive(null, metadataProvenance(record))
  const facts = (value: string): HandleFacts => knownAs(value, profile, root === CONTACTS_ROOT)
  const fields = (said: ReadonlySet<string>): Json =>
    metadata(record, root, (value) => ({ ...facts(value), ...matched(value, said) })) as Json
  if (words === null) return derive(own, () => fields(new Set()))
  // A value extracted from the owner's message is shown if the message contains it.
  if (root === SAID)
    return combine<Json, Json>([own, words], ([, text]) => {
      const typed = String(text).toLowerCase()
      return metadata(record, root, (value) =>
        typed.includes(value.toLowerCase()) ? { says: value } : {},
      ) as Json
    })
  return combine<Json, Json>([own, words], ([, text]) => fields(tellingApart(String(text))))
}

/** Describes a contact's address by the contact's name, and by the contact's groups if the message names the contact. */
function knownAs(value: string, profile: OwnerProfile, isNamed: boolean): HandleFacts {
  const contact = profile.contacts.find(({ email }) => email.toLowerCase() === value.toLowerCase())
  if (contact === undefined) return {}
  const { name, groups } = contact
  return { known: knownIn(name, isNamed ? (groups ?? []) : []) }
}

/** Number of the owner's own words found in the value, by which a planner can choose an item without reading it. */
function matched(value: string, said: ReadonlySet<string>): HandleFacts {
  if (said.size === 0) return {}
  const rank = [...tellingApart(value)].filter((word) => said.has(word)).length
  return rank === 0 ? {} : { rank: Math.min(rank, MAX_RANK) }
}

async function historyOf(
  powers: SealedReading & PolicySource & HistorySpan & StoreOf<TurnStore>,
  task: Task,
): Promise<Labeled | null> {
  const { history } = await recallHistory(powers, {
    turns: powers.history.plannerTurns,
    // Words of another principal, linked or not, must not influence planning.
    from: [ownSession(powers, task)],
    lines: ({ words, answer }) =>
      words.taint.level === 'clean' ? [{ ref: words, prefix: answer === null ? `${ANSWERED} ` : '' }] : [],
  })
  return history
}

/** Tools of the template that this place can use now, or once home is connected, described in kernel words (I-09). */
export async function toolCards(
  powers: Actions & Tools & HomeLine & DirectiveFiles,
  task: Task,
  template: Template,
): Promise<readonly ToolCard[]> {
  const cards: ToolCard[] = []
  const asking = { ...powers, home: powers.home === null ? null : askedOnce(powers.home) }
  for (const id of template.tools) {
    const action = lookUpAction(powers.registry, id)
    if (!action.ok) continue
    const reach = await reachOf(asking, task, action.value)
    if (reach === 'nowhere' || reach === 'away') continue
    const card = cardOf(action.value)
    const names = action.value.sought ? namesFor(powers, action.value) : []
    cards.push({
      ...card,
      ...(names.length > 0 && { terms: [...(card.terms ?? []), ...names] }),
      ...(reach === 'credential' && { unconnected: true }),
      ...(reach === 'off' && { off: true }),
      ...(reach === 'here' && powers.tools.isIdle?.(action.value) === true && { idle: true }),
    })
  }
  return cards
}

/** Asks the link only once: each question is a call of another object, and the answer is the same for all cards. */
function askedOnce(home: HomeLink): HomeLink {
  return { ...home, up: once(() => home.up()) }
}
