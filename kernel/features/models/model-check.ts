/**
 * Asks models for their name, through the same boundary as any call (D-01, N-28): whether one answers, how fast, and with
 * which name. The health check must not show text of the model or its provider. Called by the operation
 * `models.names` and, at home, for `pfar doctor`.
 */
import type { ModelProvider } from '../../inference/provider.ts'
import { type AskNamedPorts, askName } from '../../model-call/model-call.ts'
import type { Models } from '../../powers/ports.ts'
import type { ReasonCode } from '../../reasons.ts'
import { nameIn, ownNameFrom } from '../../self/snapshot.ts'
import type { NameCheck } from './port.ts'

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

/** Checks all models, in order of preference, including the last fallback. */
export async function whoAmI(powers: AskNamedPorts & Models): Promise<readonly NameCheck[]> {
  const expected = nameIn(powers.self.current().sections)
  const checks: NameCheck[] = []
  for (const provider of powers.models) {
    const { id: model, locality } = provider.reader
    const reply = await askName(powers, provider)
    const said = reply.ok ? reply.value.text.trim() : ''
    const answer = said === '' ? null : ownNameFrom(said)
    // A trailing full stop is tolerated; any other difference fails.
    checks.push({ model, locality, expected, answer, passed: said.replace(/\.$/, '') === expected })
  }
  return checks
}
