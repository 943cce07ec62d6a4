/**
 * Plans a mail that is sent on with some of its attachments: those that the message names, or all but those. Whether there are such files, the tool finds. Pure. Called by
 * looking-back.ts, at home.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { wholeSentence } from '../../../extractors/message/message-learned.ts'
import { CHOOSING } from '../../../tools/email/sentences/choosing.ts'
import { unnamedPlan } from '../phrase-plan.ts'

/** All of them, for which there is a sentence of its own. */
const ALL = /^(?:attachments?|files?|attached files?|anhang|anhänge|anlagen?|dateien)$/iu

/** Null for any other message. */
export function forwardedWith(parts: PromptParts): Plan | null {
  const found = wholeSentence([CHOOSING], parts.request)
  if (found === null || ALL.test(found.taken['part'] ?? '')) return null
  return unnamedPlan(found.phrase, found.taken, parts)
}
