/** What a place gives the planner for messages that look back: home has mail, and the edge none. Types only. Called by model.ts and planner.ts. */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'

/** What home knows besides: of what was sent, and of what was shown last by a pronoun. */
export interface LooksBack {
  /** Null for any other message. */
  plan(parts: PromptParts): Plan | null
  /** The plan with whom a pronoun means; `person` is the sender as typed. */
  sender(plan: Plan, parts: PromptParts, person: string): Plan
}
