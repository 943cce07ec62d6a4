/**
 * Says that mails cannot be looked for by whether they have attachments: a search for that word would find other mails. Pure; must not read a search for
 * anything else. Passed to the planner by home.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { nothing } from './steps.ts'

/** UTF-16 units: requests are short. */
const LONGEST = 90
const WITH_FILES =
  /^(?:(?:please|can you|could you|bitte|kannst du|and|und),? )*(?:(?:find|show|search(?: for)?|list|get|look for|give|zeige?|finde?|suche?|liste?)(?: me| mir)? )?(?:(?:all|any|which|what|the|my|welche|alle|die|meine|was für) )*(?:e-?mails?|mails|messages|nachrichten)(?: (?:do i have|have i got|are there|habe ich|gibt es))? (?:(?:that |which |die )?(?:with|have|has|contain|mit|haben|hat) (?:an? |any |some |einen? |einem )?(?:attachments?|attached files?|files? attached|files?|anh[aä]ng\p{L}*|dateien))(?: (?:an|auf|haben))?[\s?.!]*$/iu

/** Null for any other message. */
export function attachedMail({ request }: PromptParts): Plan | null {
  return request.length <= LONGEST && WITH_FILES.test(request.trim()) ? nothing('cannot_find_attached') : null
}
