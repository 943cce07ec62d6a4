/**
 * Plans an event that is not there yet, with its guests, of a request that names a time: "invite my team to lunch on Friday at 12". Whom
 * nobody knows is asked for. Pure. Called by looking-back.ts, at home.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { wholeSentence } from '../../../extractors/message/message-learned.ts'
import { INVITING } from '../../../tools/calendar/sentences/inviting.ts'
import { unnamedPlan } from '../phrase-plan.ts'
import { saidOf } from '../said.ts'

/** Null for any other message, and for one without a time of day. */
export function invitedPlan(parts: PromptParts): Plan | null {
  const { from, wholeDay } = saidOf(parts)
  if (from === '' || wholeDay) return null
  const found = wholeSentence([INVITING], parts.request)
  return found === null ? null : unnamedPlan(found.phrase, found.taken, parts)
}
