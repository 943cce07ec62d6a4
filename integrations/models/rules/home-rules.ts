/**
 * Rules that a place gives to the planner in addition to the declared sentences: home has mail and the
 * tagger, the edge neither. Types only. Called by model.ts and planner.ts.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import type { Speller } from '../../extractors/message/message-spelled.ts'
import type { AskedOfEvents } from './said.ts'

/**
 * What home knows besides: of what was sent, of what was shown last by a pronoun, and of requests by their
 * parts.
 */
export interface HomeRules {
  /** A message as it would be spelt. */
  readonly spell: Speller
  /** Of a question that is put to somebody, as it is written to them; null for any other message. */
  readonly asking: (parts: PromptParts, planOf: (parts: PromptParts) => Plan) => Plan | null
  /** The plan, or that of the message in written words where it was not understood. */
  readonly written: (plan: Plan, parts: PromptParts, planOf: (parts: PromptParts) => Plan) => Plan
  /** Of a message that looks back; null for any other. */
  readonly back: (parts: PromptParts) => Plan | null
  /** The plan with whom a pronoun means; `person` is the sender as typed. */
  readonly sender: (plan: Plan, parts: PromptParts, person: string) => Plan
  /** Of a request that no sentence has, by its parts; null where it is hardly one. */
  readonly byParts: (parts: PromptParts, sentences: Sentences) => Plan | null
  /** The same plan for each of several mails, where they are named in the plural; home alone has mail. */
  readonly many: (plan: Plan, request: string) => Plan
  /** The plan with a clause that asks for something and that a plan of reads leaves out, or with the note that a part is missing. */
  readonly leftOut: (plan: Plan, parts: PromptParts) => Plan
  /** The same plan for each of several people, where a row of them is named. */
  readonly each: (plan: Plan, parts: PromptParts) => Plan
  /** What a question about events asks for besides what every one does. */
  readonly ofEvents: (request: string) => AskedOfEvents
  /** The plan with the title and the place that the message has for a new event. */
  readonly event: (plan: Plan, parts: PromptParts) => Plan
  /** What it may be of where nothing else read it: each write of it asks. Null where it is hardly of any. */
  readonly unsure: (parts: PromptParts, sentences: Sentences) => Plan | null
  /** Of a message that takes back a word of its own for another, planned by `planOf` without it; null for any other. */
  readonly putRight: (parts: PromptParts, planOf: (parts: PromptParts) => Plan) => Plan | null
  /** Of a request that names one of several accounts of the owner's, planned by `planOf` without that name; null for any other. */
  readonly inAccount: (parts: PromptParts, planOf: (parts: PromptParts) => Plan) => Plan | null
}

/** The planner of the declared sentences. */
export interface Sentences {
  readonly planOf: (parts: PromptParts) => Plan
  /** Whether nothing in the message speaks against a plan. */
  readonly isMeant: (plan: Plan, parts: PromptParts) => boolean
}
