/**
 * Reads a reminder, list entries, a fact or a finished task that matches no declared sentence. The trained table gives the kind;
 * request words and the time are removed, and the rest is the thing. Must not read two requests, a condition or a question.
 * Called by models/rules/likely.ts.
 */
import { type Moment, readDates } from '../../dates/read.ts'
import { DAY } from '../../dates/zone.ts'
import { FILLER, saysSecond, wordsOf } from '../message/message-coverage.ts'
import { coreAsTyped, coreOf } from '../message/message-intent.ts'
import { asksChange, namedWords } from '../message/message-seek.ts'
import { itemsOf } from '../timed/items.ts'
import { type ReminderReading, readReminder } from '../timed/reminder.ts'
import { inTheMorning } from '../timed/reminder-german.ts'
import { isAsked } from '../timed/repeat-rules.ts'
import { saysAgain, saysMoreAgain } from '../timed/repeat-words.ts'
import { isLikely, likelyOf } from './likely.ts'
import { isOfTwo } from './operations.ts'
import { factIn } from './own-facts.ts'
import { ASKS, LINKS_BEHIND, MOST_OTHER, type OwnRequest } from './own-request.ts'

export type { OwnRequest }

import { isAside } from './remark.ts'

/** Minimum score of the kind, and minimum lead over anything else; higher than for reads, since these requests write. */
const LEAST = 0.7
const AHEAD = 0.4
/** The same for kinds whose request words must also be found in the message. */
const FRAMED: Readonly<Record<string, { readonly least: number; readonly ahead: number }>> = {
  memory_save: { least: 0.4, ahead: 0.15 },
  'else:reminder.set': { least: 0.5, ahead: 0.35 },
  'else:task.add': { least: 0.5, ahead: 0.2 },
  'else:task.done': { least: 0.65, ahead: 0.35 },
}
/** Maximum length of a message, in UTF-16 code units; a longer one says more than one thing. */
const LONGEST = 250
/** A condition, a quotation or a link. */
const NOT_PLAIN = /(?<!\p{L})(?:if|unless|whether|wenn|falls|ob)(?!\p{L})|["“”„«»]|https?:/iu
/** The request is refused or withdrawn. */
const REFUSED =
  /(?<!\p{L})(?:stop|no longer|any ?more|nicht mehr|ned mehr|nimma|nimmer|cancel|instead|stattdessen|actually)(?!\p{L})/iu

type Read = (core: string, moment: Moment) => OwnRequest | null

const KINDS: Readonly<Record<string, Read>> = {
  'else:reminder.set': reminderIn,
  'else:task.add': tasksIn,
  memory_save: factIn,
  'else:task.done': doneIn,
}

/** The request about the owner's own things; null for any other message, and if the rest is not a single thing. */
export function ownRequestIn(text: string, moment: Moment): OwnRequest | null {
  if (text.length > LONGEST || NOT_PLAIN.test(text) || REFUSED.test(text)) return null
  const [first, next] = likelyOf(text, moment)
  const read = KINDS[first?.label ?? '']
  if (first === undefined || read === undefined) return null
  const { least, ahead } = FRAMED[first.label] ?? { least: LEAST, ahead: AHEAD }
  if (first.score < least || first.score - (next?.score ?? 0) < ahead || isOfTwo(text, moment)) return null
  // A question is none of them, unless it is a polite request.
  if ((/\?\s*$/.test(text) || ASKS.test(text)) && !coreOf(text).polite) return null
  const core = coreAsTyped(text)
  // Without a polite form around it, a verb at the end belongs to the thing.
  const said = coreOf(text).polite || text.includes(core) ? core : text.trim()
  return read(said.replace(/\?\s*$/, ''), moment)
}

const ASKED =
  '(?:(?:please|pls|just|kindly|maybe|also|bitte|mal|kannst|könntest|kannste|kannst du|könntest du|könnten sie|würden sie|can you|could you|would you|will you|might you) )*'
const CALL =
  '(?:reminder|alarm|alert|nudge|shout|ping|buzz|poke|prod|heads[- ]?up|erinnerung|hinweis|wecker|reminder)'
/** Words that ask for a reminder. English and German apart, as a German verb may be split. */
const REMINDS = {
  en: new RegExp(
    `(?<!\\p{L})${ASKED}(?:(?:re?mind|mind|rember|remember|nudge|ping|poke|prod|buzz|alert|nag|chase|prompt|notify|warn|wake) me(?: up)?|(?:give|send|drop|do|set|put|make|create|add|stick|pop|let there be)(?: me)?(?: in| up)? (?:an? |the |another )?(?:little |quick )?${CALL}|(?:i(?: would|'d| should)? (?:like|want|need) (?:to be (?:reminded|told|nudged)|an? ${CALL}))|(?:an? |another )?${CALL}|(?:tell|let) me(?: know)?|shout|don'?t let me forget)(?!\\p{L})`,
    'giu',
  ),
  de: new RegExp(
    `(?<!\\p{L})${ASKED}(?:(?:erinner(?:e|st|n|t)?|weck(?:e|en|st)?|stups(?:e|t)?)(?: (?:du|sie))? (?:mich|uns)|(?:stell|setz|mach|richt|leg|schick|gib)e?(?: mir)?(?: (?:bitte|mal))* (?:eine?n? |ne |n )?${CALL}|(?:sag|gib)e?(?: (?:mir|mirs|ma|uns|bitte|mal|dann))* bescheid|(?:bitte |dran |daran |mich )+erinnern|weck mi|(?:eine?n? |ne |nen |n )?${CALL})(?!\\p{L})`,
    'giu',
  ),
}
/** Words that end an alarm: "Wecker um 7 aus". */
const OFF: ReadonlySet<string> = new Set(
  'off out away over gone aus ab weg löschen ausschalten ausmachen beenden stoppen stop cancel delete remove disable'.split(
    ' ',
  ),
)

function isOff(said: string): boolean {
  const words = wordsOf(said)
  return words.some((word) => OFF.has(word)) && words.every((word) => OFF.has(word) || FILLER.has(word))
}

const SAYS_LATE =
  /(?<![\p{L}\d])(?:\d{0,2}[:.]?\d{0,2} ?p\.?m|in|noon|afternoon|evening|tonight|mittags?|nachmittags?|abends?|1[2-9]|2[0-3])(?!\p{L})/iu
/** Topic of a wake-up reminder without a topic of its own. */
const WAKES = { en: 'wake up', de: 'aufwachen' } as const
/** Remains of a misread time: a time or a joining word at the start of the topic. */
const LEFT =
  /^(?:(?:bitte|später|noch|mal|dran|daran|so|um|gegen|at|on|around|about|by|in|\d+|o'clock|uhr)(?!\p{L})[\s,:.]*){1,4}|(?<!\p{L})(?:to (?:an|die|der|das|den|dem|dass|mein\p{L}*))(?!\p{L})|(?<!\p{L})(?:o'clock|uhr)(?!\p{L})|^(?:jan(?:uary|uar)?|jänner|feb(?:ruary|ruar)?|march|märz|april|mai|june?|juni|july?|juli|aug(?:ust)?|sept(?:ember)?|o[ck]tober|november|de[cz]ember)(?!\p{L})/iu
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ')
const HOUR = `(\\d{1,2}|${NUMBERS.join('|')})`
const SPOKEN = new RegExp(
  `(?<!\\p{L})(?:(five|ten|quarter|twenty|twenty[- ]five|half|5|10|20|25) (to|past|before|after) |(half) )${HOUR}(?! ?(?:min|hour|an?\\b))(?![\\p{L}\\d:])`,
  'giu',
)
const MINUTES: Readonly<Record<string, number>> = {
  five: 5,
  ten: 10,
  quarter: 15,
  twenty: 20,
  'twenty-five': 25,
  'twenty five': 25,
  half: 30,
}

/** Converts spoken clock times ("ten to six", "half seven", and a number word behind "at") to digits. */
function clockIn(words: string): string {
  const numbered = words.replace(
    new RegExp(
      `(?<=(?<!\\p{L})at )(${NUMBERS.join('|')})(?! (?:to|past)(?!\\p{L}))(?:(?: o'clock)|(?!\\p{L}))`,
      'giu',
    ),
    (hour) => `${NUMBERS.indexOf(hour.toLowerCase().replace(/ o'clock$/, '')) + 1}:00`,
  )
  return numbered.replace(
    SPOKEN,
    (_, count: string | undefined, way: string | undefined, half: string, hour: string) => {
      const minutes = MINUTES[(count ?? half).toLowerCase()] ?? Number(count)
      const named = /^\d/.test(hour) ? Number(hour) : NUMBERS.indexOf(hour.toLowerCase()) + 1
      const all = (named * 60 + (/^(?:to|before)$/i.test(way ?? '') ? -minutes : minutes) + 1_440) % 1_440
      return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, '0')}`
    },
  )
}

/** The first sentence, if the others are remarks or small talk; null otherwise. */
function oneSentence(topic: string, moment: Moment): string | null {
  const [first = '', ...others] = topic.split(/(?<=\p{L}{3})[.!]\s+/u)
  const isSaidBeside = others.every((one) => isRemark(one, moment) || isTalk(one, moment))
  return isSaidBeside
    ? first.replace(/^(?:für|for|to|of|about|wegen|zu|zum)?\s*[,:]\s*/iu, '').replace(/\s+,/g, ',')
    : null
}

/** A time relative to something unnamed: "two days before", "wenn ich daheim bin". */
const RELATIVE =
  /(?<!\p{L})(?:before|beforehand|prior|ahead|earlier|vorher|davor|zuvor|when|after|once|nachdem|sobald|as soon as|until|till|bis)(?!\p{L})/iu
const REASON =
  /(?<=\S)[\s,;.–-]+(?:because|cos|coz|cause|otherwise|or else|or i|weil|sonst|denn|i (?:always|tend|keep|will)|ich vergess\p{L}*)(?!\p{L}).*$/isu
/** A second time besides the first. */
const AND_AGAIN =
  /(?<!\p{L})(?:and|und|then|dann|or|oder)(?: (?:again|nochmal|noch|auch|also|einmal))* (?:at|on|in|um|am|\d|every|again|nochmal|noch einmal)(?!\p{L})/iu

/** The verb of a German frame, before its time: "stell mir für morgen 8 Uhr einen Wecker". */
const VERB_FIRST =
  /^(?:(?:kannst|könntest|würdest)(?: du)? )?(?:stell|setz|mach|richt|leg|gib|schick)e?(?:(?: (?:du|mir|uns|bitte|mal|doch))+(?: für)?(?= |$)| für(?= ))/iu

function reminderIn(core: string, moment: Moment): OwnRequest | null {
  const found = (['en', 'de'] as const).flatMap((language) => {
    const [frame, ...others] = core.matchAll(REMINDS[language])
    return frame === undefined || others.length > 0 ? [] : [{ language, frame }]
  })
  const [one] = found.toSorted((a, b) => b.frame[0].length - a.frame[0].length)
  if (one === undefined || AND_AGAIN.test(core)) return null
  const { language, frame } = one
  const before = core.slice(0, frame.index).replace(LINKS_BEHIND, '').replace(VERB_FIRST, '').trim()
  const behind = core
    .slice(frame.index + frame[0].length)
    .replace(REASON, '')
    .replace(ENDS, '')
    .trim()
  const isWaking = /(?<!\p{L})(?:wake|weck)/iu.test(frame[0])
  const read = (words: string): Parts =>
    partsOf(language, isWaking ? inTheMorning(clockIn(words)) : clockIn(words), moment)
  const parts = joinedParts(before, behind, read, moment)
  if (parts === null) return null
  const { due, repeat, count, until } = parts
  const topic =
    namesTime(parts.topic) && isWaking ? WAKES[language] : tidied(oneSentence(parts.topic, moment))
  if (topic === null || LEFT.test(topic) || [topic, readDates(behind, moment).rest].some(isOff)) return null
  if (repeat !== null && repeat !== 'unclear' && isAsked(repeat))
    return { is: 'asks', why: `repeats_${repeat}` }
  if (repeat === 'unclear' || (repeat === null ? saysAgain(core) : saysMoreAgain(topic)))
    return { is: 'asks', why: 'repeats_unclear' }
  // A past time means a statement, not a request.
  if (due !== null && due < moment.now) return null
  if (topic === '') return { is: 'asks', why: 'needs_reminder' }
  const isRelative = RELATIVE.test(behind) && readDates(clockIn(behind), moment).span?.named !== 'time'
  // "Wake me at 430" does not mean half past four in the afternoon.
  const isLate = isWaking && due !== null && !SAYS_LATE.test(core) && moment.zone.wallOf(due) % DAY >= DAY / 2
  if (due === null || isRelative || isLate)
    return { is: 'asks', why: repeat === null ? 'needs_time' : 'needs_day' }
  return { is: 'reminder', topic, due, repeat, count, ...(until !== undefined && { until }) }
}

/** True if the text holds only time words and filler. */
function namesTime(topic: string): boolean {
  return /^(?:[\s,]|(?<!\p{L})(?:heute|morgen|übermorgen|früh|um|am|gegen|bitte|today|tomorrow|tonight|at|on|by|please)(?!\p{L}))*$/iu.test(
    topic,
  )
}

/** Removes what a time left behind: a doubled comma, a joining word at the end, a purpose ("so that I can"). */
function tidied(topic: string | null): string | null {
  return (
    topic
      ?.replace(/\s*,(?:\s*,)+/g, ',')
      .replace(/^(?:für|for|um|at|on|am) (?=(?:zum|zur|wegen|an|to|about|für|for) )/iu, '')
      .replace(/^so (?:that )?(?:i|we) can /iu, '')
      .replace(/(?:[\s,;:–-]+|(?<=\s)(?:and|und|um|gegen|bis))+$/iu, '')
      .trim() ?? null
  )
}

interface Parts extends Pick<ReminderReading, 'due' | 'repeat' | 'count' | 'until'> {
  readonly topic: string
}

const NONE: Parts = { topic: '', due: null, repeat: null, count: null }
const ENDS = /(?:[\s,;:.!?–-]+|(?<!\p{L})(?:please|bitte|pls|thanks|danke|thx|ok|okay|would you))+$/iu

/** The topic and the time in the words behind "remind me". */
function partsOf(language: 'en' | 'de', words: string, moment: Moment): Parts {
  if (words === '') return NONE
  const plain = words.replace(PARTICLES, '')
  if (plain === '') return NONE
  const read = readReminder(language === 'en' ? `remind me ${plain}` : `erinner mich ${plain}`, moment)
  if (read === null) return { ...NONE, topic: words }
  const { topic, due, repeat, count, until } = read
  const named = namesNothing(topic ?? '') ? '' : (topic ?? '')
  return { topic: named, due, repeat, count, ...(until !== undefined && { until }) }
}

/**
 * Combines the words before and behind the request words. Null if one side asks for more, or tells something that is not the
 * topic.
 */
function joinedParts(
  before: string,
  behind: string,
  read: (words: string) => Parts,
  moment: Moment,
): Parts | null {
  if (before === '') return read(behind)
  const own = read(behind)
  const lead = read(before)
  // Only a time or a repetition precedes the request words.
  if (lead.topic === '' && (lead.due !== null || lead.repeat !== null))
    return own.due === null && own.repeat === null ? { ...lead, topic: own.topic } : null
  if (own.topic === '') {
    // With several sentences it is unclear which one is the topic and which one the time belongs to.
    if (!isSaid(before, moment) || /(?<!\d)[.!?]\s/.test(before)) return null
    if (own.due !== null || own.repeat !== null) return { ...own, topic: before }
    // With two times it is unclear which one is the time of the reminder.
    return readDates(lead.topic, moment).span === null ? lead : { ...lead, due: null }
  }
  if (own.due === null && own.repeat === null) return isRemark(before, moment) ? own : null
  return isRemark(before, moment) ? own : null
}

const PARTICLES =
  /^(?:(?:up|also|please|pls|bitte|mal|noch|doch|auch|später|dann|dran|daran(?! zu)|so)(?!\p{L})[\s,]*)+/iu

function namesNothing(topic: string): boolean {
  const words = topic.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.every((word) => FILLER.has(word) || PRONOUNS.has(word))
}

const PRONOUNS: ReadonlySet<string> = new Set(
  'then again of it them dran daran davon darüber drüber um an'.split(' '),
)

const OWN: ReadonlySet<string> = new Set([
  'chat',
  'nothing',
  'memory_save',
  'else:reminder.set',
  'else:task.add',
  'else:negated',
])

/** True for a statement that asks for nothing. */
function isSaid(text: string, moment: Moment): boolean {
  const [first] = likelyOf(text, moment)
  const isElse = first !== undefined && first.score > MOST_OTHER && !OWN.has(first.label)
  return !asksChange(text) && !saysSecond(text) && !/[?]/.test(text) && !isElse
}

function isTalk(text: string, moment: Moment): boolean {
  return isLikely(text, 'chat', MOST_OTHER, moment)
}

function isRemark(text: string, moment: Moment): boolean {
  return isAside(text) && isSaid(text, moment)
}

const LIST = `(?:(?:the|my|our|that|a|die|der|den|meine[nrm]?|unsere[nrm]?|meim|mein) )?(?:[\\p{L}-]+ )?(?:lists?|to-?dos?|tasks|shopping|groceries|\\p{L}*list[en]*|\\p{L}*zettel|aufgaben|einkauf|to-?do-?\\p{L}*)`
const ONTO = new RegExp(
  `(?<!\\p{L})(?:(?:all |these |those |that |go |goes |alles )?(?:on|onto|to|in|into|for|auf|zu|zur|zum|für|uff) )(?:there |the |)?${LIST}(?: (?:for buy|to buy|for buying))?(?!\\p{L})`,
  'giu',
)
const PUTS =
  /^(?:(?:i|we|you|du) )?(?:(?:please|bitte|also|noch|mal) )*(?:put|add|stick|pop|chuck|bung|throw|get|write|jot|note|pack|tu|tue|setz|setze|schreib|schreibe|notier|notiere|mach|mache|füg|füge|trag|trage|häng|need|brauch|brauche|brauchen)(?: (?:me|mir|us|uns|down|also|too|noch|auch|mal|bitte|wir|i|it down))*(?!\p{L})[\s,:]*/iu
const PUT_BEHIND =
  /(?:[\s,;:.!–-]+|(?<!\p{L})(?:please|pls|bitte|too|as well|also|auch|noch|dazu|hinzu|drauf|rauf|mit auf|setzen|schreiben|packen|tun|kommt|kommen|gehört|gehören|soll|sollen|muss|müssen|go|goes|belongs?|thanks|danke|all|alle|alles|that|those|these))+$/iu
const PUT_BEFORE =
  /^(?:[\s,;:.!–>-]+|(?:oh|ok|okay|and|und|also|ach|plus|please|bitte|für|for|noch|auch)(?!\p{L}))+/iu
const TAKES_OFF =
  /(?<!\p{L})(?:off|remove|delete|tick|cross|strike|take|runter|streich\p{L}*|lösch\p{L}*|abhak\p{L}*|erledigt|weg|done|got (?:them|it|those))(?!\p{L})/iu
/** Words of a clause; a list entry has none. */
const CLAUSE =
  /(?<!\p{L})(?:because|cos|but|is|are|was|were|i|we|he|she|they|it|its|can|will|not|weil|aber|ist|sind|fehlt|fehlen|muss|müssen|ich|wir|er|sie|es|nicht|kein\p{L}*|dass)(?!\p{L})|['’]s \p{L}+(?:ed|en)(?!\p{L})/iu
const MOST_ITEM_WORDS = 8

function tasksIn(core: string, moment: Moment): OwnRequest | null {
  const places = [...core.matchAll(ONTO)]
  if (places.length !== 1 || places[0] === undefined || TAKES_OFF.test(core) || saysAgain(core)) return null
  if (readDates(core, moment).span?.named === 'time') return null
  const [place] = places
  const before = core
    .slice(0, place.index)
    .replace(PUTS, '')
    .replace(PUT_BEHIND, '')
    .replace(PUT_BEFORE, '')
    .trim()
  const behind = core.slice(place.index + place[0].length)
  const more = behind.replace(PUTS, '').replace(PUT_BEFORE, '').replace(PUT_BEHIND, '').trim()
  // What follows the list belongs to the entries only behind a joining word.
  const isMore = /^[\s,;.!–-]*(?:oh |ach )?(?:and|und|also|auch|plus)(?!\p{L})/iu.test(behind)
  if (before !== '' && more !== '' && !isMore) return null
  const all = [before, more].filter((part) => part !== '')
  if (all.length === 0) return { is: 'asks', why: 'needs_task' }
  if (all.some((part) => /[.!?]\s/.test(part))) return null
  const found = all.flatMap((part) => itemsOf(part))
  // "The lot was dropped, so glasses, four dozen": the first part is the reason.
  if (found.some((item) => /^(?:so|daher|deshalb|drum)(?!\p{L})/iu.test(item))) return null
  const items = found.map((item) => item.replace(PUT_BEFORE, '').replace(PUT_BEHIND, '').trim())
  const isPlain = (item: string): boolean =>
    !namesNothing(item) && !CLAUSE.test(item) && item.split(/\s+/).length <= MOST_ITEM_WORDS
  return items.every(isPlain) ? { is: 'tasks', items } : null
}

const TICKS =
  /(?<!\p{L})(?:(?:tick|cross|check|strike|scratch|take|knock|mark|clear|remove|delete)(?!\p{L}).{0,40}?(?<!\p{L})(?:off|out|through|done|complete|list)|tick|cross|strike|abhaken|abgehakt|hak\p{L}* .{0,30}ab|(?:durch)?streich\p{L}*|gestrichen|erledigt|von der \p{L}*liste|off (?:the|my|our) \p{L}*\s?list|kann weg|done|finished)(?!\p{L})/iu
const TICKING: ReadonlySet<string> = new Set(
  (
    'tick ticked cross crossed check strike scratch take knock mark clear remove delete off out through done complete completed finished list shopping todo tasks task item ' +
    'thing things already it them bought got ordered abhaken abgehakt hak hake ab streich streiche streichen lösch lösche löschen nimm nehmen durchstreichen gestrichen erledigt von der liste einkaufsliste weg runter raus rausstreichen ' +
    'kann können kannst punkt aufgabe too also they forget need needed have'
  ).split(' '),
)

function doneIn(core: string, moment: Moment): OwnRequest | null {
  if (
    !TICKS.test(core) ||
    /(?<!\p{L})(?:add|put|all|everything|alles|whole|ganze|alle|not|nicht|except|bis auf)(?!\p{L})/iu.test(
      core,
    )
  )
    return null
  const clauses = core.split(/[,;.!–]+\s+|\s+(?=(?:and|und) )/u).filter((one) => one.trim() !== '')
  const named = (text: string): string =>
    namedWords(text)
      .filter((word) => !TICKING.has(word.toLowerCase()))
      .join(' ')
  const framed = clauses.filter((one) => TICKS.test(one))
  const own = named(framed.join(' '))
  const others = clauses.filter((one) => !TICKS.test(one))
  if (own === '') {
    const words = named(others.join(' '))
    return words === '' || others.length > 1 ? null : { is: 'done', words }
  }
  return others.every((one) => named(one) === '' || isRemark(one, moment)) ? { is: 'done', words: own } : null
}
