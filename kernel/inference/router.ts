/**
 * Label routing: which model may see a prompt, and which is next when it fails (D-01 – D-06, D-13). Filters the chain by label
 * first, finalises anew for each model (N-12), and labels the answer with everything that was read. The only caller of
 * `ModelProvider.complete`, with attempt.ts. Called by model-call/model-call.ts and history-use.ts.
 */

import type { Clearance } from '../flow/clearance.ts'
import { type Label, levelOf } from '../flow/label.ts'
import type { Provenance } from '../flow/labeled.ts'
import { maxLevel, rankOf } from '../flow/level.ts'
import { checkModel, type ModelReader } from '../flow/policy.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import { estimateTokens } from '../prompt/budget.ts'
import { type FinalizeInput, type FinalPrompt, finalize, promptProvenance } from '../prompt/finalize.ts'
import type { PromptRequest, PromptTexts } from '../prompt/parts.ts'
import type { ReasonCode } from '../reasons.ts'
import { attempt, type Patience } from './attempt.ts'
import type { ModelAnswer, ModelLimits, ModelProvider, StopSignal } from './provider.ts'
import { shortAnswer } from './short-answer.ts'
import type { Spend } from './spend.ts'
import { calibrationOf, learnFrom, type ModelCost } from './usage.ts'

/** Milliseconds of silence after which a person assumes a fault (D-17). */
export const VISIBLE_DELAY = 4_000

/** What a cloud model needs besides its clearance: the template's request and the owner's approval. */
interface Consent {
  /** The template's ceiling. The higher of it and the prompt's joined label decides (D-06). */
  readonly ceiling: Clearance
  /** The owner's recorded approval of cloud models for this template (D-07). */
  readonly cloudRiskAcknowledged: boolean
}

export interface ModelCall extends Consent {
  /** In the order of the calls. */
  readonly models: readonly ModelProvider[]
  readonly request: PromptRequest
  readonly texts: PromptTexts
  readonly boundary: string
  /** See `FinalizeInput.boundaryFor`. */
  readonly boundaryFor: (line: string) => string
  readonly redact: FinalizeInput['redact']
  readonly known: FinalizeInput['known']
  /** See `FinalizeInput.strict`, and `fit`. */
  readonly strict: boolean
  readonly fit?: FinalizeInput['fit']
  /** `timeout`: for the whole call, over all models and tries. */
  readonly limits: ModelLimits
  /**
   * Receives the answer as it streams; first gets the provenance of what the writer reads. Called for each
   * model.
   */
  readonly hear?: ((provenance: Provenance) => (text: string) => void) | undefined
  /** Stops the whole call. */
  readonly signal?: StopSignal | undefined
  readonly patience: Patience
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Retries of one model; default `RETRIES`. */
  readonly retries?: number
  /** Called once, when another model is called and a person has already waited `VISIBLE_DELAY`. */
  readonly delayed?: (() => Promise<void>) | undefined
  /** Called before and after each try of a model; absent: nothing is counted. */
  readonly spend?: Spend
}

/** A model of the chain that gave no answer. */
export interface FailedModel {
  readonly model: string
  readonly code: ReasonCode
}

export interface ModelReply {
  readonly text: string
  readonly cut: boolean
  readonly model: string
  /**
   * Label and taint of everything that the model read. The answer carries them, whatever its type (DESIGN
   * §2).
   */
  readonly provenance: Provenance
  /**
   * Earlier models of the chain, in order, including those that were not called because their breaker is
   * open.
   */
  readonly failed: readonly FailedModel[]
  /** True if the prompt had lost its identity and was repaired. */
  readonly repaired: boolean
  /** Number of stretches of outside text that the sanitizer replaced. */
  readonly removed: number
  /** As counted by the provider. */
  readonly tokens: ModelAnswer['tokens']
  readonly fixed: ModelCost['fixed']
}

