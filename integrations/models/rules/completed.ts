/**
 * The request that an answer completes: after "When?" "at 7" makes "remind me at 7 to call mum" of what was asked before. The answer is put in its place in the
 * owner's own words, and the whole counts only if it is planned by itself. Must not read anything that another wrote. Passed to home's reader of messages.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { operationInMessage } from '../../../kernel/operations/commands.ts'
import type { Complete } from '../../../kernel/powers/tier-port.ts'
import type { PromptParts } from '../../../kernel/prompt/parts.ts'
import { answerInMessage } from '../../../kernel/task/answers/answer-words.ts'
import type { Plan } from '../../../kernel/task/plan.ts'
import type { Moment } from '../../dates/read.ts'
import { createZone } from '../../dates/zone.ts'
import { fieldsAt } from '../../extractors/message/message.ts'
import { isTime } from '../../extractors/timed/reminder.ts'
import { whenInEnglish } from '../../extractors/timed/reminder-german.ts'
import { isAsked, repeatIn } from '../../extractors/timed/repeat-rules.ts'
import { saysAgain } from '../../extractors/timed/repeat-words.ts'
import { TOOL_MANIFESTS } from '../../tools/registered.ts'
import { HOME_RULES } from './home.ts'
import { planFor } from './plan-for.ts'

/** A time, somebody or something by its name, or any words. */
type Kind = 'time' | 'name' | 'text'

interface Asked {
  readonly kind: Kind
  /** Words of the request were not understood: the answer stands in their place. */
  readonly anew?: true
  /** They may be left as they are, too. */
  readonly either?: true
  /** The answer stands in the place of how often it was to come. */
  readonly often?: true
  /** What stands before the answer, in the order in which it is tried. */
  readonly before?: readonly string[]
}

/** By the code of a plan without steps. */
const ASKED: Readonly<Record<string, Asked>> = {
  needs_time: { kind: 'time' },
  needs_new_time: { kind: 'time', before: ['to ', 'auf '] },
  needs_day: { kind: 'time', either: true },
  needs_date: { kind: 'time', anew: true },
  repeats_two_ways: { kind: 'time', anew: true, before: ['', 'every ', 'jeden '] },
  repeats_which_days: { kind: 'time', often: true, before: ['', 'every ', 'jeden '] },
  repeats_which_times: {
    kind: 'time',
    often: true,
    before: ['every day ', 'every day at ', 'jeden Tag ', 'jeden Tag um '],
  },
  needs_place: { kind: 'name', before: ['in ', ''] },
  needs_named: { kind: 'name' },
  needs_invitation: { kind: 'name', before: ['from ', 'von ', ''] },
  which_sender: { kind: 'name', before: ['from ', 'von ', ''] },
  which_mail: { kind: 'name', before: ['from ', 'von ', ''] },
  which_event: { kind: 'name' },
  contact_unknown: { kind: 'name' },
  needs_title: { kind: 'text' },
  needs_task: { kind: 'text' },
  needs_fact: { kind: 'text' },
  needs_reminder: { kind: 'text' },
}

/** Words of the request, and of an answer: what is longer says more than what was asked for. */
const MOST_WORDS = 24
const MOST_ANSWER = 12
const MOST_NAME = 5
/** Words of the request in whose place an answer may stand. */
const MOST_REPLACED = 5
/** Requests that are tried for one answer: each is planned by itself. */
const MOST_TRIED = 80

/** Said to no question: nothing is done, or something else is wanted. */
const NO_ANSWER =
  /^(?:no|nope|nah|nein|ne+|yes|yeah|ja|ok|okay|thanks?|thank you|danke|never ?mind|forget (?:it|that)|not now|egal|vergiss (?:es|das)|schon gut|lass (?:es|gut sein)|nichts?|nothing|cancel|stop|abbrechen|later|später)(?!\p{L})/iu
