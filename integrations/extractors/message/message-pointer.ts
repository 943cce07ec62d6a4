/**
 * Detects requests to remember something that stands elsewhere, such as "the deadline from Sarah's mail" or
 * "was in Toms Mail steht". These words are not the fact itself, so code stores nothing and the owner is
 * asked for it. Must not look anything up. Called by message.ts, message-learned.ts and the rules planner
 * (reminders/reminding.ts).
 */
import type { Fields } from './message-taken.ts'

const B = '(?<![\\p{L}\\p{N}])'
const E = '(?![\\p{L}\\p{N}])'
/** Things that contain text, such as mails and files. */
const THING =
  '(?:(?:e-?)?mails?|messages?|letters?|newsletters?|threads?|posts?|invit(?:e|ation)s?|events?|(?:calendar )?entry|pages?|web ?(?:page|site)s?|articles?|links?|files?|attachments?|documents?|pdfs?|spreadsheets?|slides|' +
  'nachricht(?:en)?|briefe?n?|einladung(?:en)?|kalendereintrag|(?:web)?seiten?|artikeln?|datei(?:en)?|anh(?:a|ä)nge?n?s?|dokument(?:e|en|s)?)'
const IN = '(?:from|in|on|of|out of|off|inside|aus|in|im|von|vom|auf|an)'
const WHOSE =
  "(?:(?:the|that|this|those|these|my|our|his|her|their|its|your|last|latest|newest|first|second|other|der|dem|den|die|das|diese[mnrs]?|mein\\p{L}*|unser\\p{L}*|sein\\p{L}*|ihr\\p{L}*|letzten?|neueste[nr]?|ersten?|zweiten?|(?:[\\p{L}.-]+ ){0,2}[\\p{L}.-]+(?:['’]s?|s)) )"
/** May follow the thing: its author, and words to the assistant. */
const BEHIND = `(?:,? (?:from|by|of|von|vom) (?:\\p{L}+\\.? ?){1,3}?)?(?:,? (?:for me|for later|please|pls|für mich|bitte))*[\\s.!?]*$`
const PLACE = `${IN} ${WHOSE}{0,3}${THING}${E}`
const DETERMINED =
  '(?:the|that|those|these|all|all the|every|any|both|her|his|their|der|die|das|den|dem|alle|beide|seine?n?|ihre?n?)'
/** A verb: a whole sentence can be a fact itself. */
const SAYS = `${B}(?:is|are|was|were|has|have|had|will|can|must|should|needs?|goes|went|comes?|ist|sind|war|waren|hat|haben|wird|kann|muss|soll|liegt|liegen|kommt)${E}`
/** A phrase that ends with the thing in which the fact stands. */
const NOUN = new RegExp(`^(?!.*${SAYS})${DETERMINED} (?:\\S+ ){1,5}?${PLACE}${BEHIND}`, 'isu')
/** Asks for what somebody wrote, or for the content of such a thing. */
const ASKED = new RegExp(
  `^(?!.*:)(?:what(?:['’]s| is| was)?|whatever|everything|all that|was|alles,? was|wann|wo|when|where|how much)${E}.*(?:${PLACE}|${B}(?:wrote|writes|says|said|asks|asked for|sent|schreibt|schrieb|geschrieben|steht|stand|sagt|will|wollte)${E}|['’]s? ${THING}${E})`,
  'isu',
)
/** A value in such a thing, without which a reminder or task is useless. */
const VALUE = new RegExp(
  `^(?:${DETERMINED} )?(?:\\S+ )?(?:dates?|deadlines?|times?|days?|address(?:es)?|numbers?|codes?|prices?|amounts?|sums?|totals?|places?|names?|links?|points?|things?|items?|tasks?|to-?dos?|ingredients|datum|daten|frist(?:en)?|uhrzeit(?:en)?|tage?|adressen?|nummern?|preise?|betr(?:a|ä)ge?|summen?|orte?|namen?|punkt(?:en?)?|sachen|aufgaben|zutaten) ${PLACE}${BEHIND}`,
  'isu',
)

/** "The mail for Thursday": what was shown, and when it is to be told of. */
const FOR_DAY = new RegExp(
  `^(?:(?:\\S+ )?${THING} |(?:it|this|that|das|es|sie) )?(?:for|until|till|für|bis|zum) (?:(?:on|the|den|dem|am) )?(?:to(?:day|night|morrow)|next|heute|(?:über)?morgen|nächste|mittwoch|\\p{L}+(?:day|tag)|\\d)[^,;:]{0,40}$`,
  'isu',
)

const KEPT: Readonly<Record<string, readonly RegExp[]>> = {
  memory_save: [NOUN, VALUE, ASKED, FOR_DAY],
  reminder_set: [VALUE, ASKED],
  task_add: [VALUE, ASKED],
}
/** A cheap pre-check with a word of every match: the patterns above are costly to compile. */
const MAY_POINT =
  /mail|messag|letter|thread|post|invit|event|entry|page|site|article|link|file|attach|document|pdf|spreadsheet|slide|nachricht|brief|einladung|eintrag|seite|artikel|datei|anh|dokument|wrote|write|say|said|ask|sent|schr|steht|stand|sagt|will|woll|für|for|until|bis|zum/i
/** Maximum UTF-16 units. A longer text is no reference. */
const LONGEST = 200

/**
 * Removes the topic from the fields of such a request if it only refers to other text, so that the owner is
 * asked for it.
 */
export function withoutPointer(fields: Fields): Fields {
  const { intent, topic, ...others } = fields
  const patterns = typeof intent === 'string' ? (KEPT[intent] ?? []) : []
  const isPointer =
    typeof topic === 'string' &&
    topic.length <= LONGEST &&
    MAY_POINT.test(topic) &&
    patterns.some((one) => one.test(topic.trim()))
  return isPointer ? { ...others, ...(intent !== undefined && { intent }) } : fields
}

const SOMEWHERE = new RegExp(
  `${B}${PLACE}|['’]s? ${THING}${E}|${B}(?:wrote|schreibt|schrieb|geschrieben)${E}`,
  'iu',
)

/** Whether a request without a topic names a thing in which the fact stands. */
export function namesPlace(text: string): boolean {
  return MAY_POINT.test(text) && SOMEWHERE.test(text.slice(0, LONGEST))
}
