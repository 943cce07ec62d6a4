/**
 * Reports a fault that concerns the owner: an audit line and a notice on the open line. Must not judge what is a fault. Called by
 * KernelObject.
 */
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { KernelAudit } from './kernel-audit.ts'
import type { OwnerLine } from './owner-line.ts'

export interface EdgeFaults {
  /** A fault of home. False when the owner could not be notified now. */
  home(notice: { readonly id: string; readonly code: ReasonCode }): Promise<boolean>
  /** A setting with an invalid value, by its name. */
  setting(name: string): Promise<boolean>
  /** A model's breaker opened or closed. `at`: epoch milliseconds. */
  model(model: string, code: ReasonCode, at: number): Promise<boolean>
}

export function createEdgeFaults({ note }: Pick<KernelAudit, 'note'>, { tell }: OwnerLine): EdgeFaults {
  return {
    async home(notice) {
      const told = await tell(notice)
      note('fault', { code: notice.code, told: Number(told) })
      return told
    },
    setting(name) {
      note('fault', { code: 'config_malformed', setting: name })
      return tell({ id: `models:${Date.now()}`, code: 'config_malformed', about: name })
    },
    model(model, code, at) {
      note('fault', { code, model })
      return tell({ id: `${code}:${model}:${at}`, code, about: model })
    },
  }
}
