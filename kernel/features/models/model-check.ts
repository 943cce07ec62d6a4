/**
 * Health check of a model: whether it answers, how fast, and the failure if not. Asks its name through the same
 * boundary as any call (D-01, N-28). Must not show text of the model or its provider. Called by home for `pfar
 * doctor`.
 */
import type { ModelProvider } from '../../inference/provider.ts'
import { type AskNamedPorts, askName } from '../../model-call/model-call.ts'
import type { ReasonCode } from '../../reasons.ts'

export interface ModelCheck {
  readonly model: string
  readonly locality: 'home' | 'edge' | 'cloud'
  /** Milliseconds until its complete answer, or until it failed. */
  readonly ms: number
  /** Null for a model that answered. */
  readonly trouble: {
    readonly code: ReasonCode
    /** HTTP status, where there was one. */
    readonly status: number | null
    /** More specific rule of ours, such as `quota`. */
    readonly rule: string | null
  } | null
}

export async function checkModel(powers: AskNamedPorts, provider: ModelProvider): Promise<ModelCheck> {
  const { id: model, locality } = provider.reader
  const began = powers.now()
  const reply = await askName(powers, provider)
  const ms = powers.now() - began
  if (reply.ok) return { model, locality, ms, trouble: null }
  const { code, facts } = reply.reason
  const { status, rule } = facts
  const trouble = {
    code,
    status: typeof status === 'number' ? status : null,
    rule: typeof rule === 'string' ? rule : null,
  }
  return { model, locality, ms, trouble }
}
