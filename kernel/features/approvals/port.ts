/**
 * What an operation may do with what waits for the owner (F-04), and how a card is seen. Types only. Called by the operations on approvals.
 */
import type { Result } from '../../flow/verdict.ts'
import type { Approval, Decision, DecisionInput } from '../../task/approval.ts'

/** One waiting question, with the bytes it is about. */
export interface ApprovalView {
  /** Names all requests that the card speaks of. */
  readonly id: string
  /** What the owner types to name it; it never names another. */
  readonly number: number
  readonly kind: Approval['kind']
  readonly task: string
  readonly tool: string
  /** As it was sent: long texts folded. */
  readonly card: string
  /** The whole of it. */
  readonly full: string
  /** How many requests a yes lets run, once each. */
  readonly count: number
  readonly reason: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface Standing {
  readonly isOver: boolean
  /** In the owner's words: that it waits, or how it ended and when. */
  readonly words: string
  /** The answer that was given; null where none was. */
  readonly said: DecisionInput['decision'] | null
}

/** Who proposes, where, and in which message. */
export interface Proposer extends Pick<Decision, 'principal' | 'place'> {
  readonly message: string
  /** It is answered in a chat: the card comes behind that answer, so that a bare yes is to the card. */
  readonly behind?: boolean
}

export interface Lasting {
  readonly days: number
  readonly perDay: number
}

/** Id of the question that was put. */
export interface Proposed {
  readonly approval: string
}

export interface ApprovalsPort {
  list(principal: string): Promise<readonly ApprovalView[]>
  /** Refusal: approval_unknown. */
  standing(principal: string, approval: string): Promise<Result<Standing>>
}

/** What the owner answers, and what follows from it is worked on. */
export interface DecisionsPort {
  /** Refusals: those of `decide` (task/approval.ts). */
  decide(input: DecisionInput): Promise<Result<{ readonly task: string }>>
  /** Refusals: those of `editText`. */
  edit(input: OtherWords): Promise<Result<{ readonly task: string }>>
  /** Puts the card of a grant for the shape of a call that waits. Refusals: those of `proposeAlways`. */
  always(proposer: Proposer, terms: Lasting & { readonly approval: string }): Promise<Result<Proposed>>
}

export interface OtherWords extends Omit<DecisionInput, 'decision'> {
  /** The owner's own words, in place of the text that was to go out. */
  readonly text: string
  /** Which argument; needed only where the call has several texts. */
  readonly argument?: string
}
