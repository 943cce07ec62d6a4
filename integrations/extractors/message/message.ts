/**
 * Phase 0 for a message (C-01, C-03, J-09): extracts the typed fields of MESSAGE_FIELDS. Deterministic and fast. Must not use a
 * model, the network or a clock. Both places pass it to the pipeline as a port.
 */
import { findPeople, repeatedIn } from '#home-readings'
import type { Json } from '../../../kernel/flow/json.ts'
import { once } from '../../../kernel/flow/once.ts'
import { type Intent, MESSAGE_FIELDS, TOOLLESS_INTENTS } from '../../../kernel/powers/message-fields.ts'
import type { MessageExtractor } from '../../../kernel/powers/ports.ts'
import type { ServiceName } from '../../../kernel/tool/service-names.ts'
import { type DateReading, type Moment, readDates } from '../../dates/read.ts'
import { createZone } from '../../dates/zone.ts'
import type { Phrase, Phrases, SlotName } from '../../tools/phrase.ts'
import { isSaid } from '../../tools/planned.ts'
import { TOOL_PHRASES } from '../../tools/registered.ts'
import { holdsOther } from '../learned/operations.ts'
import type { JobReading } from '../timed/job-reading.ts'
import { readJobUntil } from '../timed/job-until.ts'
import { readReminder } from '../timed/reminder.ts'
import { onReturn } from '../timed/returning.ts'
import { readWatch } from '../timed/watch.ts'
import { twoFacts } from './contents/message-facts.ts'
import { factOf, findEmail, findEmails, findUrl, findUrls, NTH, subjectOf } from './contents/message-words.ts'
import { changeFields } from './message-change.ts'
import { namesCalendar, saysAgain, saysMore, unaccountedWords, wordsOf } from './message-coverage.ts'
import { isOneFact, jobFields, languageOf, reminderFields, watchFields } from './message-due.ts'
import { enteredFields, enteredIn } from './message-entered.ts'
import { readFilled } from './message-filler.ts'
import { type Core, coreAsTyped, coreOf, type Request, readRequest, TALKED } from './message-intent.ts'
import { type Asked, askedIn, askedOrSought, isBetter, partFields, wholeSentence } from './message-learned.ts'
import { matterOf } from './message-matter.ts'
import { readMove, timeMeant } from './message-move.ts'
import { NO_REQUEST, openIn, withoutGuess } from './message-open.ts'
import { withoutPointer } from './message-pointer.ts'
import { isNumbered } from './message-reference.ts'
import { isRetold, namedThings } from './message-requests.ts'
import { INTENT_HEAD } from './message-sentence.ts'
import { placedFields } from './message-services.ts'
import { withSince } from './message-since.ts'
import { asItIs, eachText, type Speller, spellingOf } from './message-spelled.ts'
import {
  atNine,
  calendarBehind,
  type Fields,
  moveFields,
  namedPersonOf,
  type Reading,
  requestFields,
  textField,
  timeFields,
} from './message-taken.ts'
import { likelyFields, talkFields } from './message-talk.ts'
import { withoutOneOfMany } from './message-times.ts'
import { createTwiceRead } from './message-twice.ts'
import { wishedIn } from './message-wished.ts'
import { requestsBehind } from './second-request.ts'

/** `context.now` is epoch milliseconds, `timezone` an IANA name; an unknown zone counts as UTC. `services`: what is connected now. Never throws. */
export function createMessageExtractor(
  packages: readonly Phrases[] = TOOL_PHRASES,
  services: () => readonly ServiceName[] = () => [],
  looksBack: (text: string) => boolean = () => false,
  homeReads: (core: string, moment: Moment) => Fields | null = () => null,
  spell: Speller = asItIs,
  likely?: (text: string, moment: Moment) => readonly string[],
): MessageExtractor {
  let last = { timezone: 'UTC', zone: createZone('UTC') } // Cached: it costs more than a message.
  const twice = createTwiceRead()
  const momentOf = (now: number, timezone: string): Moment => {
    if (timezone !== last.timezone) last = { timezone, zone: createZone(timezone) }
    return { now, zone: last.zone }
  }
  return {
    ...(likely && { likely: (text, { now, timezone }) => likely(text, momentOf(now, timezone)) }),
    extract: (typed, { now, timezone, own, again }) => {
      const { text, typed: asTyped } = spellingOf(typed, spell)
      const moment = momentOf(now, timezone)
      const fields = twice({ text, now, timezone, again: again === true }, () => {
        if (looksBack(text)) return timeAlone(text, moment)
        const homes = homeReads(coreAsTyped(text), moment)
        return homes === null ? fieldsAt(text, moment, packages) : { ...homes, language: languageOf(text) }
      })
      if (own !== true) return inTyped(fields, asTyped)
      const all = { ...fields, ...changeFields(text, moment) }
      return inTyped(placedFields(text, all, { known: services(), packages }), asTyped)
    },
  }
}

