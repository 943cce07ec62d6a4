/**
 * A question about the owner's own things that no tool answers is asked of memory: what was told is shown, or that nothing was. Must not claim questions
 * of tools. Called by planner.ts.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { NEVER } from '../../extractors/learned/slots.ts'
import { coreAsTyped } from '../../extractors/message-intent.ts'
import { notUnderstood } from '../../extractors/message-learned.ts'
import { plannedSteps } from '../../tools/planned.ts'
import { momentOf } from './several.ts'

const ASKS =
  /^(?:what's|whats|what|when's|whens|when|where's|where|who's|who|which|how|whose|was|wann|wo|wer|wie|welche[rsnm]?|wem|woher|wohin)\b/i
/** Words of a question that name nothing. */
const AROUND_IT =
  /^(?:(?:much|many|often|long|is|are|was|were|does|do|did|has|have|had|the|my|our|a|an|i|we|you|it|again|ist|sind|war|hat|hab|habe|haben|der|die|das|den|mein|meine|unser|unsere|ich|wir|nochmal|denn|noch)\s+)*/i

/** A question that no tool answers may be about what the owner told. */
export function fromMemory(parts: PromptParts): Plan | null {
  const text = coreAsTyped(parts.request).replace(/[\s?!.]+$/, '')
  const asked = ASKS.exec(text)
  if (asked === null || !OWN.test(text) || text.length > MEMORY_MOST) return null
  if (
    text
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .some((word) => NEVER.has(word))
  )
    return null
  const why = notUnderstood(parts.request, momentOf(parts))
  const isOfTool = why !== null && why.near >= OF_TOOL && why.nearest[0]?.startsWith('memory') !== true
  if (why === null || why.lacking !== null || isOfTool || TWO.test(text)) return null
  const [about = ''] = text
    .slice(asked[0].length)
    .trim()
    .replace(AROUND_IT, '')
    .split(/[,;.?!]\s/, 1)
  if (about.trim() === '') return null
  const taken = { topic: about.trim() }
  const own = plannedSteps(MEMORY_PLAN, { taken, typed: parts.request }, 0) as unknown as Plan['steps']
  return { steps: own, explanation: '' }
}

/** Of the owner's own things and people. */
const OWN =
  /\b(?:my|our|mein\p{L}*|unser\p{L}*)\b|\p{L}['’]?s (?:phone|number|mobile|birthday|address|size|name|nummer|geburtstag|adresse)\b|\b(?:do|did|hab|habe|haben) (?:i|we|ich|wir) (?:usually|always|tell|say|give|nochmal|immer)\b/iu
const MEMORY_MOST = 120
/** Such a score means that the question is of a tool, but for some words. */
const OF_TOOL = 7
const TWO = /\b(?:and|und|then|dann) (?:please|bitte|delete|remove|add|send|tell|remind|book|cancel)\b/i
const MEMORY_PLAN = [{ id: 's1', do: 'tool', tool: 'memory.search', args: { query: '{topic}' } }] as const
