/**
 * Finds a missing place of a request anywhere behind a preposition ("should i take an umbrella in dublin, got
 * a wedding"). The owner is asked only if the message names none. Must not know a tool. Called by planner.ts.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { readDates } from '../../dates/read.ts'
import { neededSlots } from '../../extractors/learned/classes.ts'
import { likelyOf } from '../../extractors/learned/likely.ts'
import { NEVER } from '../../extractors/learned/slots.ts'
import { saysSecond, wordsOf } from '../../extractors/message/message-coverage.ts'
import { asksChange } from '../../extractors/message/message-seek.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { unnamedPlan } from './phrase-plan.ts'
import { momentOf } from './several.ts'

/** What is said of weather alone, where only the table takes the message for it. */
const WEATHER =
  /(?<!\p{L})(?:weather|weter|wetter|wether|rain\p{L}*|snow\p{L}*|dry|wet|warm|cold|hot|sunny|windy|umbrella|forecast|outside|frost|regne\p{L}*|regen|schnei\p{L}*|schirm|trocken|kalt|draußen|sonnig)(?!\p{L})/iu
/** UTF-16 units: requests are short. */
const LONGEST = 200
/** How likely the message must be of that package, where no sentence says what it lacks. */
const LEAST = 0.5
const BEFORE =
  '(?:in|round|around|near|at|for|over in|up in|down in|bei|rund um|für|am|auf)(?: (?:the|der|dem|den))?'
/** What stands behind such words, and is no place. */
const NO_PLACE =
  /^(?:(?:the|a|an|my|our|this|next|der|die|das|den|dem|mein\p{L}*|unser\p{L}*) )?(?:morning|afternoon|evening|night|day|days|week|weekend|month|hours?|minutes?|time|all|least|home|work|school|lunch|once|rain|snow|sun|park|garden|beach|office|dach|früh|vormittag|nachmittag|abend|nacht|tag|woche|wochenende|stunden?|draußen|outside|hause|arbeit|schule|weg|rad|washing|walk|run|bbq|picnic|game|match|party|wedding|it|them|everyone)(?!\p{L})/iu
/** Something else is asked or wanted beside it. */
const SECOND =
  /(?<!\p{L})(?:or|oder)(?!\p{L})|(?<!\p{L})(?:and|und|then|dann|also|plus) (?:\p{L}+ )?(?:hab|habe|have|has|bin|am|is|are|ist|sind|do|does|did|can|could|kann|muss|what|whats|when|was|wann|wie|remind|put|add|book|tell)(?!\p{L})/iu
/** A clause of its own. */
const ENDS =
  /(?:[,.;:!?–]|\s-\s|\s(?:and|und|cos|because|as|so|we|i|i'm|we're|weil|da|ich|wir|muss|need|got|want|or|oder|like|will|would|is|be|gonna|going|when|wenn|if|for|to|on|at|zum|am|um|with|mit|ein|eine|einen|einem|a|an|the|some|den|die|das|der)(?!\p{L}))/iu
const WORDS = 3

/** The plan with the place that the message names; the same plan where it names none. */
export function placedIn(plan: Plan, parts: PromptParts): Plan {
  const { request } = parts
  if (plan.steps.length > 0 || request.length > LONGEST) return plan
  const moment = momentOf(parts)
  const lacks = lackedIn(plan, parts)
  const owner = TOOL_PHRASES.find(({ asks }) =>
    asks.some((one) => one.lacks !== undefined && one.lacks === lacks),
  )
  if (owner === undefined || asksChange(request) || saysSecond(request) || SECOND.test(request)) return plan
  if (wordsOf(request).some((word) => NEVER.has(word) && !/^(?:will|would|should|could)$/.test(word)))
    return plan
  const found = owner.asks.find((one) => one.lacks === undefined && neededSlots(one).length === 1)
  const [slot = ''] = found === undefined ? [] : neededSlots(found)
  const shape = owner.shapes?.[slot]?.pattern
  if (found === undefined || shape === undefined) return plan
  const place = placeIn(readDates(request, moment).rest, shape)
  return place === null ? plan : unnamedPlan(found, { [slot]: place }, parts)
}

/** By its sentence, or by what the message is likely of. */
function lackedIn({ explanation }: Plan, parts: PromptParts): string | null {
  if (explanation !== 'not_understood') return explanation
  if (!WEATHER.test(parts.request)) return null
  const likely = likelyOf(parts.request, momentOf(parts))
  for (const { asks } of TOOL_PHRASES) {
    const lacks = asks.find((one) => one.lacks !== undefined)?.lacks
    if (lacks === undefined) continue
    const own = new Set<string>([lacks, ...asks.flatMap(({ plan }) => plan.map(({ tool }) => String(tool)))])
    const share = likely.reduce((sum, { label, score }) => sum + (own.has(label) ? score : 0), 0)
    if (share >= LEAST) return lacks
  }
  return null
}

/** The last words behind a preposition that have the shape of a place. */
function placeIn(rest: string, shape: string): string | null {
  const starts = [...rest.matchAll(new RegExp(`(?<!\\p{L})${BEFORE} (?=\\p{L})`, 'giu'))]
  for (const { index, 0: mark } of starts.toReversed()) {
    const behind = rest.slice(index + mark.length)
    if (NO_PLACE.test(behind)) continue
    const end = behind.search(ENDS)
    const words =
      (end < 0 ? behind : behind.slice(0, end))
        .trim()
        .split(/\s{2,}/)[0]
        ?.split(' ') ?? []
    const place = words.slice(0, WORDS).join(' ')
    if (words.length <= WORDS && new RegExp(`^(?:${shape})$`, 'iu').test(place)) return place
  }
  return null
}
