/**
 * One model call of a task. Adds what every call needs, so that no caller can omit it (N-06, N-07, M-16):
 * audience, self-description, texts, boundary, the template's ceiling, audit. Called by plan.ts, compose.ts,
 * synthesize.ts, reader-pass.ts, attachments.ts and compaction.ts.
 */

import { type DeliverPorts, deliverNotice } from '../features/deliveries/deliver.ts'
import type { FactStore } from '../features/memory/port.ts'
import { modelsFor } from '../features/models/choice.ts'
import { acknowledgesCloud } from '../features/models/consent.ts'
import type { SettingStore } from '../features/quiet/port.ts'
import type { UsageStore } from '../features/usage/port.ts'
import { spendFor } from '../features/usage/spending.ts'
import { levelOf } from '../flow/label.ts'
import type { Labeled } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import type { ModelLimits, ModelProvider } from '../inference/provider.ts'
import {
  callModel,
  type FailedModel,
  type ModelCall,
  type ModelReply,
  previewPrompt,
} from '../inference/router.ts'
import { usageFacts } from '../inference/usage.ts'
import { type Auditing, audit } from '../powers/audit.ts'
import type {
  Caps,
  Clock,
  CostNotes,
  DirectiveFiles,
  Documents,
  HomeLine,
  Looker,
  Models,
  OwnerFacts,
  Phase,
  SelfKnowledge,
  Templates,
} from '../powers/ports.ts'
import type { ApprovalStore, GrantStore, IdentityLinkStore, StoreOf, TurnStore } from '../powers/stores.ts'
import type { FinalPrompt } from '../prompt/finalize.ts'
import type { Purpose } from '../prompt/mode.ts'
import type { PromptRequest } from '../prompt/parts.ts'
import type { Audience } from '../self/section.ts'
import { personaView, selfView } from '../self/view.ts'
import type { Picture } from '../task/picture.ts'
import type { PrincipalClass } from '../task/principal.ts'
import type { Task, TaskState } from '../task/task.ts'
import type { GuardPorts } from '../wording/guard/guard.ts'
import { outputFor } from '../wording/output.ts'
import { type BoundaryPorts, boundaryOf, directivesIn, documentFor } from './guidance.ts'
import { fitsTask } from './read-through.ts'

/** Parts of every request that this file adds. */
type Common = 'audience' | 'self' | 'document' | 'directives' | 'blocks' | 'output'

export interface Asked {
  /** The part of the request that the caller provides. */
  readonly request: Omit<PromptRequest, Common>
  readonly limits: ModelLimits
  /** Maximum UTF-16 units of the answer; by default that of an answer to a chat. */
  readonly maxChars?: number
  /** Selects among the template's models; all of them when absent. */
  readonly only?: (model: ModelProvider) => boolean
  readonly hear?: ModelCall['hear']
  /** Remaining tokens of the task's budget; the template's limit applies as well. */
  readonly left?: number
}

/**
 * Data: what is known of the assistant. Readers: five classes of principals. A job of the owner's speaks with
 * the owner.
 */
export const AUDIENCES: Readonly<Record<PrincipalClass, Audience>> = Object.freeze({
  owner: 'owner',
  cron: 'owner',
  paired: 'paired',
  third_party: 'public',
  webhook: 'public',
})

const ASKED_IN: Partial<Readonly<Record<TaskState['at'], Purpose>>> = Object.freeze({
  extracting: 'look',
  planning: 'plan',
  synthesizing: 'synthesize',
})

/** Ports of a call for a task: prompt parts, models, caps, and the delay notice. */
export type AskModelPorts = AskNamedPorts &
  DeliverPorts &
  GuardPorts &
  Documents &
  Models &
  CostNotes &
  HomeLine &
  DirectiveFiles &
  StoreOf<ApprovalStore & GrantStore & IdentityLinkStore & TurnStore & FactStore & SettingStore>