const TYPED = /^(?:text|email|url)$/

/** Texts and addresses, as they were typed. */
function inTyped(fields: Readonly<Record<string, unknown>>, typed: (part: string) => string): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const spec = MESSAGE_FIELDS.fields[name]
      const { kind = '' } = (spec?.kind === 'list' ? spec.of : spec) ?? {}
      return [name, TYPED.test(kind) ? eachText(value as Json, typed) : value]
    }),
  ) as Fields
}

/** What looks back has the words of a request for what is new, and only its time is of it. */
function timeAlone(text: string, moment: Moment): Fields {
  const { span } = readDates(coreOf(text).text, moment)
  return { ...NO_REQUEST, language: languageOf(text), ...timeFields(span, moment) }
}

/** The fields of a message, or of a part of one: what is read at one moment object is read once for all parts of it. */
export function fieldsAt(text: string, moment: Moment, packages: readonly Phrases[] = TOOL_PHRASES): Fields {
  if (isNumbered(text, packages)) return { ...NO_REQUEST, language: languageOf(text) }
  const entered = enteredIn(text)
  if (entered !== null) return { ...enteredFields(entered, moment), language: languageOf(text) }
  const meant = timeMeant(text, moment)
  const typed = meant === null ? text : `make it ${meant}`
  const read = (): Fields => ({
    ...readFilled(typed, (said) => withoutPointer(extractTold(said, packages, moment))),
    ...(meant !== null && { language: languageOf(text) }),
  })
  const fields = openIn(text, moment)?.fields ?? withSince(withoutGuess(text, read(), moment), text, moment)
  const matter = fields['intent'] === 'other' ? matterOf(text, packages, moment) : null
  return matter === null ? fields : { ...fields, matter }
}

/** Words behind a change, by which others are to be told of it. */
const TOLD =
  /[,\s]+(?:and|und)\s+(?:please\s+|bitte\s+)?(?:(?:tell|notify|inform|e?-?mail)\s+(?:them|him|her|everyone|everybody|(?:all\s+(?:of\s+)?)?(?:the\s+)?(?:guests|others|people|participants|attendees))(?:\s+(?:about it|of it))?|let\s+(?:them|him|her|everyone|everybody|the\s+(?:guests|others))\s+know|(?:sag|sage|gib|geb)\s+(?:ihnen|ihm|ihr|allen|den gästen)\s+bescheid|(?:informiere|benachrichtige)\s+(?:sie|ihn|alle|die gäste))[.!?\s]*$/i

/** A change with guests may say that they are told; anything else is read as it stands. */
function extractTold(text: string, packages: readonly Phrases[], moment: Moment): Fields {
  const told = text.length > INTENT_HEAD ? null : TOLD.exec(text)
  if (told !== null) {
    const fields = extract(text.slice(0, told.index), packages, moment)
    if (packages.some(({ asks }) => asks.some((one) => takesTelling(one, fields))))
      return { ...fields, tells: true }
  }
  const fields = extract(text, packages, moment)
  // "Remember that X. And book Y": the fact would hold the second request, so it is planned from the words.
  const isShort = packages === TOOL_PHRASES && text.length <= INTENT_HEAD
  if (!isShort || !holdsOther(text, fields['intent'], moment)) return fields
  return { ...NO_REQUEST, learned: true, language: languageOf(text) }
}

function takesTelling({ intent, takes }: Phrase, fields: Fields): boolean {
  // "Move it to 4" may be of a job, which nobody is told of.
  const isMeant = intent === fields['intent'] || (takes?.moves !== undefined && 'moved' in fields)
  return takes?.tell === true && isMeant
}

