/**
 * Plans of the sentences that are a whole message (DESIGN §9, §10): what their slots take are words of it as they were typed. General: must not
 * know a tool. Called by planner.ts.
 */
import type { Plan } from '../../../kernel/task/plan.ts'
import { findDays } from '../../extractors/message-days.ts'
import { coreOf } from '../../extractors/message-intent.ts'
import { unnamedRequest } from '../../extractors/message-requests.ts'
import { WHEN_MARK } from '../../extractors/message-sentence.ts'
import type { Phrase, Phrases } from '../../tools/phrase.ts'
import { plannedSteps } from '../../tools/planned.ts'

/** Words of a message: a request is short. */
const MOST_WORDS = 40
/** What leads to a time and may belong to it, or to the sentence: `for the weekend`. */
const LEADS = /^(?:for|on|in|at|over|during|from|between) /i

/** The plan of the first sentence that is the whole request, of the phrases that `isMeant` leaves; null where none is. */
export function phrasePlan(
  request: string,
  packages: readonly Phrases[],
  isMeant: (phrase: Phrase) => boolean = () => true,
): Plan | null {
  // The very characters: what is told a service must stand in the message.
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

/** A time is a time as a whole, and nothing else holds one: "Lisbon tomorrow" is no place. */
function timesMarked(text: string): readonly string[] {
  const plain = text.replaceAll(WHEN_MARK, ' ').replaceAll('’', "'")
  const days = findDays(plain, 0)
  if (days === null) return [text.replaceAll(WHEN_MARK, ' ')]
  const lead = LEADS.exec(plain.slice(days.start, days.end))?.[0] ?? ''
  return [days.start, ...(lead === '' ? [] : [days.start + lead.length])].map(
    (start) => `${text.slice(0, start)}${WHEN_MARK}${text.slice(days.end)}`,
  )
}
