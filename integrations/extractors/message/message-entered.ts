/**
 * Recognises questions whether something is in the calendar: "Ist der Zahnarzt jetzt eingetragen?". Must not
 * look it up. Called by message.ts and message-back.ts.
 */
import { type Moment, readDates } from '../../dates/read.ts'
import { subjectOf } from './contents/message-words.ts'
import { type Fields, textField, timeFields } from './message-taken.ts'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
/** UTF-16 units: such questions are short. */
const LONGEST = 140
/** Stands for what was talked about. */
const IT = /^(?:it|that|this|ihn|sie|er|es|der|die|das)$/iu
/** Whether something is entered; "now" beside it is no time. */
const ENTERED =
  /^(?:(?:and|und|so|ok|okay|also|na|but|aber) )*(?:is|are|has|have|did|do|ist|sind|steht|stehen|hast|hab|habe|wurde)(?: (?:i|we|you|ich|wir|du))?(?: (?:put|have|got|entered|added|gotten))* (?<what>[^?:]{2,80}?) (?:(?:been|also|auch) )*(?:eingetragen|vermerkt|drin|im kalender|in meinem kalender|entered|in there|(?:in|on) (?:my|the) (?:calendar|diary))(?: (?:now|already|yet|jetzt|schon))*[\s?.!]*$/iu
const NOW_WITHIN = new RegExp(
  `(?:^|\\s+)(?:now|jetzt|already|schon|wirklich|really|been|denn|the|my|our|der|die|das|den|mein|meinen|meine|unser|unseren|a|an|ein|einen)${E}`,
  'giu',
)

/** Whatever is there is asked for. */
const VAGUE = new RegExp(
  `${B}(?:any\\p{L}*|something|nothing|some|more|free|was|etwas|irgend\\p{L}*|nichts|viele?|much|many|lot|how|what|there)${E}`,
  'iu',
)

/** What is asked of, where a message asks whether it is entered; null for any other, empty for a pronoun. */
export function enteredIn(text: string): string | null {
  const what = text.length > LONGEST ? undefined : ENTERED.exec(text.trim())?.groups?.['what']
  if (what === undefined || VAGUE.test(what)) return null
  const named = what.replace(NOW_WITHIN, ' ').replaceAll(/\s+/g, ' ').trim()
  return IT.test(named) ? '' : named
}

/** Days ahead in which something is looked for that has no time. */
const AHEAD = 30

/** "Is the dentist entered by now?": the events with that name. */
export function enteredFields(what: string, moment: Moment): Fields {
  const { span, rest } = readDates(what, moment)
  const { zone, now } = moment
  const today = zone.dayOf(now)
  const ahead = {
    from: zone.instantOf(today, 0),
    to: zone.instantOf(today + AHEAD, 0),
    named: 'days',
  } as const
  return {
    ...{ intent: 'calendar_list', whole: true, quoted: false, attachments: 0 },
    ...textField('topic', subjectOf(rest)),
    ...timeFields(span ?? ahead, moment),
  }
}
