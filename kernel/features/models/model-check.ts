/**
 * Whether a model answers at all, how long it takes and what is wrong if not: one question for its name, through the same
 * boundary as any other call (D-01, N-28). Must not show a word that the model or its provider said. Called by home for
 * `pfar doctor`.
 */
import type { ModelProvider } from '../../inference/provider.ts'
import { type AskNamedPorts, askName } from '../../model-call/model-call.ts'
import type { ReasonCode } from '../../reasons.ts'

export interface ModelCheck {
  readonly model: string
  readonly locality: 'home' | 'edge' | 'cloud'
  /** Milliseconds until its whole answer, or until it failed. */
  readonly ms: number
  /** Null for one that answered. */
  readonly trouble: {
    readonly code: ReasonCode
    /** Of HTTP, where it had one. */
    readonly status: number | null
    /** What of ours says more, such as `quota`. */
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