/** The last model's refusal, and all failures. */
export interface NoReply {
  readonly ok: false
  readonly reason: Refusal
  readonly failed: readonly FailedModel[]
}

/**
 * Refusals: model_not_cleared and related codes when no model may read the prompt; secret_in_prompt;
 * otherwise the last model's own.
 */
export async function callModel(
  call: ModelCall,
): Promise<{ readonly ok: true; readonly value: ModelReply } | NoReply> {
  const { label } = leastPrompt(call.request)
  const cleared = call.models.filter(({ reader }) => mayRead(call, reader, label).ok)
  let last: Refusal = refusalOf(call, label)
  const failed: FailedModel[] = []
  const began = call.now()
  let told = false
  for (const [at, provider] of cleared.entries()) {
    const prompt = promptFor(call, provider)
    if (!prompt.ok) {
      last = prompt.reason
      // No model is cleared for a secret, so no further one is tried (D-05).
      if (last.code === 'secret_in_prompt') break
      continue
    }
    if (!told && wasAsked(failed) && call.now() - began >= VISIBLE_DELAY) {
      told = true
      await call.delayed?.()
    }
    const until = shareOf(began + call.limits.timeout, call.now(), cleared.slice(at + 1))
    const schema = shortAnswer(call.request.purpose, prompt.value.options)
    const limits =
      schema === undefined || provider.reads === 'parts' ? call.limits : { ...call.limits, schema }
    const answer = await attempt(provider, prompt.value, { ...call, limits, until })
    if (answer.ok) {
      const value = replyOf(provider, { prompt: prompt.value, answer: answer.value, failed })
      return { ok: true, value }
    }
    last = answer.reason
    failed.push({ model: provider.reader.id, code: last.code })
    if (call.signal?.aborted === true) break
  }
  return { ok: false, reason: last, failed }
}

const UNASKED: readonly ReasonCode[] = ['model_resting', 'model_budget_spent', 'home_offline']

/**
 * False if no model was called: its breaker is open, the budget is spent, or it is at a home that is offline.
 * Then nobody waited.
 */
export function wasAsked(failed: readonly FailedModel[]): boolean {
  return failed.some(({ code }) => !UNASKED.includes(code))
}

/**
 * Deadline of one model, epoch milliseconds: half of the remaining time while other slow models follow, so
 * that one that never answers leaves time for the next.
 */
function shareOf(end: number, now: number, after: readonly ModelProvider[]): number {
  const others = after.some(({ reads }) => reads !== 'parts')
  return others ? now + (end - now) / 2 : end
}

function refusalOf(call: ModelCall, label: Label): Refusal {
  const [first] = call.models
  const verdict = first === undefined ? null : mayRead(call, first.reader, label)
  return verdict === null || verdict.ok ? { code: 'model_unavailable', facts: {} } : verdict.reason
}

interface Replied {
  readonly prompt: FinalPrompt
  readonly answer: ModelAnswer
  readonly failed: readonly FailedModel[]
}

function replyOf(provider: ModelProvider, { prompt, answer, failed }: Replied): ModelReply {
  learnFrom(provider, prompt, answer.tokens.input)
  const { text, cut, tokens } = answer
  const { provenance, repaired, removed } = prompt
  const model = provider.reader.id
  const fixed = fixedPart(provider, prompt)
  return { text, cut, model, provenance, failed, repaired, removed, tokens, fixed }
}

function fixedPart({ cacheMinimum: least }: ModelProvider, prompt: FinalPrompt): ModelCost['fixed'] {
  // Only a model that reads text has a laid-out prompt.
  return least === undefined ? null : { tokens: estimateTokens(prompt.stable), least }
}

/** The prompt that the first permitted model would get. Refusals as above. */
export function previewPrompt(call: ModelCall): Result<FinalPrompt> {
  const prompts = call.models.map((provider) => promptFor(call, provider))
  return prompts.find(({ ok }) => ok) ?? prompts[0] ?? err('model_unavailable')
}

