/**
 * What an operation may do with the owner's waiting questions (F-04), and how a card is shown. Types only. Called by
 * the operations on approvals.
 */
import type { Labeled } from '../../flow/labeled.ts'
import type { Result } from '../../flow/verdict.ts'
import type { Approval, Decision, DecisionInput } from '../../task/approval.ts'

/** One waiting question, with the bytes it is about. */
export interface ApprovalView {
  /** Names all requests that the card covers. */
  readonly id: string
  /** Number that the owner types to name the card; never reused. */
  readonly number: number
  readonly kind: Approval['kind']
  readonly task: string
  readonly tool: string
  /** The card as sent, long texts folded. */
  readonly card: string
  /** The full card. */
  readonly full: string
  /** Number of requests that an approval runs, once each. */
  readonly count: number
  readonly reason: string
  readonly createdAt: number
  readonly expiresAt: number
  /** Number of options, which are named `<id>.1` and so on; 0 for a question of yes or no. */
  readonly options: number
}

export interface Standing {
  readonly isOver: boolean
  /** Status for the owner: that it waits, or how and when it ended. */
  readonly words: string
  /** The decision; null when none was made. */
  readonly said: DecisionInput['decision'] | null
}

/** Who proposes, at which place, and in which message. */
export interface Proposer extends Pick<Decision, 'principal' | 'place'> {
  readonly message: string
  /** The proposal is answered in a chat: the card must follow that answer, so that a bare "yes" refers to the card. */
  readonly behind?: boolean
  /** Set if a model's plan asked for the proposal: what the plan asked for, shown below the card. */
  readonly planned?: Labeled<string>
  /** Chat of the request, in which the card is shown. */
  readonly sink?: string
}

export interface Lasting {
  readonly days: number
  readonly perDay: number
}

/** Id of the question that was asked. */
export interface Proposed {
  readonly approval: string
}

export interface ApprovalsPort {
  list(principal: string): Promise<readonly ApprovalView[]>
  /** Refusal: approval_unknown. */
  standing(principal: string, approval: string): Promise<Result<Standing>>
  /** Text of the rule that an approval established, as on its card; empty if it established none. */
  holds(principal: string, approval: string): Promise<string>
}

/** Applies the owner's answers and continues the tasks that waited for them. */
export interface DecisionsPort {
  /** Refusals: those of `decide` (task/approval.ts). */
  decide(input: DecisionInput): Promise<Result<{ readonly task: string }>>
  /** Refusals: those of `editText`. */
  edit(input: OtherWords): Promise<Result<{ readonly task: string }>>
  /** Refusals: those of `leaveOutOf`. `rows`: in the owner's words. */
  leaveOut(
    input: Omit<DecisionInput, 'decision'> & { readonly rows: string },
  ): Promise<Result<{ readonly task: string }>>
  /** Proposes a grant for the shape of a waiting call. Refusals: those of `proposeAlways`. */
  always(proposer: Proposer, terms: Lasting & { readonly approval: string }): Promise<Result<Proposed>>
}

export interface OtherWords extends Omit<DecisionInput, 'decision'> {
  /** The owner's own text, in place of the one that was to be sent. */
  readonly text: string
  /** Which argument; required only when the call has several texts. */
  readonly argument?: string
}
