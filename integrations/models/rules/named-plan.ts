/**
 * Plans of requests with an intent: those on memory, reminders and tasks, and those that packages declare.
 * Asks for missing fields. Must not read words. Called by planner.ts.
 */
import { eitherJob } from '#either-way'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { IN_PART, type Plan } from '../../../kernel/task/plan.ts'
import { TWO } from '../../extractors/learned/classes.ts'
import { likelyOf } from '../../extractors/learned/likely.ts'
import { twoFacts } from '../../extractors/message/contents/message-facts.ts'
import { coreOf, readRequest } from '../../extractors/message/message-intent.ts'
import { partFields } from '../../extractors/message/message-learned.ts'
import { saysAgain } from '../../extractors/timed/repeat-words.ts'
import type { Phrase, SlotName } from '../../tools/phrase.ts'
import { isSaid, type MessageField, plannedSteps } from '../../tools/planned.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { isAsked, isNamed, meantOne, pickedOne, planOfShown } from './earlier/meant.ts'
import { lacking, reminderPlan, tasksPlan } from './reminders/reminding.ts'
import type { Said } from './said.ts'
import { isByTopic, stepsSaid } from './said-steps.ts'
import { momentOf } from './several.ts'
import { call, isRead, nothing, ref, saidArgs, steps } from './steps.ts'

/**
 * Of a request that was not understood whole, only a read that it begins with is done; what is lacking is
 * asked for.
 */
export function wholePlan(said: Said, parts: PromptParts): Plan {
  const plan = planOf(said, parts)
  if (said.whole || plan.steps.length === 0) return plan
  if (isOfOne(plan, parts)) return plan
  const isPart = partFields(parts.request, momentOf(parts)) !== null
  return isPart ? { ...plan, explanation: IN_PART } : nothing('not_understood')
}

/**
 * "What time am I on tomorrow, is it a long day or a late": the table is sure that all of it is of the one
 * look.
 */
function isOfOne(plan: Plan, parts: PromptParts): boolean {
  const [only, ...others] = plan.steps
  if (only?.do !== 'tool' || others.length > 0 || !isRead(plan)) return false
  if (COUNTS.test(parts.request) || ONLY_IF.test(parts.request) || saysAgain(parts.request)) return false
  const likely = likelyOf(parts.request, momentOf(parts))
  const two = likely.find(({ label }) => label === TWO)?.score ?? 0
  return likely[0]?.label === only.tool && likely[0].score >= OF_ONE.least && two <= OF_ONE.two
}

/** Of such a question a look is a part of the answer. */
const COUNTS = /(?<!\p{L})(?:how (?:many|much|long)|wie ?(?:viele?|lange?))(?!\p{L})/iu
/** A condition, or something that is left out. */
const ONLY_IF = /(?<!\p{L})(?:if|unless|except|not|without|wenn|falls|außer|nicht|ohne)(?!\p{L})/iu
/**
 * How likely all of a message must be of a look at a part of it, and how likely it may be of two requests.
 */
const OF_ONE = { least: 0.85, two: 0.1 } as const

export function planOf(said: Said, parts: PromptParts): Plan {
  switch (said.intent) {
    case 'memory_save':
      return said.has('topic')
        ? steps(call('s1', 'memory.save', { text: ref('said.topic') }))
        : (factsPlan(parts) ?? nothing(lacking('needs_fact', parts)))
    case 'memory_search':
      return steps(call('s1', 'memory.search', saidArgs(said, { query: 'topic', from: 'from', to: 'to' })))
    case 'reminder_set':
      return reminderPlan(said, parts)
    case 'reminder_later':
      return said.has('from')
        ? steps(call('s1', 'reminder.later', { due: ref('said.from') }))
        : nothing('needs_time')
    case 'job_set':
      return eitherJob(parts, new Set(parts.tools.map(({ id }) => id))) ?? nothing('not_understood')
    case 'task_add':
      return tasksPlan(parts)
    case 'task_done':
      return said.has('count')
        ? steps(call('s1', 'task.done', { number: ref('said.count') }))
        : nothing('not_understood')
    default: {
      const named =
        said.intent === 'job_time' && said.move !== ''
          ? NAMED.find(({ takes }) => takes?.moves !== undefined)
          : NAMED.find(({ intent }) => intent === said.intent)
      return named === undefined ? nothing('not_understood') : namedPlan(named, said, parts)
    }
  }
}

/** What one sentence tells of two things. */
function factsPlan({ request }: PromptParts): Plan | null {
  const facts = twoFacts(readRequest(coreOf(request), TOOL_PHRASES).rest ?? '')
  return facts && steps(...facts.map((text, at) => call(`s${at + 1}`, 'memory.save', { text })))
}

export const NAMED = TOOL_PHRASES.flatMap(({ asks }) => asks).filter(({ intent }) => intent !== undefined)

/** The plan of a request that was recognised by its name, or the reason why there is none. */
function namedPlan({ plan, needs, among, picks }: Phrase, said: Said, parts: PromptParts): Plan {
  const has = (field: MessageField) => said.has(field)
  // "Cancel the event tomorrow at 2" names it by its time alone.
  const isTimed = said.has('from') && !said.wholeDay && plan.some(isByTopic)
  const missing = Object.entries(needs ?? {}).find(
    ([slot]) => !isSaid(slot as SlotName, has) && !(slot === 'what' && isTimed),
  )
  if (missing !== undefined) return nothing(missing[1])
  const meant =
    picks !== undefined
      ? pickedOne(picks, said, parts)
      : among === undefined
        ? { before: [], path: '' }
        : meantOne(among, said, parts)
  if (picks !== undefined && !isNamed(said) && isAsked(picks, parts)) return nothing(picks.waiting)
  if (meant === null) return nothing((picks ?? among)?.unknown ?? 'not_understood')
  const filling = { has, one: meant.path }
  const shown = isTimed ? planOfShown(plan, said, parts) : null
  const wanted = shown ?? stepsSaid(plan, said)
  const own = plannedSteps(wanted, filling, meant.before.length) as unknown as Plan['steps']
  return { steps: [...meant.before, ...own], explanation: '' }
}
