/**
 * "Move all mails from Carmichael to Clients" puts nothing into the trash: a plan that does is none. Must not plan. Passed to the planner by home, which alone
 * has mail.
 */
import type { Plan } from '../../../kernel/task/plan.ts'
import { nothing } from './steps.ts'

const MOVES =
  /^(?:\p{L}+ ){0,2}(?:move|put|file|sort|verschieb\p{L}*|leg\p{L}*|pack\p{L}*) .*(?<!\p{L})(?:to|into|in|nach|zu)(?!\p{L})/iu
const TO_TRASH = /(?<!\p{L})(?:trash|bin|rubbish|garbage|deleted|papierkorb|müll|tonne)(?!\p{L})/iu

export function notThrownAway(plan: Plan, request: string): Plan {
  const last = plan.steps.at(-1)
  const isThrown = last?.do === 'tool' && last.tool === 'email.delete'
  return isThrown && MOVES.test(request) && !TO_TRASH.test(request) ? nothing('not_understood') : plan
}
