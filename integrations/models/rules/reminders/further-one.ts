/**
 * Plans one more reminder right after one was set: "and tomorrow at 7 pe kit for ben", "und um 11 an die Hintertür". What
 * begins with a time is of the same kind as what was just set. Must not read another request. Passed to the planner by home.
 */
import type { Json } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import type { Plan } from '../../../../kernel/task/plan.ts'
import { readDates } from '../../../dates/read.ts'
import { DAY } from '../../../dates/zone.ts'
import { saysSecond } from '../../../extractors/message/message-coverage.ts'
import { readReminder } from '../../../extractors/timed/reminder.ts'
import { fieldOf } from '../answers/content.ts'
import { momentOf } from '../several.ts'
import { setAll } from './reminder-more.ts'
import { OWN_DAY } from './several-things.ts'

/** UTF-16 units: requests are short. */
const MOST = 160
const FURTHER =
  /^(?:(?:oh|ach|ok|okay|ah),? )?(?:and|und|also|plus|&)(?: (?:then|also|dann|auch|noch|bitte|please))*,? (?<rest>\S.*)$/isu
/** What is to be done stands behind it, whatever it begins with. */
const OF = /^\s*(?:to|about|of|that|an|ans|daran|dass)(?!\p{L})/iu
/** A request of its own, a question, or the same thing again. */
const ELSE =
  /^[\s,.]*(?:$|\?)|\?\s*$|^[\s,.]*(?:book|schedule|add|put|move|cancel|delete|invite|send|mail|email|tell|ask|show|find|set|make|remember|what\p{L}*|when|where|who|how|is|are|do|does|too|as well|again|once more|instead|trag\p{L}*|buch\p{L}*|plan\p{L}*|verschieb\p{L}*|lösch\p{L}*|schick\p{L}*|schreib\p{L}*|sag\p{L}*|zeig\p{L}*|such\p{L}*|merk\p{L}*|was|wann|wo|wer|wie|ist|sind|auch|nochmal|noch mal|wieder|ebenfalls|lieber|doch|nicht|not|no)(?!\p{L})/iu
const AROUND = /^[\s,.]*(?:(?:on|at|in|um|am|gegen|by|den|the|for)[\s,.]*)*$/iu
const HALF =
  /(?<!\p{L})(?:morning|afternoon|evening|night|tonight|noon|midnight|morgens?|früh|vormittags?|mittags?|nachmittags?|abends?|nachts?)(?!\p{L})|\d ?[ap]\.?m|uhr|(?<!\d)(?:0\d|1[3-9]|2\d)[:.]/iu
const HALF_DAY = DAY / 2

/** Null for any other message, and where nothing but a reminder was set right before. */
export function furtherReminder(parts: PromptParts): Plan | null {
  const { request, metadata } = parts
  const rest = request.length > MOST ? undefined : FURTHER.exec(request.trim())?.groups?.['rest']
  const last = metadata.find(({ root }) => root === 'w1')
  if (rest === undefined || last?.action !== 'reminder.set') return null
  if (metadata.some(({ root }) => /^q\d+$/.test(root))) return null
  const { time, behind } = beginning(rest, parts)
  if (time === '' || (ELSE.test(behind) && !OF.test(behind)) || saysSecond(behind)) return null
  const isGerman =
    /^und(?!\p{L})/iu.test(request.trim()) || /(?<!\p{L})(?:um|morgen|heute|abends?)(?!\p{L})/iu.test(time)
  const [asks, joins] = isGerman ? ['erinnere mich', 'an'] : ['remind me', 'to']
  const said = OF.test(behind) ? `${asks} ${rest}` : `${asks} ${time} ${joins} ${behind.trim()}`
  const read = readReminder(said, momentOf(parts))
  if (
    read?.intent !== 'reminder_set' ||
    read.due === null ||
    (read.topic ?? '') === '' ||
    read.repeat !== null
  )
    return null
  const former = Date.parse(String(fieldOf(last.fields as Json, 'due') ?? ''))
  const isOpen = !OWN_DAY.test(time) && !HALF.test(time)
  return setAll([{ ...read, due: isOpen ? after(read.due, former, momentOf(parts).now) : read.due }], parts)
}

/** The longest beginning that is a time of day, with or without its day, and what stands behind it. */
function beginning(rest: string, parts: PromptParts): { readonly time: string; readonly behind: string } {
  const words = rest.split(/(?<=\s)/u)
  for (let count = Math.min(words.length - 1, MOST_WORDS); count > 0; count -= 1) {
    const time = words.slice(0, count).join('').trim()
    const read = readDates(time, momentOf(parts))
    if (
      read.span !== null &&
      read.span.named !== 'days' &&
      AROUND.test(read.rest) &&
      !OF.test(words[count - 1] ?? '')
    )
      return { time, behind: words.slice(count).join('') }
  }
  return { time: '', behind: rest }
}

const MOST_WORDS = 7

/** "At half past 11" after one at 23:00 is half an hour later, and not the next morning. */
function after(due: number, former: number, now: number): number {
  if (!(former > now)) return due
  const others = [due - DAY, due - HALF_DAY, due, due + HALF_DAY].filter((at) => at > former && at > now)
  const first = Math.min(...others)
  return first - former < HALF_DAY / 2 ? first : due
}
