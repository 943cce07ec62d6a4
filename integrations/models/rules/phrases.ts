/**
 * Plans of declared sentences that match a whole message (DESIGN §9, §10); slots take its words exactly as typed. Must not know a
 * tool. Called by planner.ts.
 */
import type { Plan } from '../../../kernel/task/plan.ts'
import { findDays } from '../../extractors/message-days.ts'
import { coreOf } from '../../extractors/message-intent.ts'
import { unnamedRequest } from '../../extractors/message-requests.ts'
import { WHEN_MARK } from '../../extractors/message-sentence.ts'
import type { Phrase, Phrases } from '../../tools/phrase.ts'
import { plannedSteps } from '../../tools/planned.ts'

/** Most words of a message: requests are short. */
const MOST_WORDS = 40
/** A preposition before a time, which belongs to the time or to the sentence: `for the weekend`. */
const LEADS = /^(?:for|on|in|at|over|during|from|between) /i

/** Plan of the first sentence that matches the whole request, among the phrases that `isMeant` accepts; null if none does. */
export function phrasePlan(
  request: string,
  packages: readonly Phrases[],
  isMeant: (phrase: Phrase) => boolean = () => true,
): Plan | null {
  // Keeps the exact characters: text sent to a service must stand in the message.
  const typed = request.trim()
  const text = typed.slice(typed.length - coreOf(request).text.length)
  if (text.split(/\s+/, MOST_WORDS + 1).length > MOST_WORDS) return null
  for (const marked of timesMarked(text)) {
    const found = unnamedRequest(packages, marked, isMeant)
    if (found !== null) {
      const steps = plannedSteps(found.phrase.plan, { taken: found.taken })
      return { steps: steps as unknown as Plan['steps'], explanation: '' }
    }
  }
  return null
}

/** A `when` slot must be a time as a whole, and no other slot may contain one: "Lisbon tomorrow" is no place. */
function timesMarked(text: string): readonly string[] {
  const plain = text.replaceAll(WHEN_MARK, ' ').replaceAll('’', "'")
  const days = findDays(plain, 0)
  if (days === null) return [text.replaceAll(WHEN_MARK, ' ')]
  const lead = LEADS.exec(plain.slice(days.start, days.end))?.[0] ?? ''
  return [days.start, ...(lead === '' ? [] : [days.start + lead.length])].map(
    (start) => `${text.slice(0, start)}${WHEN_MARK}${text.slice(days.end)}`,
  )
}