function extract(text: string, packages: readonly Phrases[], moment: Moment): Fields {
  const { now, zone } = moment
  const core = coreOf(text)
  const timed = onReturn(coreAsTyped(text), moment)
  const watch = readWatch(timed, moment)
  if (watch !== null) return watchFields(text, watch, zone)
  const reminder = readReminder(timed, moment)
  if (reminder !== null) return reminderFields(text, reminder, zone)
  const job = readJobUntil(coreAsTyped(text), moment)
  if (job !== null) return { ...jobFields(text, job, zone), ...movedBeside(job, core, packages, moment) }
  const wished = packages === TOOL_PHRASES ? wishedIn(coreAsTyped(text), moment) : null
  if (wished !== null) return jobFields(text, wished, zone)
  const placed = calendarBehind(coreAsTyped(text))
  const booked = placed === null ? null : extract(placed.rest, packages, moment)
  if (placed !== null && booked?.['intent'] === 'calendar_book') return { ...booked, into: placed.named }
  const again = repeatedIn(coreAsTyped(text), moment, (said) => extract(said, packages, moment))
  if (again !== null) return again
  const sent = wholeSentence(packages, text, isLater)
  const { intent, rest, request, lead } =
    sent === null
      ? withoutPage(withoutMove(readRequest(core, packages), core, moment), { text, packages })
      : NO_NAME
  const email = findEmail(text)
  // Taking it from the original keeps the typed characters.
  const typed = rest === null ? null : typedOf(text, rest)
  const takes = request?.phrase.takes
  const subject =
    takes?.topic !== undefined ? `${lead} ${typed ?? ''}` : (timeBefore(core.text, sent) ?? core.text)
  const namesTime = intent === 'other' || takes?.when !== undefined
  const all = namesTime ? readDates(subject, moment) : NO_DATES
  const read = intent === 'other' && sent === null ? withoutOneOfMany(all, moment) : all
  const dates = sent === null ? read : { ...read, span: atNine(read.span, now) }
  const url = findUrl(text)
  // With a request behind it a fact is planned beside it, and kept without it.
  const isOfTwo =
    intent === 'memory_save' &&
    requestsBehind(text, (part) => extract(part, packages, moment)).some(
      ({ from }) => text.slice(0, from).includes(' ') && from > text.indexOf(typed ?? ''),
    )
  const reading = { core, rest: typed, request, email, dates, things: namedThings(packages), zone, now }
  const fields = isOfTwo ? {} : fieldsOf(intent, reading)
  const named = once(() => request ?? wholeSentence(packages, text))
  const whole = isWhole({ intent, text, core, rest: typed, request, named, dates, fields })
  const askedOf = intent === 'other' ? askedOrSought : askedIn
  const asked = packages === TOOL_PHRASES ? askedOf(text, moment) : []
  const learned =
    whole && (asked.length === 0 || !isBetter(asked, named()))
      ? null
      : (learnedFields(asked) ?? (packages === TOOL_PHRASES ? inPart(text, moment) : null))
  if (learned !== null) {
    // A request without a name keeps the time that it names.
    const isNamed = 'from' in learned || learned['intent'] !== 'other'
    const span = isNamed ? null : withoutOneOfMany(readDates(core.text, moment), moment).span
    const when = timeFields(asked.some(({ phrase }) => isLater(phrase)) ? atNine(span, now) : span, { zone })
    // Small talk that the table is sure of is all of the message.
    const isTalk = learned['intent'] === 'chat'
    const about = { language: languageOf(core.text), quoted: false, attachments: 0 }
    return { ...learned, ...when, ...about, ...(isTalk && { whole: true }), ...severalIn(text, moment) }
  }
  const likely = intent === 'other' && !whole ? likelyFields(text, moment) : null
  if (likely !== null) return { ...NO_REQUEST, ...likely, ...severalIn(text, moment) }
  // "It" may be a question that waits, which a model can change: it is asked first where there is one.
  const isPronoun = 'moved' in fields && !('topic' in fields) && !('from' in fields)
  return {
    intent,
    whole: whole && !isPronoun && !(intent === 'other' && isRetold(named())),
    ...(isPronoun && { learned: true }),
    language: languageOf(core.text),
    quoted: false,
    attachments: 0,
    ...(url === null ? {} : { url }),
    ...(email === null ? {} : { email }),
    ...severalIn(text, moment),
    ...fields,
  }
}

/** Addresses and people of which there are several. */
function severalIn(text: string, moment: Moment): Fields {
  const [urls, emails, people] = [findUrls(text), findEmails(text), findPeople(text, moment)]
  return {
    ...(urls.length > 1 && { urls }),
    ...(emails.length > 1 && { emails }),
    ...(people.length > 1 && { people }),
  }
}

/** A request that is done at its time has no name: "schedule" alone would be the calendar's. */
const NO_NAME: Request = { intent: 'other', rest: null, request: null, lead: '' }

/** What stands before the text of a request that is done at its time; null for any other. */
function timeBefore(text: string, request: ReturnType<typeof wholeSentence>): string | null {
  const topic = request?.taken['topic']?.trimEnd()
  const at = topic === undefined ? -1 : text.trimEnd().lastIndexOf(topic)
  return at < 0 ? null : text.slice(0, at)
}

const isLater = ({ later }: Phrase): boolean => later !== undefined

/** Where it stands last in the request. */
function typedOf(text: string, rest: string): string {
  const whole = coreAsTyped(text).trimEnd()
  const at = whole.replaceAll('’', "'").lastIndexOf(rest.trimEnd())
  return at < 0 ? rest : whole.slice(at, at + rest.trimEnd().length)
}