const QUESTION =
  /^(?:(?:and|und|so|also|oh|ok|okay),? )?(?:wh(?:at|o|y|ich|ere|en)(?:['’]s)?|how|is|are|do|does|did|can|could|will|would|should|am|w(?:as|er|ann|o|ie|arum|elche\p{L}*)|ist|sind|hast?|habe?|kannst|kann|bin|gibt)(?!\p{L})/iu

export const completed: Complete = ({ code, request, answer }, { now, timezone }) => {
  const asked = ASKED[code]
  const typed = answer.trim().replace(/[.!]+$/, '')
  const isShort = wordsOf(request).length <= MOST_WORDS && wordsOf(typed).length <= MOST_ANSWER
  if (asked === undefined || !isShort || typed === '' || /[?\n]/.test(typed) || NO_ANSWER.test(typed))
    return null
  const moment = { now, zone: createZone(timezone) }
  const plans = (text: string): Plan => planOf(text, moment, timezone)
  const said =
    asked.kind === 'time' ? timeAlone(typed, moment) : isRequest(typed, asked, moment) ? null : typed
  if (said === null) return null
  const before = fieldsAt(request, moment)
  const isWhole = (text: string): boolean => {
    // One reminder for each time of a day.
    if (code === 'repeats_which_times') return isOfEachTime(plans(text))
    const read = fieldsAt(text, moment)
    const isSame = before['intent'] === 'other' || read['intent'] === before['intent']
    const topic = asked.kind !== 'text' && typeof before['topic'] === 'string' ? bare(before['topic']) : null
    const now = bare(String(read['topic'] ?? ''))
    // How often it was to come was a part of it.
    const isKept = asked.often === true ? now !== '' && topic?.endsWith(now) === true : now === topic
    if (!isSame || (topic !== null && !isKept)) return false
    const isAgain = code.startsWith('repeats_') || code === 'needs_day'
    if (isAgain && (typeof read['repeat'] !== 'string' || isAsked(read['repeat']))) return false
    const plan = plans(text)
    // What is still missing is asked for next.
    const isFurther =
      asked.kind === 'text' && plan.explanation !== code && Object.hasOwn(ASKED, plan.explanation)
    return plan.steps.length > 0 || isFurther
  }
  return wholes(request, said, asked).slice(0, MOST_TRIED).find(isWhole) ?? null
}

function isOfEachTime({ steps }: Plan): boolean {
  return steps.length > 1 && steps.every((step) => step.do === 'tool' && step.tool === 'reminder.set')
}

/** "At 7", "um sieben", "weekdays": a time and nothing besides, as it stands in a request; null for anything else. */
function timeAlone(said: string, moment: Moment): string | null {
  const plain = said
    .replace(
      /^(?:(?:let['’]s say|say|make it|maybe|to|sagen wir|am besten|auf|bitte|please|ok|okay)[, ]+)+/iu,
      '',
    )
    .replace(/[, ]+(?:please|pls|bitte|thanks|danke)$/iu, '')
  if (CLOCKS.test(plain)) return plain
  const ways = [plain, `at ${plain}`, `on ${plain}`, `every ${plain}`]
  return ways.find((way) => isTime(way, moment) || isTime(whenInEnglish(way), moment)) ?? null
}

/** "8, 12 and 18": several times of a day. */
const CLOCKS =
  /^(?:at |um )?(?:\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m| uhr)?(?:, | and | und |, and )){1,5}\d{1,2}(?:[:.]\d\d)?(?: ?[ap]m| uhr)?$/iu

/** Whether it stands for itself. */
function isRequest(said: string, { kind }: Asked, moment: Moment): boolean {
  const { intent = 'other' } = fieldsAt(said, moment)
  const isItems = kind === 'text' && intent === 'task_add' && listsNothing(said)
  const isNamed = !['other', 'chat'].includes(String(intent)) && !isItems
  const isLong = kind === 'name' && wordsOf(said).length > MOST_NAME
  return (
    isNamed ||
    isLong ||
    QUESTION.test(said) ||
    operationInMessage(said) !== null ||
    answerInMessage(said) !== null
  )
}

function listsNothing(said: string): boolean {
  return !/list|zettel|to-?dos?|tasks?|aufgabe/iu.test(said)
}

/** Whole requests, the likeliest first. */
/** UTF-16 units of a request that is completed: requests are short. */
const LONGEST = 400

function wholes(
  request: string,
  said: string,
  { kind, anew, either, often, before = [''] }: Asked,
): readonly string[] {
  if (request.length > LONGEST) return []
  const plain = request.trim().replace(/[.!?]+$/, '')
  if (often === true && !OFTEN.test(plain)) return []
  if (often === true)
    return before.flatMap((lead) => [
      plain.replace(OFTEN, () => `${lead}${said}`),
      `${plain.replace(OFTEN, '').replace(/ {2,}/g, ' ').trim()} ${lead}${said}`,
    ])
  if (kind === 'time')
    return before.flatMap((lead) => [
      ...(anew === true ? [] : placed(plain, `${lead}${said}`, false)),
      ...(anew === true || either === true ? placed(plain, `${lead}${said}`, true) : []),
    ])
  if (kind === 'text') return [`${plain} ${said}`, `${plain}: ${said}`, ...placed(plain, said, false)]
  const bareName = said.replace(
    /^(?:the|that|der|die|das|den) one (?=\S)|^(?:die|der|das|den) (?=von |vom |mit )/iu,
    '',
  )
  const named = bareName.replace(/^the (\S+) one$/iu, '$1')
  const leads = /^(?:from|of|in|by|with|about|von|vom|mit|über|aus)\s/iu.test(named) ? [''] : before
  const behind = leads.map((lead) => `${plain} ${lead}${named}`)
  const instead = POINTS.test(plain) ? [plain.replace(POINTS, () => named)] : []
  const other = WHOM.test(plain) ? [plain.replace(WHOM, () => named)] : []
  return before[0] === '' ? [...instead, ...other, ...behind] : [...behind, ...instead]
}

/** "Twice a week", "dreimal am Tag". */
const OFTEN =
  /(?<!\p{L})(?:(?:once|twice|thrice|(?:\d{1,2}|two|three|four|five|six|several) times) (?:a|per|each|every|in a) (?:day|week|month|year)|(?:\d{1,2} ?|ein|zwei|drei|vier|fünf|sechs|mehr)mals? (?:am|pro|die|in der|jede[nsr]?|im) (?:tag|woche|monat|jahr)|(?:zwei|drei|vier|fünf)mal (?:täglich|wöchentlich))(?!\p{L})/iu
/** What stands for somebody or something that was not known. */
const POINTS = /(?<!\p{L})(?:her|him|them|it|that|this one|that one|ihm|ihn|ihr|ihnen|es|sie)(?!\p{L})/iu
const WHOM = /(?<=(?<!\p{L})(?:to|an|with|mit|invite|e?-?mail) )(?!(?:to|an) )[\p{L}@.'’-]*[\p{L}]/iu

/**
 * At its end, at its beginning, between its words; or in the place of words that say when, so that none of those is left.
 */
function* placed(request: string, said: string, isAnew: boolean): Generator<string> {
  const words = wordsOf(request)
  for (let out = isAnew ? 1 : 0; out <= (isAnew ? MOST_REPLACED : 0); out += 1)
    for (let at = words.length - out; at >= 0; at -= 1) {
      const [lead, rest] = [words.slice(0, at), words.slice(at + out)]
      const left = [...lead, ...rest].join(' ')
      if (!isAnew || !(saysAgain(left) || repeatIn(left).repeat !== null))
        yield [...lead, said, ...rest].join(' ')
    }
}

function bare(topic: string): string {
  return topic
    .trim()
    .toLowerCase()
    .replace(/[\s,.!]+$/, '')
}

const EFFECTS = [
  'memory.save',
  'memory.search',
  'reminder.set',
  'reminder.later',
  'reminder.about',
  'task.add',
  'task.done',
  'task.list',
  'reminder.list',
]
/** All that is there: what is not offered is refused where the whole is planned again. */
const OFFERED: PromptParts['tools'] = [
  ...TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id)),
  ...EFFECTS,
].map((id) => ({ id, description: id, semantics: 'read', args: {}, gives: '' }))

function planOf(text: string, moment: Moment, timezone: string): Plan {
  const fields = fieldsAt(text, moment) as Readonly<Record<string, Json>>
  const local = new Date(moment.zone.wallOf(moment.now)).toISOString().slice(0, 16)
  return planFor(
    {
      ...{ purpose: 'plan', audience: 'owner', self: { version: '', sections: [] }, document: '' },
      ...{ directives: [], blocks: [], request: text, history: [], contents: [], troubles: [] },
      ...{ instruction: null, options: [], tools: OFFERED },
      metadata: [{ root: 'said', action: '', fields }],
      output: { sink: '', maxChars: 0, format: 'plain', timezone, now: local },
    },
    HOME_RULES,
  )
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
