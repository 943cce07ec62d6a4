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
  /** Whether it comes from a file of the owner. */
  readonly own: boolean
  readonly job: boolean
  /** Ids of its tools and effects. */
  readonly tools: readonly string[]
  readonly triggers: readonly string[]
  /** Sinks, or `asker` for the chat that the question came from. */
  readonly answers: readonly string[]
}

/** `template`: its id; null for the only one with such writes. Refusals: template_none_matches if there is none. */
export interface UnaskedPort {
  /** Sends an approval card. Refusals: nothing_found if it is allowed already, and those of a proposal. */
  allow(proposer: Proposer, template: string | null): Promise<Result<Proposed>>
  /** Effective at once, because it widens nothing. Refusals: grant_missing, approval_wrong_principal. */
  withdraw(principal: string, template: string | null): Promise<Result<{ readonly grant: string }>>
}

export interface TemplateSwitch {
  /** Ids of the kinds of request of other people that the words name; empty if none fits. */
  named(said: string): readonly string[]
  isOff(template: string): boolean
  /**
   * Effective at once, because it narrows. Refusals: template_none_matches; template_class_mismatch for a template of the owner
   * or of a job; nothing_found if it is off already.
   */
  off(
    said: string,
  ): Result<{ readonly templates: readonly { readonly id: string; readonly description: string }[] }>
  /** Sends an approval card. Refusals: as `off`, and those of a proposal. */
  on(proposer: Proposer, said: string): Promise<Result<Proposed>>
}