/** "Make it 7:30" may be of a job or of what was talked about: what it is of is seen where it is planned. */
function movedBeside(
  { intent, topic, loose }: JobReading,
  core: Core,
  packages: readonly Phrases[],
  moment: Moment,
): Fields {
  const takes = packages
    .flatMap(({ asks }) => asks)
    .find((phrase) => phrase.takes?.moves !== undefined)?.takes
  const isOpen = topic === null || loose === true
  if (intent !== 'job_time' || !isOpen || takes?.moves === undefined) return {}
  const read = readMove(core.text, moment)
  return read === null ? {} : { ...moveFields(read, takes.moves, moment), learned: true }
}

/** What is moved without a new time is no such request. */
function withoutMove(found: Request, core: Core, moment: Moment): Request {
  const isMove = found.request?.phrase.takes?.moves !== undefined
  return isMove && readMove(core.text, moment) === null
    ? { ...found, intent: 'other', rest: null, request: null }
    : found
}

/** An address that only one tool can read is no page of the web. */
function withoutPage(
  found: Request,
  { text, packages }: { readonly text: string; readonly packages: readonly Phrases[] },
): Request {
  if (found.request === null || findUrl(text) === null) return found
  const own = wholeSentence(packages, text, ({ addressed }) => addressed === true)
  return own === null ? found : { ...found, intent: 'other', rest: null, request: null }
}

/**
 * What the embedded planner reads where no sentence accounts for the message; null if it does not either. Several requests, and one
 * without a name, are planned from the words.
 */
function learnedFields(asked: readonly Asked[]): Fields | null {
  const [only] = asked
  if (only === undefined || (asked.length > 1 && !asked.every(isComplete))) return null
  const isNamed = asked.length === 1 && only.phrase.intent !== undefined
  const read = { whole: false, learned: true }
  return isNamed ? { ...only.fields, ...read } : { intent: 'other', ...read }
}

/** Nothing of it has to be asked for. */
function isComplete({ phrase, fields }: Asked): boolean {
  const has = (field: string): boolean => Object.hasOwn(fields, field)
  return Object.keys(phrase.needs ?? {}).every((slot) => isSaid(slot as SlotName, has))
}

/** See `partFields`. */
function inPart(text: string, moment: Moment): Fields | null {
  const fields = partFields(text, moment)
  return fields === null ? null : { ...fields, whole: false }
}

interface WholeReading extends Pick<Reading, 'core' | 'rest' | 'request' | 'dates'> {
  readonly intent: Intent
  readonly text: string
  /** The request, or the sentence that fits the whole of one without a name. */
  readonly named: () => WholeReading['request'] | ReturnType<typeof wholeSentence>
  readonly fields: Fields
}

/** A position, once its number was read. */
const PLACES = new RegExp(`^(?:${NTH}|\\d+|number)$`, 'i')
/** Text of a topic, in words, that can be one thing: a title, a fact. */
const TOPIC_WORDS = 12

/** See `MESSAGE_FIELDS.whole`. A topic takes all words to the end, so it must not look like two requests. */
function isWhole(message: WholeReading): boolean {
  const { intent, text, core, rest, request, named, dates, fields } = message
  if (TOOLLESS_INTENTS.includes(intent)) return true
  if (intent === 'other') return named() !== null
  if (intent === 'memory_save') return isOneFact(rest ?? '')
  if (request === null) return !saysMore(rest ?? '')
  const { takes } = request.phrase
  const taken = [fields['person'], fields['email'], fields['url'], ...findUrls(text)].flatMap((value) =>
    typeof value === 'string' ? [value] : [],
  )
  const { phrase, lists } = request
  // A new time is read whole or not at all.
  if (takes?.moves !== undefined) return true
  if (takes?.topic !== undefined) {
    const isOnce = !saysMore(dates.rest) && !saysAgain(dates.rest)
    if (namesCalendar(String(fields['topic'] ?? ''))) return false
    return isOnce && wordsOf(dates.rest).length <= TOPIC_WORDS
  }
  const said = takes?.when === undefined ? core.text : dates.rest
  const left = unaccountedWords(said, { phrase, lists, taken })
  const isPlace = takes?.count === 'place' && typeof fields['count'] === 'number'
  return left.filter((word) => !(isPlace && PLACES.test(word))).length === 0
}

const NO_DATES: DateReading = { span: null, impossible: false, minutes: null, rest: '' }

function fieldsOf(intent: Intent, reading: Reading): Fields {
  const { rest, dates } = reading
  switch (intent) {
    case 'memory_save':
      // A plan keeps each by itself.
      return twoFacts(factOf(rest) ?? '') === null ? textField('topic', factOf(rest)) : {}
    case 'memory_search':
      return TALKED.test(reading.core.text) ? talkFields(reading) : textField('topic', subjectOf(rest))
    case 'other':
      return { ...namedPersonOf(reading, ['from', 'with', 'to']), ...timeFields(dates.span, reading) }
    default:
      return requestFields(reading)
  }
}
