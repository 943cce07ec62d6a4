/**
 * Reads whom a free time is for where the names stand before the question or behind it: "when are Sarah and Tom free for an hour", "whens everyone free, Sarah and
 * Tom?". Planned as if they stood behind "with". Pure; must not look for a time itself. Passed to the planner by home.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { readDates } from '../../dates/read.ts'
import { plannedAs } from './parts/said-as.ts'
import { momentOf } from './several.ts'
import { nothing } from './steps.ts'
import { recipientsOf, unknownPeople } from './whom.ts'

type PlanOf = (parts: PromptParts) => Plan

/** UTF-16 units: requests are short. */
const LONGEST = 200
const NAME =
  "(?!(?:the|my|our|your?|we|i|they|it|for|on|in|at|next|this|and|or|die|der|das|wir|ihr|ich|für|am|im|nächste\\p{L}*|diese\\p{L}*|und|oder)(?!\\p{L}))[\\p{L}][\\p{L}\\p{M}'’.-]*"
const SEVERAL = `${NAME}(?:(?:, | and | und | & )${NAME})+`
const FREE = '(?:free|available|meet|frei|zeit|treffen)(?!\\p{L})'
const AHEAD = new RegExp(
  `^(?<lead>(?:(?:so|and|und|ok|hey),? )*(?:when(?:['’]?s| is| are| do| can| could)?|wann (?:haben|hätten|können|könnten|sind))) (?<whom>${SEVERAL}) (?<rest>(?:[^,.;?!]{1,60}? )?${FREE}.{0,80})$`,
  'iu',
)
const BEHIND = new RegExp(
  `^(?<lead>.{0,120}(?<!\\p{L})${FREE}.{0,60}?)(?:[,:;–-] ?|\\()(?<whom>${NAME}(?:(?:, | and | und | & )${NAME})*)\\)?[\\s.!?]*$`,
  'iu',
)
const EVERYONE =
  /(?<!\p{L})(?:every(?:one|body)|all of us|we all|us all|both|the (?:two|three) of us|alle|beide|wir (?:drei|beide))(?!\p{L})/iu

/** Null for any other message. Whoever is nobody that is known may be a day or a reason, unless everyone was asked for. */
export function freeWith(parts: PromptParts, planOf: PlanOf): Plan | null {
  const text = parts.request.trim()
  if (text.length > LONGEST || /[\n"“”„@]/.test(text)) return null
  const ahead = AHEAD.exec(text)?.groups
  const { lead = '', whom = '', rest = '' } = ahead ?? BEHIND.exec(text)?.groups ?? {}
  if (whom === '') return null
  const isKnown = recipientsOf(whom, parts) !== null
  if (!isKnown)
    return EVERYONE.test(text) && readDates(whom, momentOf(parts)).span === null
      ? nothing(unknownPeople(whom))
      : null
  const german = /^(?:wann|und wann)/iu.test(lead) || /(?:frei|zeit|treffen)(?!\p{L})/iu.test(text)
  const asked =
    ahead === undefined ? lead.trim() : `${lead} ${german ? 'wir' : 'we'} ${rest.replace(/[\s?!.]+$/u, '')}`
  const plan = plannedAs(`${asked} ${german ? 'mit' : 'with'} ${whom}`, parts, planOf)
  const isFound = plan.steps.some((step) => step.do === 'tool' && step.tool === 'calendar.find_times')
  return isFound ? plan : null
}
