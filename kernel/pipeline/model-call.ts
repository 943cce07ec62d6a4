/**
 * One model call of a task: what every call has in common is added here, so that no caller can leave it out (N-06, N-07,
 * M-16): whose prompt it is, what the assistant is told of itself, the texts, the boundary, the template's ceiling; and
 * it is audited. Called by plan.ts, compose.ts, synthesize.ts and whoami.ts.
 */
import { kernelWords, receive } from '../flow/provenance.ts'
import { allowed, type Result, refused } from '../flow/verdict.ts'
import type { ModelLimits, ModelProvider } from '../inference/provider.ts'
import { callModel, type ModelCall, type ModelReply, previewPrompt } from '../inference/router.ts'
import { audit } from '../powers/audit.ts'
import type { Powers } from '../powers/ports.ts'
import type { FinalPrompt } from '../prompt/finalize.ts'
import type { PromptRequest } from '../prompt/parts.ts'
import type { Audience } from '../self/section.ts'
import { personaView, selfView } from '../self/view.ts'
import type { PrincipalClass } from '../task/principal.ts'
import type { Task } from '../task/task.ts'
import { outputFor } from '../wording/output.ts'
import { directivesIn, documentFor } from './guidance.ts'
import { fitsTask } from './read-through.ts'

/** What every call has, and no caller says. */
type Common = 'audience' | 'self' | 'document' | 'directives' | 'blocks' | 'output'

export interface Asked {
  /** What only the caller knows. */
  readonly request: Omit<PromptRequest, Common>
  readonly limits: ModelLimits
  /** In order of preference; all of the place's where none are named. */
  readonly models?: readonly ModelProvider[]
}

/** Data: what is known of the assistant. Readers: five classes of principals. A job of the owner's speaks with him. */
const AUDIENCES: Readonly<Record<PrincipalClass, Audience>> = Object.freeze({
  owner: 'owner',
  cron: 'owner',
  paired: 'paired',
  third_party: 'public',
  webhook: 'public',
})

/** Refusals: template_none_matches; those of `callModel`. */
export async function askModel(powers: Powers, task: Task, asked: Asked): Promise<Result<ModelReply>> {
  const call = await callFor(powers, task, asked)
  if (!call.ok) return call
  const { purpose } = asked.request
  const reply = await callModel(call.value)
  if (!reply.ok) return reply
  const { model, failed, repaired, removed, read } = reply.value
  const facts = {
    ...{ model, purpose, failed: failed.join(',') },
    ...(removed === 0 ? {} : { removed }),
    ...(read === 0 ? {} : { read }),
  }
  audit(powers, 'model_called', task, facts)
  if (repaired) audit(powers, 'fault', task, { code: 'identity_repaired', model, purpose })
  return reply
}

/** The prompt that a call would send, as text, for who counts it (P-18). Asks no model. Refusals as of `askModel`. */
export async function promptOf(powers: Powers, task: Task, asked: Asked): Promise<Result<FinalPrompt>> {
  const call = await callFor(powers, task, { ...asked, models: asked.models ?? powers.models.map(asText) })
  return call.ok ? previewPrompt(call.value) : call
}

async function callFor(powers: Powers, task: Task, asked: Asked): Promise<Result<ModelCall>> {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template === undefined) return refused('template_none_matches', { template: task.template })
  const { purpose, request } = asked.request
  const models = asked.models ?? powers.models
  const audience = AUDIENCES[template.principalClass]
  const may = fitsTask(powers, task)
  const self = await selfView(powers, task, { purpose, audience, may })
  return allowed({
    ...boundaryOf(powers),
    models,
    request: {
      ...asked.request,
      ...{ audience, self, output: outputFor(powers, task.sink) },
      directives: await directivesIn(powers, task, { purpose, may }),
      document: documentFor(powers, task, { template, purpose, audience, may }),
      // What only a text says is made for nobody who reads none.
      blocks: models.some(readsText)
        ? await powers.tier.blocks(powers, task, { purpose, audience, request, may })
        : [],
    },
    limits: asked.limits,
    ceiling: template.ceiling.level,
    cloudRiskAcknowledged: template.inference.cloudRiskAcknowledged,
  })
}

function readsText({ reads = 'text' }: ModelProvider): boolean {
  return reads === 'text'
}

function asText(model: ModelProvider): ModelProvider {
  return { ...model, reads: 'text' }
}

/** A name is a word or two. */
const NAME_LIMITS: ModelLimits = Object.freeze({ maxTokens: 20, timeout: 60_000 })

/** Asks one model what it is called, for no task: nothing of anybody is in the prompt (N-28). */
export async function askName(powers: Powers, provider: ModelProvider): Promise<Result<ModelReply>> {
  const nothing = {
    history: null,
    metadata: [],
    contents: [],
    tools: [],
    troubles: [],
    question: null,
  } as const
  const request = {
    ...nothing,
    purpose: 'whoami',
    request: receive('What is your name?', kernelWords()),
  } as const
  const output = outputFor(powers, '')
  return callModel({
    ...boundaryOf(powers),
    models: [provider],
    request: {
      ...request,
      audience: 'owner',
      self: personaView(powers),
      document: [],
      directives: [],
      blocks: [],
      output,
    },
    limits: NAME_LIMITS,
    ceiling: 'public',
    cloudRiskAcknowledged: false,
  })
}

/** The same for every call of a place. */
function boundaryOf({
  texts,
  redact,
  strict,
  newId,
  tier,
}: Powers): Pick<ModelCall, 'texts' | 'redact' | 'strict' | 'boundary' | 'fit'> {
  return { texts, redact, strict, boundary: newId(), fit: tier.fit }
}