/** Refusals: model_refused_phase, template_none_matches, task_stopped; those of `callModel`. */
export async function askModel(powers: AskModelPorts, task: Task, asked: Asked): Promise<Result<ModelReply>> {
  if (!isOfPhase(task, asked.request.purpose)) return err('model_refused_phase', { state: task.state.at })
  const call = await callFor(powers, task, asked)
  if (!call.ok) return call
  // The row continues with its next call, but nobody wants the answer any more.
  if (powers.stop?.aborted === true) return err('task_stopped')
  const { purpose } = asked.request
  const reply = await callModel(call.value)
  if (!reply.ok) {
    const { failed, reason } = reply
    noteLeak(powers, task, reason)
    if (failed.length > 0)
      audit(powers, 'model_called', task, { model: null, purpose, failed: listOf(failed), code: reason.code })
    return reply
  }
  const { model, failed, repaired, removed, tokens, fixed, cut } = reply.value
  const found = { ...(removed === 0 ? {} : { removed }), ...(cut && { cut }) }
  const facts = { model, purpose, failed: listOf(failed), ...found }
  audit(powers, 'model_called', task, { ...facts, ...usageFacts(tokens) })
  powers.noteCost?.({ model, purpose, tokens, fixed })
  if (repaired) audit(powers, 'fault', task, { code: 'identity_repaired', model, purpose })
  return reply
}

/** Audits that a secret was about to leave: its name and destination (D-05). */
function noteLeak(powers: Auditing, task: Task | null, { code, facts }: Refusal): void {
  if (code === 'secret_in_prompt') audit(powers, 'denial', task, { code, ...facts })
}

/** Ids and codes only: a provider's message could quote the prompt. */
function listOf(failed: readonly FailedModel[]): string {
  return failed.map(({ model, code }) => `${model} ${code}`).join(', ')
}

/**
 * The prompt that a call would send, as text, for measuring it (P-18). Calls no model. Refusals as of
 * `askModel`.
 */
export async function promptOf(
  powers: AskModelPorts,
  task: Task,
  asked: Asked,
): Promise<Result<FinalPrompt>> {
  const call = await callFor(powers, task, asked, asText)
  return call.ok ? previewPrompt(call.value) : call
}

async function callFor(
  powers: AskModelPorts,
  task: Task,
  asked: Asked,
  as: (model: ModelProvider) => ModelProvider = (model) => model,
): Promise<Result<ModelCall>> {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template === undefined) return err('template_none_matches', { template: task.template })
  const { purpose, request } = asked.request
  const { only = () => true } = asked
  const models = modelsFor(powers, template, task).filter(only).map(as)
  const audience = AUDIENCES[template.principalClass]
  const may = fitsTask(powers, task)
  const opening = asked.request.history === null
  const self = await selfView(powers, task, { purpose, audience, may })
  const output = outputFor(task.sink, powers.profile().timezone, powers.now())
  const { maxChars = output.maxChars } = asked
  return ok({
    ...boundaryOf(powers),
    models,
    request: {
      ...asked.request,
      ...{ audience, self, output: { ...output, maxChars } },
      directives: await directivesIn(powers, task, { purpose, may }),
      document: documentFor(powers, task, { template, purpose, audience, may, opening }),
      // Not made when none of the models reads text.
      blocks: models.some(readsText)
        ? await powers.tier.blocks(powers, task, { purpose, audience, request, may })
        : [],
    },
    limits: { ...asked.limits, timeout: powers.modelTime?.[PHASES[purpose]] ?? asked.limits.timeout },
    ...{ hear: asked.hear, signal: powers.stop },
    ceiling: template.ceiling,
    cloudRiskAcknowledged: acknowledgesCloud(powers, template.id, task.principal),
    ...(WAITED_FOR.includes(template.principalClass) && { delayed: () => tellDelay(powers, task) }),
    spend: spendFor(powers, {
      ...{ task: task.id, principal: task.principal, template: template.id, purpose },
      taskCap:
        asked.left === undefined
          ? template.maxTokensTask
          : Math.min(asked.left, template.maxTokensTask ?? asked.left),
    }),
  })
}

