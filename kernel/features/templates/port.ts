/** A template as operations show it, and what they may do with one. Types only. Called by the operations of this folder. */
import type { Level } from '../../flow/level.ts'
import type { Result } from '../../flow/verdict.ts'
import type { PrincipalClass } from '../../task/principal.ts'
import type { Proposed, Proposer } from '../approvals/port.ts'

export interface TemplateView {
  readonly id: string
  readonly description: string
  readonly ceiling: Level
  readonly provider: string
  readonly asks: boolean
  readonly who: PrincipalClass
  /** From a file of the owner's. */
  readonly own: boolean
  readonly job: boolean
  /** Ids of its tools and effects. */
  readonly tools: readonly string[]
  readonly triggers: readonly string[]
  /** Sinks, or `asker` for the chat that the question came from. */
  readonly answers: readonly string[]
}

/** `template`: its id; null for the only one that has such writes. Refusals: template_none_matches where there is none. */
export interface UnaskedPort {
  /** Sends an approval card. Refusals: nothing_found where it is allowed already, and those of a proposal. */
  allow(proposer: Proposer, template: string | null): Promise<Result<Proposed>>
  /** Effective at once, because it widens nothing. Refusals: grant_missing, approval_wrong_principal. */
  withdraw(principal: string, template: string | null): Promise<Result<{ readonly grant: string }>>
}

export interface TemplateSwitch {
  /** Ids of kinds of request of other people that words mean; empty where nothing is called so. */
  named(said: string): readonly string[]
  isOff(template: string): boolean
  /**
   * At once, because it narrows. Refusals: template_none_matches; template_class_mismatch for the owner's own and for a job's; nothing_found where it is off
   * already.
   */
  off(
    said: string,
  ): Result<{ readonly templates: readonly { readonly id: string; readonly description: string }[] }>
  /** Sends an approval card. Refusals: as `off`, and those of a proposal. */
  on(proposer: Proposer, said: string): Promise<Result<Proposed>>
}
