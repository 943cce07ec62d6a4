/**
 * Plans requests by sentences that only home has: mails by what they are, and events by what is asked of them. No table is trained on them. Pure. Called by looking-back.ts.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { wholeSentence } from '../../../extractors/message/message-learned.ts'
import { ASKED_OF_CALENDAR } from '../../../tools/calendar/sentences/asked.ts'
import { ASKED } from '../../../tools/email/sentences/asked.ts'
import { INVITED } from '../../../tools/email/sentences/invited.ts'
import { unnamedPlan } from '../phrase-plan.ts'
import { everyShown } from './shown.ts'

const SENTENCES = [ASKED, ASKED_OF_CALENDAR, INVITED]

/** Null for any other message. */
export function askedAtHome(parts: PromptParts): Plan | null {
  const found = wholeSentence(SENTENCES, parts.request)
  if (found === null) return null
  const { every, shown, ...phrase } = found.phrase
  if (every === undefined || shown === undefined) {
    const plan = unnamedPlan(found.phrase, found.taken, parts)
    // "Accept it" is of something else where no mail was shown.
    return plan.steps.length === 0 && INVITED.asks.includes(found.phrase) ? null : plan
  }
  // Of what was shown, where something was.
  return everyShown(shown, parts) === null ? unnamedPlan(phrase, found.taken, parts) : null
}
