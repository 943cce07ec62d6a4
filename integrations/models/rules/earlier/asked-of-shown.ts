/**
 * Answers a question about what was shown last, by a pronoun, with that thing once more, whole: "who sings in it", "when do I have to
 * pay it". Only in place of a search, a look at a month or no plan at all. Pure. Passed to the planner by home.
 */
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { namesADay } from '../../../dates/read.ts'
import { asksChange } from '../../../extractors/message/message-seek.ts'
import { call, nothing, ref, steps } from '../steps.ts'
import { lastShown } from './looking-back.ts'
import { idOf, shownEvent } from './of-shown-event.ts'

/** UTF-16 units: such questions are short. */
const LONGEST = 90
const ASKS =
  /^(?:(?:and|und|so|ok|okay|but|aber|also|na|hm+|until|till|by|since|bis|ab)[\s,]+)*(?:what|whats|what['’]s|who|whos|who['’]s|whom|whose|when|where|which|how|why|is|are|was|were|do|does|did|has|have|can|will|was|wer|wem|wen|wann|wo|wohin|worum|wie|wieso|warum|welche[nrsm]?|ist|sind|muss|hat|kann|soll|steht|gibt)(?!\p{L})/iu
/** It stands for the thing, as what is asked about, or behind a word of place or of time. */
const IT =
  /(?<!\p{L})(?:(?:in|of|at|on|about|to|for|from|with|by|into|after|before|during) (?:it|that|there|them)|(?:in|at) there|(?:it|he|she|they))(?=[\s?.!]*$)|(?<!\p{L})(?:pay|owe|reach|attend|bring|need|do|return|answer|accept|confirm|cost|send|sent|write|written|wrote|come|arrive|say|says|said|mention|want|ask|due|start|end|last|expire|happen) (?:it|that|this|them)(?=[\s?.!]*$)|(?<!\p{L})(?:does|did|do|is|was|has|will) (?:it|he|she|they|that|this)(?!\p{L})|(?<!\p{L})(?:darin|drin|daran|dran|dabei|davon|dafür|dazu|damit|daraus|dort)(?!\p{L})|(?<!\p{L})(?:ist|sind|hat|haben|muss|müssen|kostet|steht|singt|kommt|kommen|macht|will|schreibt|sagt|braucht|zahlen|bezahlen|mitbringen) (?:ich |wir )?(?:es|das|er|sie|ihn|die|den)(?!\p{L})|(?<!\p{L})(?:es|das|sie|ihn) (?:zahlen|bezahlen|überweisen|mitbringen|zurückgeben|antworten|schicken|geschickt|geschrieben|erledigen|abgeben|bekommen)(?=[\s?.!]*$)/iu
/** Of the assistant, or of what it did. */
const YOU = /(?<!\p{L})(?:you|your|du|dir|dich|dein\p{L}*)(?!\p{L})/iu
const SEARCHES: ReadonlySet<string> = new Set(['web.search', 'email.search', 'memory.search'])
const OPEN: ReadonlySet<string> = new Set(['not_understood', 'needs_named', 'which_mail'])

/** The same plan where it answers something of its own. */
export function askedOfShown(plan: Plan, parts: PromptParts): Plan {
  const { request } = parts
  const isShort = request.length <= LONGEST && !/["“”„:;@\n]/u.test(request)
  if (!isShort || !ASKS.test(request.trim()) || !IT.test(request.trim()) || YOU.test(request)) return plan
  if (asksChange(request) || !isNoAnswer(plan, request)) return plan
  const again = shownAgain(parts)
  if (again !== null && again.steps.length > 0) return again
  // Nothing is found for a word that stands for what nobody named.
  return plan.steps.length > 0 && isOf(plan, 'web.search') && OF_IT.test(request)
    ? nothing('needs_named')
    : plan
}

const OF_IT = /(?<!\p{L})(?:in|of|at|about|from|with|by) (?:it|them)[\s?.!]*$/iu

function isOf({ steps: own }: Plan, tool: string): boolean {
  return own.every((step) => step.do === 'tool' && step.tool === tool)
}

/** Whether the plan looks for the words of the question, or through a calendar of no day that was named. */
function isNoAnswer({ steps: own, explanation }: Plan, request: string): boolean {
  if (own.length === 0) return OPEN.has(explanation)
  const [only, ...others] = own
  if (only?.do !== 'tool' || others.length > 0) return false
  return SEARCHES.has(only.tool) || (only.tool === 'calendar.list_events' && !namesADay(request))
}

/** What was shown last, by whichever tool; null where something else was since. */
function shownAgain(parts: PromptParts): Plan | null {
  const last = parts.metadata.find(({ root }) => root === 'w1')
  if (last === undefined) return null
  const event = last.action.startsWith('calendar.') ? shownEvent(parts, null) : null
  if (event !== null) return steps(call('s1', 'calendar.read_event', idOf(event)))
  if (last.action === 'web.read' && Object.hasOwn(last.fields as object, 'url'))
    return steps(call('s1', 'web.read', { url: ref('w1.url') }))
  return lastShown(parts)
}
