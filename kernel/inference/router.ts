/**
 * Label routing: which model may see a prompt, and the next one when it fails (D-01 – D-06, D-13). Filters the
 * chain by label first, finalises anew for each model (N-12), and labels the answer with all that was read.
 * The only caller of `ModelProvider.complete`. Called by plan, compose and synthesize.
 */
import { type Label, levelOf } from '../flow/label.ts'
import type { Provenance } from '../flow/labeled.ts'
import { type Level, maxLevel, rankOf } from '../flow/level.ts'
import { checkModel, type ModelReader } from '../flow/policy.ts'
import { allowed, type Refusal, type Result, refused } from '../flow/verdict.ts'
import { type FinalizeInput, type FinalPrompt, finalize, promptProvenance } from '../prompt/finalize.ts'
import type { PromptRequest, PromptTexts } from '../prompt/parts.ts'
import { estimateTokens } from '../prompt/tokens.ts'
import { calibrationOf, learnFrom } from './calibration.ts'
import type { ModelAnswer, ModelLimits, ModelProvider } from './provider.ts'
import type { ModelCost } from './usage.ts'

export interface ModelCall {
  readonly models: readonly ModelProvider[]
  readonly request: PromptRequest
  readonly texts: PromptTexts
  readonly boundary: string
  /** See `FinalizeInput.boundaryFor`. */
  readonly boundaryFor: (line: string) => string
  readonly redact: (text: string) => string
  /** See `FinalizeInput.strict`, and `fit`. */
  readonly strict: boolean
  readonly fit?: FinalizeInput['fit']
  readonly limits: ModelLimits
  /** Who hears an answer while it comes, told first what its writer reads; for each model that is asked anew. */
  readonly hear?: ((provenance: Provenance) => (text: string) => void) | undefined
  /** The template's ceiling and its owner's word on cloud models. */
  readonly ceiling: Level
  readonly cloudRiskAcknowledged: boolean
}

export interface ModelReply {
  readonly text: string
  readonly cut: boolean
  readonly model: string
  /** Label and taint of everything the model read: its answer bears them, whatever its type (DESIGN §2). */
  readonly provenance: Provenance
  /** Models that were tried and failed before this one, for the audit. */
  readonly failed: readonly string[]
  /** The prompt had lost its identity, and was given it back. */
  readonly repaired: boolean
  /** Stretches of outside text that the sanitizer replaced in it. */
  readonly removed: number
  /** As the provider counted them. */
  readonly tokens: ModelAnswer['tokens']
  readonly fixed: ModelCost['fixed']
}

/** Refusals: model_unavailable when no cleared model is left, else the last model's own reason. */
export async function callModel(call: ModelCall): Promise<Result<ModelReply>> {
  let last: Refusal = { code: 'model_unavailable', facts: {} }
  const failed: string[] = []
  for (const provider of call.models) {
    const prompt = promptFor(call, provider)
    if (!prompt.ok) {
      last = prompt.reason
      continue
    }
    const answer = await ask(provider, prompt.value, call)
    if (answer.ok) learnFrom(provider, prompt.value, answer.value.tokens.input)
    if (answer.ok && answer.value.text.trim() !== '') {
      const { text, cut, tokens } = answer.value
      const { provenance, repaired, removed } = prompt.value
      const model = provider.reader.id
      const fixed = fixedPart(provider, prompt.value)
      return { ok: true, value: { text, cut, model, provenance, failed, repaired, removed, tokens, fixed } }
    }
    last = answer.ok ? { code: 'answer_empty', facts: { model: provider.reader.id } } : answer.reason
    failed.push(provider.reader.id)
  }
  return { ok: false, reason: last }
}

function fixedPart({ cacheMinimum: least }: ModelProvider, prompt: FinalPrompt): ModelCost['fixed'] {
  // Only a model that reads text has one: it is laid out for nobody else.
  return least === undefined ? null : { tokens: estimateTokens(prompt.stable), least }
}

/** What the first model that may read it would be given. Refusals as above. */
export function previewPrompt(call: ModelCall): Result<FinalPrompt> {
  const prompts = call.models.map((provider) => promptFor(call, provider))
  return prompts.find(({ ok }) => ok) ?? prompts[0] ?? refused('model_unavailable')
}

/** A provider that throws has failed, like one that says so: the next is tried. Its text is dropped, it could quote. */
async function ask(
  provider: ModelProvider,
  prompt: FinalPrompt,
  { limits, hear }: Pick<ModelCall, 'limits' | 'hear'>,
): ReturnType<ModelProvider['complete']> {
  try {
    const live = hear === undefined ? undefined : { heard: hear(prompt.provenance) }
    return await provider.complete(prompt, limits, live)
  } catch {
    return refused('model_failed', { model: provider.reader.id })
  }
}

/** What a model may not know of the assistant is left out of its prompt; anything else that it may not read refuses it. */
function promptFor(call: ModelCall, provider: ModelProvider): Result<FinalPrompt> {
  const { reader, reads = 'text' } = provider
  const { request, texts, boundary, boundaryFor, redact, strict, fit } = call
  const { label } = promptProvenance({ ...request, self: NOTHING, document: [], directives: [], blocks: [] })
  const verdict = mayRead(call, reader, label)
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
export function readerFor(
  call: Pick<ModelCall, 'models' | 'ceiling' | 'cloudRiskAcknowledged'>,
  label: Label,
): ModelProvider | null {
  return call.models.find(({ reader }) => mayRead(call, reader, label).ok) ?? null
}

const NOTHING = Object.freeze({ version: '', sections: [] })

/** A cloud model above `internal` needs the owner's acknowledgement for this template (D-03); above that, never (D-04). */
function mayRead(
  call: Pick<ModelCall, 'ceiling' | 'cloudRiskAcknowledged'>,
  reader: ModelReader,
  label: Label,
): Result<true> {
  const guarded = rankOf(maxLevel(call.ceiling, levelOf(label))) > rankOf('internal')
  if (reader.locality === 'cloud' && guarded && !call.cloudRiskAcknowledged)
    return refused('model_not_cleared', { model: reader.id })
  const verdict = checkModel(reader, label)
  return verdict.allow ? allowed(true) : refused(verdict.code, verdict.facts)
}