/** Which of the owner's time limits covers a call. */
const PHASES: Readonly<Record<Purpose, Phase>> = Object.freeze({
  ...{ plan: 'plan', synthesize: 'answer', whoami: 'answer' },
  ...{ compose: 'step', classify: 'step', extract: 'step', choose: 'step', look: 'step', read: 'step' },
  compact: 'notes',
})

/** Principals who wait in a chat; nobody waits for a job or a webhook. */
const WAITED_FOR: readonly PrincipalClass[] = ['owner', 'paired', 'third_party']

/** Sent once a task, in its own chat: the first model did not answer, and the next one is called (D-17). */
async function tellDelay(powers: DeliverPorts, task: Task): Promise<void> {
  const { id, sink, principal } = task
  const notice = `${id}:delay`
  // The planner was delayed too, and nothing was sent since.
  if (powers.store.lastDelivery(id)?.id === notice) return
  await deliverNotice(powers, { id: notice, sink, principal, code: 'model_delayed', patience: 'once' }, task)
}

function readsText({ reads = 'text' }: ModelProvider): boolean {
  return reads === 'text'
}

function asText(model: ModelProvider): ModelProvider {
  return { ...model, reads: 'text' }
}

/** Between plan and answer, only a `compose` or `classify` step may call a model (C-17). */
function isOfPhase({ state, plan }: Task, purpose: Purpose): boolean {
  const asks = state.at === 'executing' ? plan?.steps[state.step]?.do : ASKED_IN[state.at]
  return asks === purpose
}

/** Limits of an answer that is a name of one or two words. */
const NAME_LIMITS: ModelLimits = Object.freeze({ maxTokens: 20, timeout: 60_000 })

/** Ports of a call to a named model, including its cost. */
export type AskNamedPorts = BoundaryPorts & Auditing & OwnerFacts & SelfKnowledge & Caps & StoreOf<UsageStore>

/** Asks one model for its name, outside any task: the prompt contains nobody's data (N-28). */
export function askName(powers: AskNamedPorts, provider: ModelProvider): Promise<Result<ModelReply>> {
  const request = receive('What is your name?', kernelWords())
  return callModel({
    ...boundaryOf(powers),
    models: [provider],
    request: { ...bareRequest(powers), purpose: 'whoami', audience: 'owner', request },
    limits: NAME_LIMITS,
    ceiling: { level: 'public', compartments: [] },
    cloudRiskAcknowledged: false,
    spend: spendFor(powers, { task: null, principal: null, template: null, purpose: 'whoami' }),
  })
}

/** Stands in place of a person's words. */
const SHORTEN = 'Write the notes on this conversation.'

export interface SummaryAsked {
  readonly principal: string
  /** Lines with their speaker, oldest first. */
  readonly lines: Labeled
  /** Maximum UTF-16 units of the summary. */
  readonly maxChars: number
  readonly models: readonly ModelProvider[]
  readonly limits: ModelLimits
}

/**
 * Requests notes on the older part of a conversation, between tasks (O-34). The label alone selects the
 * model. A template's cloud consent does not count, since the text comes from other tasks too.
 */
export async function askSummary(powers: AskNamedPorts, asked: SummaryAsked): Promise<Result<ModelReply>> {
  const { principal, lines, maxChars, models, limits } = asked
  const bare = bareRequest(powers)
  const reply = await callModel({
    ...boundaryOf(powers),
    models,
    request: {
      ...bare,
      ...{ purpose: 'compact', audience: 'public', request: receive(SHORTEN, kernelWords()) },
      contents: [{ root: 'conversation', action: 'history', content: lines }],
      output: { ...bare.output, maxChars },
    },
    limits,
    ceiling: { level: levelOf(lines.label), compartments: [] },
    // The caller retries by itself, and nobody waits.
    retries: 0,
    cloudRiskAcknowledged: false,
    spend: spendFor(powers, { task: null, principal, template: null, purpose: 'compact' }),
  })
  if (!reply.ok) {
    noteLeak(powers, null, reply.reason)
    return reply
  }
  const { model, failed, removed } = reply.value
  const subject = { at: powers.now(), place: powers.place, trace: null, task: null, principal } as const
  const facts = { model, purpose: 'compact', failed: listOf(failed), removed }
  powers.store.appendAudit({ ...subject, kind: 'model_called', facts })
  return reply
}

