/**
 * Label routing: which model may see a prompt, and the next one when it fails (D-01 – D-06, D-13). Filters the
 * chain by label first, finalises anew for each model (N-12), and labels the answer with all that was read.
 * With attempt.ts the only caller of `ModelProvider.complete`. Called by pipeline/model-call.ts and history-use.ts.
 */

import type { Clearance } from '../flow/clearance.ts'
import { type Label, levelOf } from '../flow/label.ts'
import type { Provenance } from '../flow/labeled.ts'
import { maxLevel, rankOf } from '../flow/level.ts'
import { checkModel, type ModelReader } from '../flow/policy.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import { type FinalizeInput, type FinalPrompt, finalize, promptProvenance } from '../prompt/finalize.ts'
import type { PromptRequest, PromptTexts } from '../prompt/parts.ts'
import { estimateTokens } from '../prompt/tokens.ts'
import type { ReasonCode } from '../reasons.ts'
import { attempt } from './attempt.ts'
import { calibrationOf, learnFrom } from './calibration.ts'
import type { Patience } from './patience.ts'
import type { ModelAnswer, ModelLimits, ModelProvider, StopSignal } from './provider.ts'
import type { Spend } from './spend.ts'
import type { ModelCost } from './usage.ts'

/** Milliseconds of silence that a person takes for a fault (D-17). */
export const VISIBLE_DELAY = 4_000

/** The owner's word, and his template's: what a cloud model needs beside its clearance. */
interface Consent {
  /** The template's ceiling; the joined label of a prompt counts beside it, and the higher of both (D-06). */
  readonly ceiling: Clearance
  /** His recorded yes to cloud models for this template (D-07). */
  readonly cloudRiskAcknowledged: boolean
}

export interface ModelCall extends Consent {
  /** In the order in which they are asked. */
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
  /** `timeout`: of the whole call, with every model and every try of it. */
  readonly limits: ModelLimits
  /** See `Attempt`: after a fault the next model is asked. */
  readonly faultIn?: ((answer: ModelAnswer) => Refusal | null) | undefined
  /** Who hears an answer while it comes, told first what its writer reads; for each model that is asked anew. */
  readonly hear?: ((provenance: Provenance) => (text: string) => void) | undefined
  /** Ends the whole call. */
  readonly signal?: StopSignal | undefined
  readonly patience: Patience
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Tries of one model after the first; `RETRIES` unless it says so. */
  readonly retries?: number
  /** Told once, when another model is asked and a person has waited for `VISIBLE_DELAY` already. */
  readonly delayed?: (() => Promise<void>) | undefined
  /** Asked before each try of a model, and told of it; absent: nothing is counted. */
  readonly spend?: Spend
}

/** A model that was to be asked and gave no answer. */
export interface FailedModel {
  readonly model: string
  readonly code: ReasonCode
}

export interface ModelReply {
  readonly text: string
  readonly cut: boolean
  readonly model: string
  /** Label and taint of everything the model read: its answer bears them, whatever its type (DESIGN §2). */
  readonly provenance: Provenance
  /** Models before this one, in order; those that rest among them, which were not asked. */
  readonly failed: readonly FailedModel[]
  /** The prompt had lost its identity, and was given it back. */
  readonly repaired: boolean
  /** Stretches of outside text that the sanitizer replaced in it. */
  readonly removed: number
  /** As the provider counted them. */
  readonly tokens: ModelAnswer['tokens']
  readonly fixed: ModelCost['fixed']
}

/** The last model's refusal, and all that failed. */
export interface NoReply {
  readonly ok: false
  readonly reason: Refusal
  readonly failed: readonly FailedModel[]
}

/** Refusals: model_not_cleared and the like when no model may read it, secret_in_prompt, else the last model's own reason. */
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
      // No model is cleared for a secret, so that none is asked (D-05).
      if (last.code === 'secret_in_prompt') break
      continue
    }
    if (!told && wasAsked(failed) && call.now() - began >= VISIBLE_DELAY) {
      told = true
      await call.delayed?.()
    }
    const until = shareOf(began + call.limits.timeout, call.now(), cleared.slice(at + 1))
    const answer = await attempt(provider, prompt.value, { ...call, until })
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

/** A model that rests, is paid for no more or is at a home that is away was not asked: nobody waited for it. */
export function wasAsked(failed: readonly FailedModel[]): boolean {
  return failed.some(({ code }) => !UNASKED.includes(code))
}

/**
 * Until when one model may take its time: half of what is left while others that take time come after it, so that one that
 * never answers leaves some for the next. Epoch milliseconds.
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
  // Only a model that reads text has one: it is laid out for nobody else.
  return least === undefined ? null : { tokens: estimateTokens(prompt.stable), least }
}

/** What the first model that may read it would be given. Refusals as above. */
export function previewPrompt(call: ModelCall): Result<FinalPrompt> {
  const prompts = call.models.map((provider) => promptFor(call, provider))
  return prompts.find(({ ok }) => ok) ?? prompts[0] ?? err('model_unavailable')
}

/** What a prompt holds at least: all that is not left out for a model that may not read it. */
function leastPrompt(request: PromptRequest): Provenance {
  return promptProvenance({ ...request, self: NOTHING, document: [], directives: [], blocks: [] })
}

/** What a model may not know of the assistant is left out of its prompt; anything else that it may not read refuses it. */
function promptFor(call: ModelCall, provider: ModelProvider): Result<FinalPrompt> {
  const { reader, reads = 'text' } = provider
  const { request, texts, boundary, boundaryFor, redact, known, strict, fit } = call
  const verdict = mayRead(call, reader, leastPrompt(request).label)
  if (!verdict.ok) return verdict
  const sections = request.self.sections.filter(({ value }) => mayRead(call, reader, value.label).ok)
  const self = { ...request.self, sections }
  const [window, calibration] = [windowOf(provider), calibrationOf(provider)]
  const limits = { reads, window, answer: call.limits.maxTokens, calibration }
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

/** Tokens: what the smaller models of today have, so that nothing is cut off silently by one that says nothing. */
const DEFAULT_WINDOW = 32_768

/** Tokens that it reads and writes together. */
export function windowOf({ window = DEFAULT_WINDOW }: Pick<ModelProvider, 'window'>): number {
  return window
}

/** The model that a prompt of this label would be for; null where none may read it. */
export function readerFor<T extends Pick<ModelProvider, 'reader'>>(
  call: Consent & { readonly models: readonly T[] },
  label: Label,
): T | null {
  return call.models.find(({ reader }) => mayRead(call, reader, label).ok) ?? null
}

const NOTHING = Object.freeze({ version: '', sections: [] })

/**
 * Data: prompts. Readers: models. Rationale: above `internal` a cloud model needs the owner's acknowledgement for this
 * template (D-03); what is regulated, or of a template for it, stays at home whatever was acknowledged (D-04).
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

/** No acknowledgement reaches this far. */
export function isRegulated({ level, compartments }: Clearance): boolean {
  return rankOf(level) >= rankOf('regulated') || compartments === 'all' || compartments.length > 0
}
