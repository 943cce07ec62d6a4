/**
 * Plans a memory search for a question about the owner's own things that no tool answers. The answer shows
 * what was told, or that nothing was. Must not claim questions of tools. Called by planner.ts.
 */
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import { NEVER } from '../../extractors/learned/slots.ts'
import { coreAsTyped } from '../../extractors/message/message-intent.ts'
import { notUnderstood } from '../../extractors/message/message-learned.ts'
import { matterOf } from '../../extractors/message/message-matter.ts'
import { plannedSteps } from '../../tools/planned.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { momentOf } from './several.ts'

const ASKS =
  /^(?:what's|whats|what|when's|whens|when|where's|where|who's|who|which|how|whose|was|wann|wo|wer|wie|welche[rsnm]?|wem|woher|wohin|wogegen|wovor|womit|worauf)\b/i
/** Words of a question that name nothing. */
const AROUND_IT =
  /^(?:(?:much|many|often|long|is|are|was|were|does|do|did|has|have|had|the|my|our|a|an|i|we|you|it|again|hieß|hiess|heißt|heisst|doch|gleich|nochmals|es|ist|sind|war|hat|hab|habe|haben|der|die|das|den|mein|meine|unser|unsere|ich|wir|nochmal|denn|noch)\s+)*/i

/**
 * A question that no tool answers may be about what the owner told. `only`: where they say that they told it,
 * before anything else is looked at.
 */
export function fromMemory(parts: PromptParts, only: 'told' | null = null): Plan | null {
  if (only === 'told' && !SAID_TOLD.test(parts.request.slice(0, MEMORY_MOST))) return null
  const text = coreAsTyped(parts.request).replace(/(?<![\s?!.])[\s?!.]+$/, '')
  const asked = ASKS.exec(text)
  const [question = text, ...more] = text.split(/[,;.?!]\s/)
  // What is said beside it is not asked for.
  const isOfSomebody = OF_SOMEBODY.test(question)
  const isOwn = (OWN.test(question) || isOfSomebody) && !OF_SIDES.test(question)
  if (asked === null || !(isOwn || TOLD.test(text)) || text.length > MEMORY_MOST) return null
  // "Told you a while ago" says where it is to be found.
  const words = more.length > 0 && TOLD.test(`. ${more.join(' ')}`) ? question : text
  if (
    words
      .toLowerCase()
      .split(/[^\p{L}]+/u)
      .some((word) => NEVER.has(word) && !SAID.has(word))
  )
    return null
  const why = notUnderstood(parts.request, momentOf(parts))
  const least = isOfSomebody ? SURELY_OF_TOOL : OF_TOOL
  const isOfTool = why !== null && why.near >= least && why.nearest[0]?.startsWith('memory') !== true
  // "How bad was my sleep" is of what is measured.
  if (matterOf(parts.request, TOOL_PHRASES, momentOf(parts)) !== null) return null
  const isElse = only === null && (why === null || (why.lacking !== null && !isOfSomebody) || isOfTool)
  if (isElse || TWO.test(text)) return null
  const [about = ''] = text
    .slice(asked[0].length)
    .trim()
    .replace(AROUND_IT, '')
    .split(/[,;.?!]\s/, 1)
  // "Allergic to" what is asked for.
  const topic = about.trim().replace(/\s+(?:to|of|for|in|with|at|on|about|from|by)$/i, '')
  if (topic === '') return null
  const taken = { topic }
  const own = plannedSteps(MEMORY_PLAN, { taken, typed: parts.request }, 0) as unknown as Plan['steps']
  return { steps: own, explanation: '' }
}