export interface ReaderAsked extends AsideLimits {
  readonly contents: PromptRequest['contents']
}

/**
 * Requests notes on text written by others, from one of the owner's own models, before an answer is written
 * (N-25). Refusals as of `askModel`.
 */
export async function askReader(
  powers: AskNamedPorts & Templates & Models & CostNotes,
  task: Task,
  asked: ReaderAsked,
): Promise<Result<ModelReply>> {
  if (!isOfPhase(task, 'synthesize')) return err('model_refused_phase', { state: task.state.at })
  return askAside(powers, task, { ...asked, purpose: 'read', models: powers.models })
}

export interface LookerAsked extends AsideLimits {
  readonly picture: Labeled<Picture>
}

/**
 * Requests a description of a picture from the owner's own vision model, before planning (B-27). Refusals as
 * of `askModel`.
 */
export async function askLooker(
  powers: AskNamedPorts & Templates & Looker & CostNotes,
  task: Task,
  asked: LookerAsked,
): Promise<Result<ModelReply>> {
  if (!isOfPhase(task, 'look')) return err('model_refused_phase', { state: task.state.at })
  const models = powers.sees === undefined ? [] : [powers.sees]
  return askAside(powers, task, { ...asked, purpose: 'look', models, contents: [] })
}

interface AsideLimits {
  /** Maximum UTF-16 units of the answer, as stated to the model. */
  readonly maxChars: number
  readonly maxTokens: number
  /** Milliseconds. */
  readonly timeout: number
}

interface Aside extends AsideLimits, Pick<PromptRequest, 'purpose' | 'contents' | 'picture'> {
  readonly models: readonly ModelProvider[]
}

/**
 * Rewrites content made by others in the assistant's words. Never uses a cloud model, nor one that receives
 * anything else.
 */
async function askAside(
  powers: AskNamedPorts & Templates & CostNotes,
  task: Task,
  asked: Aside,
): Promise<Result<ModelReply>> {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template === undefined) return err('template_none_matches', { template: task.template })
  if (powers.stop?.aborted === true) return err('task_stopped')
  const { purpose, contents, picture, models, maxChars, maxTokens, timeout } = asked
  const bare = bareRequest(powers)
  const reply = await callModel({
    ...boundaryOf(powers),
    models: models.filter(({ reader, reads }) => reader.locality === 'home' && reads !== 'parts'),
    request: {
      ...bare,
      ...{ purpose, audience: 'public', request: receive('', kernelWords()), contents },
      ...(picture !== undefined && { picture }),
      output: { ...bare.output, maxChars },
    },
    limits: { maxTokens, timeout },
    ceiling: template.ceiling,
    retries: 0,
    cloudRiskAcknowledged: false,
    signal: powers.stop,
    spend: spendFor(powers, {
      ...{ task: task.id, principal: task.principal, template: template.id, purpose },
      taskCap: template.maxTokensTask,
    }),
  })
  if (!reply.ok) {
    noteLeak(powers, task, reply.reason)
    audit(powers, 'model_called', task, {
      ...{ model: null, purpose, failed: listOf(reply.failed), code: reply.reason.code },
    })
    return reply
  }
  const { model, failed, removed, tokens, fixed, cut } = reply.value
  const facts = { model, purpose, failed: listOf(failed), removed, ...(cut && { cut }) }
  audit(powers, 'model_called', task, { ...facts, ...usageFacts(tokens) })
  powers.noteCost?.({ model, purpose, tokens, fixed })
  return reply
}

/** The request of a call outside any task: it contains the assistant's name, and nothing else about it. */
function bareRequest(
  powers: Clock & OwnerFacts & SelfKnowledge,
): Omit<PromptRequest, 'purpose' | 'audience' | 'request'> {
  return {
    ...{ history: null, metadata: [], contents: [], tools: [], troubles: [], question: null },
    ...{ self: personaView(powers), document: [], directives: [], blocks: [] },
    output: outputFor('', powers.profile().timezone, powers.now()),
  }
}
