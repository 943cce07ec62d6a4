/**
 * Plans requests by sentences that only home has: mails by what they are, and events by what is asked of them. No table is trained on them. Pure. Called by looking-back.ts.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { wholeSentence } from '../../../extractors/message/message-learned.ts'
import { ASKED } from '../../../tools/email/sentences/asked.ts'
import { unnamedPlan } from '../phrase-plan.ts'
import { everyShown } from './shown.ts'

/** Null for any other message. */
export function askedAtHome(parts: PromptParts): Plan | null {
  const found = wholeSentence([ASKED], parts.request)
  if (found === null) return null
  const { every, shown, ...phrase } = found.phrase
  if (every === undefined || shown === undefined) return unnamedPlan(found.phrase, found.taken, parts)
  // Of what was shown, where something was.
  return everyShown(shown, parts) === null ? unnamedPlan(phrase, found.taken, parts) : null
}
