/**
 * Reads a change of a waiting card: another time, more people, another title ("at 4 instead", "and invite
 * Tom", "title: X"). Must not know which cards exist. Called by message.ts, which returns the new time as
 * fields, and by the rules planner.
 */
import type { Move } from '../../../kernel/powers/message-fields.ts'
import { correctionIn, isValue } from '../../../kernel/task/answers/correction-words.ts'
import { editInMessage, readsAsChange } from '../../../kernel/task/answers/edit-words.ts'
import { beginsAsCorrection, OPENERS } from '../../../kernel/task/answers/openers.ts'
import type { Moment } from '../../dates/read.ts'
import { type MoveReading, readMove } from './message-move.ts'

/** One part of what is said. */
export type Change =
  | { readonly is: 'move'; readonly move: MoveReading }
  | { readonly is: 'whole_day' }
  /** How long it is, and when it ends: `by` minutes from its beginning, or at that time. */
  | { readonly is: 'lasts'; readonly by: number }
  | { readonly is: 'till'; readonly move: MoveReading }
  | {
      readonly is: 'people'
      readonly whom: string
      readonly as: 'invite' | 'more' | 'copy' | 'hidden' | 'to'
      /** In whose place they are. */
      readonly not?: string
    }
  /** Somebody on it who is left out. */
  | { readonly is: 'off'; readonly whom: string }
  | { readonly is: 'text'; readonly names: readonly string[]; readonly text: string }

/** Arguments that hold a text, by what people call it. */
const TEXTS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(?:title|titel|name|call it|name it|rename it(?: to)?|nenne? (?:es|ihn)|heißt)$/iu, ['title']],
  [/^(?:subject|betreff)$/iu, ['subject']],
  [/^(?:place|location|ort)$/iu, ['location']],
]
/** UTF-16 units: a change is short. */
const LONGEST = 300
const MOST_PARTS = 3

const LEAD = new RegExp(`^${OPENERS}`, 'iu')
const TRAIL =
  /[,]? *(?:(?:instead|please|stattdessen|bitte|lieber|then|actually|rather|eigentlich)[.!]?|[.!]+)$/iu
const BETWEEN = /,? +(?:and|und) +|, */giu

/** Kinds that say a time, of which a change has one. */
export const TIMED: ReadonlySet<Change['is']> = new Set(['move', 'whole_day', 'lasts', 'till'])

/** Null for a message that says something else. */
export function changesOf(message: string, moment: Moment): readonly Change[] | null {
  const edit = editInMessage(message)
  const said = edit?.text ?? message
  if (said.length > LONGEST) return null
  return edit !== null && edit.field !== '' ? fieldChange(edit.field, edit.text) : changesIn(said, moment)
}

interface ChangeFields {
  readonly changed: Move
  readonly changedTo?: string
  readonly changedBy?: number
}

/**
 * The new time, as fields of the message: what the owner typed, whoever plans with it. Only the first one
 * counts.
 */
export function changeFields(message: string, moment: Moment): ChangeFields | Record<string, never> {
  const { zone, now } = moment
  if (editInMessage(message) === null && !saysChange(message)) return {}
  const changes = changesOf(message, moment) ?? []
  const change = changes.find(({ is }) => TIMED.has(is))
  const both = movedAndLasting(changes)
  if (both !== null)
    return {
      ...{ changed: both.move.move, changedBy: both.by },
      changedTo: zone.iso(both.move.newTime ?? now),
    }
  if (change?.is === 'whole_day')
    return { changed: 'time', changedTo: zone.iso(zone.instantOf(zone.dayOf(now), 0)), changedBy: 1 }
  if (change?.is === 'lasts') return { changed: 'time', changedBy: change.by }
  if (change?.is !== 'move' && change?.is !== 'till') return {}
  const { move, newTime, by } = change.move
  return {
    changed: move,
    ...(newTime !== null && { changedTo: zone.iso(newTime) }),
    ...(by !== null && { changedBy: by }),
  }
}