/** Who told it belongs to the question. */
const SAID: ReadonlySet<string> = new Set(['told', 'said', 'tell', 'wrote'])
/** Of the owner's own things and people. */
const OWN =
  /\b(?:my|our|mein\p{L}*|unser\p{L}*)\b|\p{L}['’]?s (?:phone|number|mobile|birthday|address|size|name|nummer|geburtstag|adresse)\b|\b(?:i|we) (?:met|saw|bought|parked|left|ordered|ate|stayed|liked) (?:in|at|on|last|from)\b|\b(?:do|did|hab|habe|haben) (?:i|we|ich|wir) (?:usually|always|tell|say|give|nochmal|immer)\b/iu
/** What somebody is like, who is named: "what is Mira allergic to", "wo wohnt Mira". */
const OF_SOMEBODY =
  /^(?:(?:what|where|when|who|which \p{L}+|how \p{L}+) (?:is|does|did|was|has|are|do|can't|doesn't) (?!(?:it|this|that|there|these|those|your|you|i|we|he|she|they|the|a|an|today|tomorrow|everyone|everybody)\b)\p{L}{2,}(?: and \p{L}{2,})? (?:allergic|like|likes|love|hate|prefer|live|living|work|working|eat|drink|study|studying|called|born|from|drive|wear|play|married|vegetarian|vegan|afraid|turn|old|into)\b|(?:who|how (?:old|tall|big)) is (?!(?:it|this|that|there|he|she|the|a|an|my|our|your|in|on|at|coming|here|next)\b)\p{L}{2,}[\s?!.]*$|(?:was|wo|wann|wie \p{L}+|wogegen|wovor|womit|worauf|welche\p{L}* \p{L}+) (?:mag|isst|trinkt|wohnt|lebt|arbeitet|heißt|hasst|studiert|fährt|liebt|spielt|trägt|ist) (?!(?:es|das|dies|du|ich|wir|er|sie|ihr|der|die|heute|morgen|los|dran|jetzt|hier|da|bitte)(?!\p{L}))\p{L}{2,}(?: (?:nicht |gern\p{L}* )?(?:allergisch|geboren|verheiratet|gern|gerne|alt|nicht|angst|für \p{L}+))*[\s?!.]*$)/iu
const OF_SIDES =
  /\b(?:doing|going|getting on|performing)\s*$|\b(?:on|from|for|by) (?:my|our) (?:side|end|part|plate|desk|behalf)\b/i
/** The owner says that it was told. */
const TOLD =
  /\bi (?:\p{L}+ )?(?:told|gave|said|mentioned)\b|[.,?!] (?:told|gave|said|mentioned)\b|(?<!\p{L})(?:hatte|hatt|hab|habe)(?:n)? (?:ich )?(?:es |das )?(?:dir|ihnen)(?!\p{L})|ich (?:dir|ihnen) .{0,40}(?:gesagt|genannt|gegeben|angegeben|geschickt)|(?<!\p{L})(?:doch|war|hieß|hiess|heißt) (?:noch ?mals? |doch )?(?:gleich|noch ?mals?)(?!\p{L})|(?<!\p{L})noch ?mals?[\s?]*(?:$|[?.,])|\bagain[\s?]*(?:$|[?,])/iu
const SAID_TOLD =
  /[.,?!] (?:(?:i|i'm|im|pretty|quite|sure|think|believe|guess|reckon|have|'ve) ){0,4}(?:told|gave|given|mentioned) (?:it |that |them )?(?:to )?you\b|[.,?!] told you\b|(?<!\p{L})(?:hatte|hatt|hab|habe) (?:ich )?(?:es |das )?(?:dir|ihnen)(?!\p{L}).{0,60}(?:gesagt|genannt|gegeben)|ich (?:dir|ihnen) .{0,40}(?:gesagt|genannt|gegeben|angegeben)|^(?:wie|was) (?:hieß|hiess|heißt|heisst|war) (?:denn |doch )?(?:noch ?mals? |gleich )/iu
const MEMORY_MOST = 160
/** Such a score means that the question is of a tool, but for some words. */
const OF_TOOL = 0.4
/** The same of a question about somebody who is named. */
const SURELY_OF_TOOL = 0.6
const TWO =
  /(?<!\p{L})(?:and|und|then|dann) (?:please|bitte|delete|remove|add|send|tell|remind|book|cancel|did|do|does|is|are|has|have|hab|habe|hat|ist|sind|wann|wo|wer|was|when|where|what|who)(?!\p{L})/iu
const MEMORY_PLAN = [{ id: 's1', do: 'tool', tool: 'memory.search', args: { query: '{topic}' } }] as const
