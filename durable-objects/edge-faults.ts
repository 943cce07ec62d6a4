/**
 * What is amiss and concerns the owner: a line of the audit, and a word on his open line. Must not judge what is amiss.
 * Called by KernelObject.
 */
import type { ReasonCode } from '../kernel/reasons.ts'
import type { KernelAudit } from './kernel-audit.ts'
import type { OwnerLine } from './owner-line.ts'

export interface EdgeFaults {
  /** Of home. False when the owner could not be told now. */
  home(notice: { readonly id: string; readonly code: ReasonCode }): Promise<boolean>
  /** A setting that is wrong, by its name. */
  setting(name: string): Promise<boolean>
  /** A model that is left alone, or taken up again. `at`: epoch milliseconds. */
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