/** Provenance of the smallest possible prompt: without the parts that may be left out for a model. */
function leastPrompt(request: PromptRequest): Provenance {
  return promptProvenance({ ...request, self: NOTHING, document: [], directives: [], blocks: [] })
}

/** Minimum UTF-16 units of a token in an alphabetic language, and minimum tokens of an answer. */
const UNITS_OF_TOKEN = 3
const LEAST_TOKENS = 100

/**
 * Tokens to reserve for an answer of the permitted length. A model may write more,
 * until the limit of the call or its window ends it.
 */
function tokensFor({ purpose, output }: ModelCall['request']): number {
  const isText = purpose === 'synthesize' || purpose === 'compose'
  return isText ? Math.ceil(output.maxChars / UNITS_OF_TOKEN) + LEAST_TOKENS : Number.POSITIVE_INFINITY
}

/**
 * Self-knowledge that a model may not read is left out of its prompt. Any other part that it may not read
 * refuses the prompt.
 */
function promptFor(call: ModelCall, provider: ModelProvider): Result<FinalPrompt> {
  const { reader, reads = 'text' } = provider
  const { request, texts, boundary, boundaryFor, redact, known, strict, fit } = call
  const verdict = mayRead(call, reader, leastPrompt(request).label)
  if (!verdict.ok) return verdict
  const sections = request.self.sections.filter(({ value }) => mayRead(call, reader, value.label).ok)
  const self = { ...request.self, sections }
  const [window, calibration] = [windowOf(provider), calibrationOf(provider)]
  const answer = Math.min(call.limits.maxTokens, tokensFor(request))
  const limits = { reads, window, answer, calibration }
  const directives = request.directives.filter(({ value }) => mayRead(call, reader, value.label).ok)
  const document = request.document.filter((each) => mayRead(call, reader, each.label).ok)
  const blocks = request.blocks.filter(({ value }) => mayRead(call, reader, value.label).ok)
  return finalize({
    request: { ...request, self, document, directives, blocks },
    texts,
    model: reader,
    boundary,
    boundaryFor,
    redact,
    known,
    strict,
    limits,
    fit,
  })
}

/**
 * Default window, tokens: that of small current models, so that a model which reports none does not silently
 * cut prompts.
 */
const DEFAULT_WINDOW = 32_768

/** Tokens of prompt and answer together. */
export function windowOf({ window = DEFAULT_WINDOW }: Pick<ModelProvider, 'window'>): number {
  return window
}

/** The model that would get a prompt of this label; null if none may read it. */
export function readerFor<T extends Pick<ModelProvider, 'reader'>>(
  call: Consent & { readonly models: readonly T[] },
  label: Label,
): T | null {
  return call.models.find(({ reader }) => mayRead(call, reader, label).ok) ?? null
}

const NOTHING = Object.freeze({ version: '', sections: [] })

/**
 * Data: prompts. Readers: models. Rationale: above `internal` a cloud model needs the owner's acknowledgement
 * for this template (D-03); regulated data, and prompts of a template for it, stay at home whatever was
 * acknowledged (D-04).
 */
function mayRead(
  { ceiling, cloudRiskAcknowledged }: Consent,
  reader: ModelReader,
  label: Label,
): Result<true> {
  const guarded = rankOf(maxLevel(ceiling.level, levelOf(label))) > rankOf('internal')
  if (reader.locality === 'cloud' && guarded && !cloudRiskAcknowledged)
    return err('model_not_cleared', { model: reader.id })
  if (reader.locality !== 'home' && isRegulated(ceiling))
    return err('model_not_cleared', { model: reader.id })
  const verdict = checkModel(reader, label)
  return verdict.allow ? ok(true) : err(verdict.code, verdict.facts)
}

/** True for data that no acknowledgement covers. */
export function isRegulated({ level, compartments }: Clearance): boolean {
  return rankOf(level) >= rankOf('regulated') || compartments === 'all' || compartments.length > 0
}
