/**
 * Reads a wish for something regular in any word order: "I'd like to hear what's on at 7 on weekdays", "jeden
 * Werktag um sieben einen kurzen Überblick, was ansteht". Removes the schedule and the wish; the rest is what
 * to send. Pure; must not read other requests. Called by job.ts.
 */
import { asksForWords } from '../../../kernel/features/jobs/worded-words.ts'
import { oftenInEnglish } from './job-german.ts'

/** UTF-16 units. */
const LONGEST = 250
const DAY_EN = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?'
const DAY_DE = '(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)'
const CLOCK_EN =
  "(?:at |around |about )?(?:\\d{1,2}(?:[:.]\\d\\d)? ?[ap]\\.?m\\.?|\\d{1,2}[:.]\\d\\d)|(?:at|around) (?:about )?(?:half past \\p{L}+|(?:a )?quarter (?:past|to) \\p{L}+|noon|\\d{1,2}(?: o'clock)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
const CLOCK_DE =
  '(?:um|gegen) (?:halb \\p{L}+|viertel (?:vor|nach) \\p{L}+|\\d{1,2}(?:[:.]\\d\\d)?|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)(?: uhr)?'
/** Behind one time of a day, others: "at 8am and 6pm", "um 7 und um 19 Uhr". */
const MORE_EN = '(?:(?:,? and| &|,) (?:again )?(?:at )?\\d{1,2}(?:[:.]\\d\\d)?(?: ?[ap]\\.?m\\.?)?)*'
const MORE_DE = '(?:(?:,? und|,) (?:um )?\\d{1,2}(?:[:.]\\d\\d)?(?: uhr)?)*'
const AGAIN_EN = `(?:on )?(?:every|each) (?:single )?(?:week ?day|work(?:ing)? ?day|day|morning|evening|afternoon|night|${DAY_EN}(?: (?:morning|evening|afternoon|night))?)|(?:on )?(?:week ?days|work(?:ing)? ?days|weekends)|daily|on ${DAY_EN}(?<=s)`
const AGAIN_DE = `(?:an )?jede[nrsm]? (?:werktag|arbeitstag|tag|morgen|abend|nachmittag|${DAY_DE})|werktags|täglich|an werktagen|${DAY_DE}s|am wochenende`
const EN = new RegExp(
  `(?<![\\p{L}\\d])(?:(?<a1>${AGAIN_EN})(?:,? (?<c1>(?:${CLOCK_EN})${MORE_EN}))?|(?<c2>(?:${CLOCK_EN})${MORE_EN}),? (?<a2>${AGAIN_EN}))(?![\\p{L}\\d])`,
  'iu',
)
const DE = new RegExp(
  `(?<![\\p{L}\\d])(?:(?<a1>${AGAIN_DE})(?:,? (?:so )?(?<c1>(?:${CLOCK_DE})${MORE_DE}))?|(?<c2>(?:${CLOCK_DE})${MORE_DE}),? (?<a2>${AGAIN_DE}))(?![\\p{L}\\d])`,
  'iu',
)
const ANY = new RegExp(`(?<![\\p{L}\\d])(?:${AGAIN_EN}|${AGAIN_DE})(?![\\p{L}\\d])`, 'giu')
/** That it is to be told. */
const TELL = new RegExp(
  [
    "(?:i(?:'d| would)? (?:like|love|want|need)(?: you)? to (?:know|hear|get|have|see|be told|tell me)|i(?:'d| would)? (?:like|want|need)(?= (?:an?|my|the) ))",
    '(?:(?:can|could|would|will) you )?(?:please )?(?:(?:tell|give|send|show|read|bring|message|text|get) me|let me know|brief me on|update me on)',
    '(?:ich )?(?:möchte|moechte|will|hätte gern|würde gerne?|wüsste gern)(?: ich)?(?: gerne?)?(?: (?:wissen|hören|erfahren|sehen))?',
    '(?:(?:kannst|könntest|würdest|magst) du mir|sage? mir|schicke? mir|gib mir|zeige? mir|nenne? mir|erzähle? mir|melde mir|bringe? mir)',
    '^(?:know|hear|see|get told)(?!\\p{L})',
    'mir(?=.{1,80} (?:sagen|schicken|geben|zeigen|nennen)(?:,|$))',
  ].join('|'),
  'iu',
)
export const SUMMARY =
  /(?:an? |my |the |eine?n? |'?ne?n? |meinen? )?(?:(?:short|quick|brief|little|kurze[nrs]?|kleine[nrs]?|schnelle[nrs]?) )*(?:summary|overview|rundown|round-?up|run-?through|heads-?up|überblick|übersicht|zusammenfassung)(?:,| (?:of|on|about|with|über|zu|von|dazu|darüber)(?!\p{L}))*(?=,|\s|$)/iu
const VERB_LAST =
  /[\s,]+(?:wissen|hören|haben|bekommen|kriegen|sagen|schicken|geben|zeigen|sehen|erfahren)$/iu
const SOFT =
  /(?<!\p{L})(?:sagen|schicken|geben|zeigen|nennen|wissen|hören)(?=,)|(?<!\p{L})(?:please|bitte|mal|immer|always|kurz|an (?:dem|diesem|jenem) tag|on (?:that|the) day|that day|for the day|then|so|from now on|ab (?:jetzt|sofort)|von (?:jetzt|nun) an)(?!\p{L})/giu
/** What is to be told begins so. */
const ASKED =
  /^(?:what|what's|whats|which|who|whether|if|how (?:many|much)|my|the|unread|new|was|welche[rnsm]?|wer|ob|wie ?viele?|meine?n?|die|den|das|alle|ungelesene|neue)(?![\p{L}])/iu
const QUESTION = /^(?:what|what's|whats|which|who|was|welche[rnsm]?|wer|how many|wie ?viele)(?![\p{L}])/iu
/** It is of somebody else, or is to be done. */
const DOES =
  /(?<!\p{L})(?:remind|erinner\p{L}*|book|add|put|trag\p{L}*|write|schreib\p{L}*|reply|antwort\p{L}*|delete|lösch\p{L}*|archive|move|verschieb\p{L}*|invite|lad|if|wenn|falls|until|bis|except|außer)(?!\p{L})/iu
/** As a clause it is read as no list of mails. */
const UNREAD = /welche (mails|e-?mails|nachrichten) (?:noch )?(?:ungelesen|neu|nicht gelesen) sind/giu
const DAY_ITSELF = /^(?:my|the|meinen?|den|der|mein) (?:day|tag)$/iu

/** `every weekday at 7 tell me …`; null for anything else. */
export function wishInOrder(text: string): string | null {
  return inOrder(text, (what, { isTold }) => asksForWords(what) || (isTold ? ASKED : QUESTION).test(what))
}

/** What asks, or says what is. */
const SENTENCE =
  /^(?:is|are|am|was|were|do|does|did|can|could|will|would|should|shall|has|have|may|i|we|you|he|she|it|they|there|ist|sind|bin|war|kann|könnte|wird|hat|habe|haben|soll|ich|wir|du|er|sie|es)(?!\p{L})/iu

/** The same of what has no word that it be told, behind its repetition, or before one with its time of day. */
export function bareWish(text: string): string | null {
  return inOrder(
    text,
    (what, { isFirst, isTimed }) => (isFirst || isTimed) && what !== '' && !SENTENCE.test(what),
  )
}

interface Wish {
  readonly isTold: boolean
  readonly isFirst: boolean
  readonly isTimed: boolean
}

function inOrder(text: string, isMeant: (what: string, wish: Wish) => boolean): string | null {
  const said = text
    .trim()
    .replace(/(?<![\s.!?])[\s.!?]+$/, '')
    .replace(/\s+/g, ' ')
  if (said.length > LONGEST || /["“”„@]/.test(said) || DOES.test(said)) return null
  const english = EN.exec(said)
  const found = english ?? DE.exec(said)
  if (found === null || (said.match(ANY)?.length ?? 0) !== 1) return null
  const { a1, a2, c1, c2 } = found.groups ?? {}
  const clock = c1 ?? c2
  const without = `${said.slice(0, found.index)} ${said.slice(found.index + found[0].length)}`
  const apart = clock === undefined ? CLOCK_APART.exec(without) : null
  const left = apart === null ? without : without.replace(apart[0], ' ')
  const at = clock ?? apart?.groups?.['clock'] ?? ''
  const isTold = TELL.test(left) || SUMMARY.test(left)
  const bare = (words: string): string => words.replace(/\s+/g, ' ').replace(/^[\s,:;–-]+|[\s,:;–-]+$/g, '')
  const what = bare(
    bare(left.replace(TELL, ' ').replace(SUMMARY, ' ').replace(SOFT, ' ')).replace(VERB_LAST, ''),
  )
  // "What's on every morning": the word is of what is asked.
  const isOn = /^what(?:['’]?s| is)$/iu.test(what) && /^on /iu.test(found[0])
  const told = isOn
    ? `${what} on`
    : DAY_ITSELF.test(what)
      ? english === null
        ? 'was ansteht'
        : "what's on"
      : what.replace(UNREAD, 'ungelesene $1')
  if (!isMeant(told, { isTold, isFirst: found.index === 0, isTimed: at !== '' })) return null
  const when = `${a1 ?? a2 ?? ''} ${at}`.trim()
  // Another time of day would be lost.
  if (CLOCK_APART.test(told)) return null
  const plain = english === null ? oftenInEnglish(when) : when
  return `${plain.replace(/^(?:on )?(week ?days?|work(?:ing)? ?days?)(?= |$)/i, 'every weekday').replace(/ (\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\.?)?)$/i, (whole, time: string) => (/ (?:at|around) \S+$/i.test(plain) ? whole : ` at ${time}`))} tell me ${told}`
}

/** The time of day, apart from the days. */
const CLOCK_APART = new RegExp(
  `(?<![\\p{L}\\d])(?<clock>(?:${CLOCK_DE})${MORE_DE}|(?:${CLOCK_EN})${MORE_EN})(?![\\p{L}\\d])`,
  'iu',
)