/** "At 4 and make it an hour": two changes of its times, of which one says to when, and the other how long. */
export function movedAndLasting(
  changes: readonly Change[],
): { readonly move: MoveReading; readonly by: number } | null {
  const times = changes.filter(({ is }) => TIMED.has(is))
  const move = times.find((one) => one.is === 'move')?.move
  const by = times.find((one) => one.is === 'lasts')?.by
  const isBoth = times.length === 2 && move !== undefined && by !== undefined
  return isBoth && move.newTime !== null && move.by === null ? { move, by } : null
}

/** Whether it is said of what is there already, by its words; what it says is for `changesOf` to read. */
export function saysChange(message: string): boolean {
  const text = message.trim()
  if (readsAsChange(text)) return true
  if (/^(?:and|und)(?!\p{L})/iu.test(text) || text.endsWith('?') || text.length > LONGEST) return false
  const said = bare(text)
  return beginsAsCorrection(text) || isInstead(text) || correctionIn(text) !== null || isClock(said)
}

/** A time of day that no number alone is. */
function isClock(text: string): boolean {
  return CLOCK.test(text) || (isValue(text) && PARTED.test(text))
}

const PARTED =
  /(?<!\p{L})(?:half|halb|quarter|viertel|dreiviertel|past|uhr|o['’]?clock|noon|mittag|midnight|mitternacht)(?!\p{L})|\d[ap]m/iu

/** "edit to: Mira": what is named takes the place of what is there. */
function fieldChange(field: string, text: string): readonly Change[] | null {
  const as = /^(?:to|an)$/iu.test(field)
    ? 'to'
    : /^cc$/iu.test(field)
      ? 'copy'
      : /^bcc$/iu.test(field)
        ? 'hidden'
        : null
  if (as !== null) return [{ is: 'people', whom: text, as }]
  return textIn(`${field}: ${text}`)
}

function changesIn(said: string, moment: Moment): readonly Change[] | null {
  const text = said.trim().replace(/\s+/g, ' ')
  const whole = oneIn(text, moment) ?? behindReason(text, moment)
  if (whole !== null) return whole
  for (const { index, 0: mark } of text.matchAll(BETWEEN)) {
    const first = oneIn(text.slice(0, index), moment)
    const others = first === null ? null : changesIn(text.slice(index + mark.length), moment)
    if (first !== null && others !== null && first.length + others.length <= MOST_PARTS)
      return [...first, ...others]
  }
  return null
}

/** Says why, and asks for nothing. */
const REASON =
  /^(?:i|we|you|he|she|it|they|that|this|there|ich|wir|du|er|sie|es|das|da)(?:['’]|\s)|n['’]t\b|\b(?:no|not|nicht|kein)/iu

/**
 * "Wait, I'm at the market then, make it 10": the last clause of what begins as a correction, behind nothing
 * but why.
 */
function behindReason(text: string, moment: Moment): readonly Change[] | null {
  const clauses = text.replace(LEAD, '').split(/[,;.–—]+\s+/u)
  const last = clauses.at(-1) ?? ''
  const isWhy = clauses.length > 1 && clauses.slice(0, -1).every((one) => REASON.test(one))
  return isWhy && beginsAsCorrection(text) ? oneIn(`no, ${last}`, moment) : null
}

const isInstead = (said: string): boolean =>
  /(?:instead|stattdessen|lieber)[.!]?$|(?:^|[,;] ?|doch )(?:lieber|besser|rather|stattdessen) /iu.test(
    said.trim(),
  )

function oneIn(said: string, moment: Moment): readonly Change[] | null {
  const isOther = isInstead(said)
  const text = bare(said)
  if (text === '') return null
  if (
    /^(?:(?:make (?:it|that) )?(?:all|the whole) day|(?:mach(?:e)? es )?(?:ganztägig|den ganzen tag))$/iu.test(
      text,
    )
  )
    return [{ is: 'whole_day' }]
  const isCorrected = isOther || beginsAsCorrection(said)
  const place = isCorrected ? PLACE.exec(text)?.groups?.['place'] : undefined
  if (place !== undefined) return [{ is: 'text', names: ['location'], text: place }]
  const calendar = IN_CALENDAR.exec(text)?.groups
  const name = calendar?.['name'] ?? calendar?.['called']
  if (name !== undefined) return [{ is: 'text', names: ['calendar'], text: name }]
  const off = OFF.exec(text)?.groups
  const whom = off?.['whom'] ?? off?.['german']
  if (whom !== undefined) return [{ is: 'off', whom }]
  const end = endIn(text, moment)
  if (end !== null) return [end]
  const move = moveIn(text, isCorrected, moment) ?? otherTime(said, moment)
  if (move !== null) return [{ is: 'move', move }]
  return peopleIn(text, moment) ?? addressee(said, text, isCorrected) ?? textIn(text)
}

/** "Move it to the work calendar", "in the work calendar please", "in den Kalender Arbeit": by the word of what it is. */
const IN_CALENDAR =
  /^(?:(?:put|move|book|add|have|do|make|trage?|lege?|setze?|packe?|verschiebe?|buche?|nimm) (?:it|that|this|es|das|ihn) (?:bitte )?)?(?:in|into|to|on|im|in den|auf den|in meinen) (?:(?:the|my|den|meinen) )?(?:(?<name>(?!(?:next|other|same|andere\p{L}*|my|the|our|your|a|an|this|that|den|dem|meinen?|unseren?|einen?)[ -])[\p{L}\d][\p{L}\d' -]{0,30}?)[ -](?:calendar|kalender)|kalender (?<called>[\p{L}\d][\p{L}\d' -]{0,30}?))(?: (?:ein|rein))?$/iu

/** "Without Tom", "uninvite Tom", "lad Tom wieder aus": of who is on it, which the card says. */
const OFF =
  /^(?:(?:(?:do it|send it|book it|just|nur) )?(?:without|ohne)|uninvite|disinvite|un-invite|(?:do not|don['’]?t) (?:invite|ask|include)|leave out|(?:take|leave|drop|remove) (?=\S.* (?:off|out)$)|remove|drop) (?<whom>\S.{0,60}?)(?: (?:off|out))?$|^(?:lade?|lass(?:e)?|nimm|streiche?) (?<german>\S.{0,60}?)(?: (?:wieder|doch|bitte))* (?:aus|weg|raus|heraus)$/iu

function bare(said: string): string {
  const text = said
    .trim()
    .replace(LEAD, '')
    .replace(/^(?:lieber|besser|rather|stattdessen) /iu, '')
  const left = text.replace(TRAIL, '')
  return left === text ? text : bare(left)
}

const LENGTHS: Readonly<Record<string, string>> = {
  ...{ später: 'later', nach_hinten: 'later', früher: 'earlier', länger: 'longer', kürzer: 'shorter' },
}
const LATER =
  /^(?:(?:make|move|push|shift|start) (?:it|that) |(?:verschieb|mach|leg)e? (?:es|ihn|das|den termin) )?(?:by |um )?(?<length>\S.{0,30}?) (?<how>later|earlier|sooner|longer|shorter|später|früher|länger|kürzer)$/iu
const MAKE =
  /^(?:(?:make|set|move|change|push|reschedule|have) (?:it|that)(?: (?:to|at|for|on))?|(?:let['’]s )?(?:do|say|take)(?: (?:it|that))?(?: (?:at|on|for))?|(?:nimm|sagen wir|sag)(?: (?:den|das|die))?|(?:it|that|es|das|er)(?: (?:is|ist)|['’]s)(?: (?:at|on|um|am))?|(?:verschieb|verleg|leg|schieb)e? (?:es|ihn|das|den termin) (?:auf|nach)|mach(?:e)? (?:es|d(?:a)?raus)(?: (?:um|auf|lieber|bitte))*) (?<when>\S.{0,50})$/iu
/** "Mach 19:30 draus", spoken. */
const OUT_OF_IT = /^mache? (?:(?:mal|bitte|doch|lieber|um|auf) )*(?<when>\S.{0,40}?) d(?:a)?raus$/iu
/** Beside a kind of thing that the card may be of. */
const AT =
  /^(?:(?:the|my|that|den|der|das|meinen?|mein) (?:event|appointment|meeting|date|time|termin|treffen|zeit) (?:(?:is|ist|doch|lieber|erst) )*)?(?:at|to|on|for|um|auf|am|gegen) (?<when>\S.{0,50})$/iu

/** Where something is held, by its kind. */
const PLACE =
  /^(?:(?:in|im|at) )?(?<place>(?:the )?(?:\p{L}+-?)?(?:room|raum|zimmer|saal|studio|büro|halle)(?: [\p{L}\d.-]{1,20}){0,3})$/iu
const LASTS =
  /^(?:(?:(?:make|mache?) (?:it|that|es|daraus)|only|just|nur|for|für) )*(?<length>(?:\S{1,12}|half an|eine halbe|eine viertel) ?(?:hours?|hrs?|h|min(?:ute)?s?|stunden?|minuten?))(?: and a half)?(?: (?:long|lang|only|nur))*$/iu
const TILL = /^(?:(?:only|just|nur|make it) )*(?:till?|until|bis) (?<when>\S.{0,30})$/iu

/** When it ends, by its length or its time. */
function endIn(text: string, moment: Moment): Change | null {
  const length = LASTS.exec(text)?.groups?.['length']
  const longer = length === undefined ? null : readMove(`make it ${length} longer`, moment)
  const more = / and a half(?: (?:long|only))*$/iu.test(text) ? 30 : 0
  if (longer?.move === 'length' && (longer.by ?? 0) > 0) return { is: 'lasts', by: (longer.by ?? 0) + more }
  const when = TILL.exec(text)?.groups?.['when']
  const move = when === undefined ? null : ofCard(readMove(`move it to ${when}`, moment))
  return move === null ? null : { is: 'till', move }
}

/** A new time, of what the card is about. */
function moveIn(text: string, isCorrected: boolean, moment: Moment): MoveReading | null {
  const { length, how } = LATER.exec(text)?.groups ?? {}
  if (length !== undefined && how !== undefined) {
    const word = LENGTHS[how.toLowerCase()] ?? how
    return ofCard(
      readMove(
        `make it ${length.replace(/viertelstunde/iu, '15 minuten').replace(/^eine 15/iu, '15')} ${word}`,
        moment,
      ),
    )
  }
  const when =
    (OUT_OF_IT.exec(text) ?? MAKE.exec(text))?.groups?.['when'] ??
    AT.exec(text)?.groups?.['when'] ??
    (isCorrected || isClock(text) ? text : undefined)
  if (when === undefined) return null
  const time = when.replace(/^(?:at|um|on|am) /iu, '')
  return (
    ofCard(readMove(`move it to ${time}`, moment)) ?? ofCard(readMove(`verschiebe es auf ${time}`, moment))
  )
}

/** "Change tomorrow to Wednesday", "nicht um 4, sondern um 5": another time in place of one. */
function otherTime(said: string, moment: Moment): MoveReading | null {
  for (const one of correctionIn(said)?.readings ?? []) {
    if (one.do !== 'replace' || !isValue(one.old)) continue
    const move = moveIn(one.by, true, moment)
    if (move !== null) return move
  }
  return null
}

const CLOCK = /^\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?| uhr(?: \d\d)?)$|^\d{1,2}:\d\d$/iu

function ofCard(read: MoveReading | null): MoveReading | null {
  return read !== null && read.topic === null && read.at === null ? read : null
}

const GUESTS: readonly RegExp[] = [
  /^(?:invite|inviting|ask|bring) (?<whom>\S.{0,80}?)(?: (?:too|as well|along))?$/iu,
  /^(?:lade?|lad) (?<whom>\S.{0,80}?)(?: (?:auch|noch|dazu))* ein$/iu,
  /^(?:add )?(?<whom>\S.{0,60}?) as a guest$/iu,
]
/** One more of whatever the card has: a guest, or one whom a mail goes to. */
const MORE: readonly RegExp[] = [
  /^(?:also )?(?:send (?:it|that) |schicke? (?:es|sie) )?(?:to|an) (?<whom>\S.{0,60}?) (?:too|as well|auch|noch)$/iu,
  /^(?:add )?(?<whom>\S.{0,60}?) (?:too|as well)$/iu,
  /^(?<whom>\S.{0,60}?) auch$/iu,
]
const COPIES: readonly RegExp[] = [
  /^(?:(?:add|put) )?(?:an? )?(?<how>b?cc)(?: (?:to|for|an|auf))? (?<whom>\S.{0,80})$/iu,
  /^(?:add|put|take|setze?|nimm) (?<whom>\S.{0,80}?) (?:in|into|on|to|as|auf|ins?) (?:the )?(?:an? )?(?<how>b?cc|kopie)(?: (?:too|as well))?$/iu,
  /^(?<whom>\S.{0,60}?) (?:auch )?(?:in|auf) (?<how>b?cc|kopie)$/iu,
  /^(?:with (?:a )?copy to|(?:send )?a copy to|(?:mit )?kopie an) (?<whom>\S.{0,80})$/iu,
]

const TO = /^(?:(?:send|schicke?) (?:it|that|es|sie) )?(?:to|an) (?<whom>\S.{0,80})$/iu

const IT = '(?:send|schicke?) (?:it|that|es|sie)'
/** Besides whoever gets it: "also" begins what corrects as well, as German "also" does. */
const ALSO = new RegExp(
  `^(?:(?:and|und|oh|ok|okay|ach|please|bitte),? )*(?:(?:also|auch|noch) (?:${IT} )?|${IT} (?:also|auch|noch) )(?:to|an) (?<whom>\\S.{0,80}?)[.!]*$`,
  'iu',
)

/** "Not to Tom but to Mira", "no, to Mira": somebody else gets it; "also to Mira": one more. */
function addressee(said: string, text: string, isCorrected: boolean): readonly Change[] | null {
  const [other] = (correctionIn(said)?.readings ?? []).flatMap((one) =>
    one.do === 'replace' && /^(?:to|an) /iu.test(one.old)
      ? [{ whom: one.by.replace(/^(?:to|an) /iu, ''), not: one.old.replace(/^(?:to|an) /iu, '') }]
      : [],
  )
  if (other !== undefined) return [{ is: 'people', ...other, as: 'to' }]
  const more = ALSO.exec(said.trim())?.groups?.['whom']
  if (more !== undefined) return [{ is: 'people', whom: more, as: 'more' }]
  const whom = isCorrected ? TO.exec(text)?.groups?.['whom'] : undefined
  return whom === undefined ? null : [{ is: 'people', whom, as: 'to' }]
}

function peopleIn(text: string, moment: Moment): readonly Change[] | null {
  for (const pattern of COPIES) {
    const { whom, how = 'cc' } = pattern.exec(text)?.groups ?? {}
    if (whom !== undefined) return [{ is: 'people', whom, as: /^bcc$/iu.test(how) ? 'hidden' : 'copy' }]
  }
  const asked = [
    ...GUESTS.map((pattern) => ({ pattern, as: 'invite' }) as const),
    ...MORE.map((pattern) => ({ pattern, as: 'more' }) as const),
  ]
  for (const { pattern, as } of asked) {
    const whom = pattern.exec(text)?.groups?.['whom']
    // "Invite Tom to the walk" is about a thing of its own.
    // Nor is "the day after tomorrow too" about a guest.
    const isGuest = whom !== undefined && moveIn(whom, true, moment) === null
    if (isGuest && !/(?:^|\s)(?:to|zum|zur|zu)(?:\s|$)/iu.test(whom)) return [{ is: 'people', whom, as }]
  }
  return null
}

const NAMED =
  /^(?:(?:change|set|make|let|turn|ändere|ändre|änder|setze?|mach(?:e)?) (?=(?:the|der|den|die|das) ))?(?:(?:the |der |den )?(?<name>title|titel|name|subject|betreff|place|location|ort)(?:(?: (?:lieber|besser|doch|bitte|rather|instead))* ?: ?| (?:is|be|to|should be|ist|soll|auf|in|zu) )|(?<alike>title|titel|subject|betreff|call it|name it|rename it to|rename it|nenne? (?:es|ihn)) )(?<text>\S.*)$/iu

function textIn(said: string): readonly Change[] | null {
  const { name, alike, text } = NAMED.exec(said)?.groups ?? {}
  const called = name ?? alike ?? ''
  const names = TEXTS.find(([pattern]) => pattern.test(called))?.[1]
  return text === undefined || names === undefined ? null : [{ is: 'text', names, text }]
}
