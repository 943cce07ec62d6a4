/**
 * Reads guests that follow an appointment: "book coffee with Tom on Friday at 10, invite him". Must not take
 * an address from anything but the message and the contacts. Called by planner.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { inOrder } from './several.ts'
import { nothing } from './steps.ts'
import { recipientsOf, unknownPeople } from './whom.ts'

/** UTF-16 units: requests are short. */
const MOST = 300

export interface Guests {
  /** The message without them. */
  readonly first: string
  /** As typed; of "him", whom the appointment is with. */
  readonly whom: string
}

const BEHIND =
  /^(?<first>\S.{3,200}?)(?:,? (?:and|und)|,) (?:please |also |bitte |auch )*(?:invite|inviting|lade?) (?<whom>\S.{0,60}?)(?: (?:too|as well|auch|dazu))*(?: ein)?[.!]?$/iu
const PRONOUN = /^(?:him|her|them|ihn|sie|alle)$/iu
const WITH = /(?<!\p{L})(?:with|mit) (?<who>\p{L}[\p{L}.'-]*(?:(?: (?:and|und|&))? \p{Lu}[\p{L}.'-]*)*)/u

export function guestsIn(request: string): Guests | null {
  const { first, whom } = request.length > MOST ? {} : (BEHIND.exec(request.trim())?.groups ?? {})
  if (first === undefined || whom === undefined) return null
  const who = PRONOUN.test(whom) ? WITH.exec(first)?.groups?.['who'] : whom
  return who === undefined ? null : { first, whom: who }
}

/**
 * The appointment's plan with them; null if the plan makes no appointment. What they cannot be found for is
 * not booked without them.
 */
export function invitedTo(plan: Plan, { whom }: Guests, parts: PromptParts): Plan | null {
  const made = plan.steps.at(-1)
  if (made?.do !== 'tool') return null
  const takes = parts.tools.find(({ id }) => id === made.tool)?.args
  if (takes?.['attendees?'] === undefined || takes['title'] === undefined) return null
  const people = recipientsOf(whom, parts)
  if (people === null) return nothing(unknownPeople(whom))
  const moved = inOrder([{ steps: people.before, explanation: '' }, plan])
  const last = moved.steps.at(-1) as unknown as { readonly args: Record<string, Json> }
  const former = last.args['attendees']
  const attendees = [...(Array.isArray(former) ? former : []), ...people.to]
  const steps = [...moved.steps.slice(0, -1), { ...last, args: { ...last.args, attendees } }]
  return { steps: steps as unknown as Plan['steps'], explanation: '' }
}
