/**
 * Label routing: which model may see a prompt, and the next one when it fails (D-01 – D-06, D-13). Filters the
 * chain by label first, finalises anew for each model (N-12), and labels the answer with all that was read.
 * The only caller of `ModelProvider.complete`. Called by plan, compose and synthesize.
 */
import { levelOf } from '../flow/label.ts'
import type { Provenance } from '../flow/labeled.ts'
import { type Level, maxLevel, rankOf } from '../flow/level.ts'
import { checkModel } from '../flow/policy.ts'
import { type Refusal, type Result, refused } from '../flow/verdict.ts'
import { type FinalPrompt, finalize, promptProvenance } from '../prompt/finalize.ts'
import type { PromptRequest, PromptTexts } from '../prompt/parts.ts'
import type { ModelLimits, ModelProvider } from './provider.ts'

export interface ModelCall {
  readonly models: readonly ModelProvider[]
  readonly request: PromptRequest
  readonly texts: PromptTexts
  readonly boundary: string
  readonly redact: (text: string) => string
  readonly limits: ModelLimits
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
    const answer = await ask(provider, prompt.value, call.limits)
    if (answer.ok && answer.value.text.trim() !== '') {
      const { text, cut } = answer.value
      const { provenance } = prompt.value
      return { ok: true, value: { text, cut, model: provider.reader.id, provenance, failed } }
    }
    last = answer.ok ? { code: 'answer_empty', facts: { model: provider.reader.id } } : answer.reason
    failed.push(provider.reader.id)
  }
  return { ok: false, reason: last }
}

/** A provider that throws has failed, like one that says so: the next is tried. Its text is dropped, it could quote. */
async function ask(
  provider: ModelProvider,
  prompt: FinalPrompt,
  limits: ModelLimits,
): ReturnType<ModelProvider['complete']> {
  try {
    return await provider.complete(prompt, limits)
  } catch {
    return refused('model_failed', { model: provider.reader.id })
  }
}

/** A cloud model above `internal` needs the owner's acknowledgement for this template (D-03); above that, never (D-04). */
function promptFor(call: ModelCall, { reader }: ModelProvider): Result<FinalPrompt> {
  const { label } = promptProvenance(call.request)
  const guarded = rankOf(maxLevel(call.ceiling, levelOf(label))) > rankOf('internal')
  if (reader.locality === 'cloud' && guarded && !call.cloudRiskAcknowledged) {
    return refused('model_not_cleared', { model: reader.id })
  }
  const verdict = checkModel(reader, label)
  if (!verdict.allow) return refused(verdict.code, verdict.facts)
  const { request, texts, boundary, redact } = call
  return finalize({ request, texts, model: reader, boundary, redact })
}
