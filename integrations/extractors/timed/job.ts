/**
 * Jobs in a message: a request that comes again ("every weekday at 8 tell me what's on"), and what is to become of a job (DESIGN §9, §10). A job
 * is meant by words of its name, which the kernel looks up. Must not know which jobs there are. Called by message.ts.
 */
import { type Moment, readDates } from '../../dates/read.ts'
import { withoutCron } from './cron.ts'
import { listOfDays } from './days-of-week.ts'
import { SUMMARY, wishInOrder } from './job-free.ts'
import { jobInEnglish } from './job-german.ts'
import { setBy } from './job-half.ts'
import { readPage } from './job-page.ts'
import { bareJob, plainJob } from './job-plain.ts'
import type { JobReading } from './job-reading.ts'
import { atOnly, readDays, readShift, readTimes } from './job-times.ts'
import { oftenBy } from './often.ts'
import { readWhen } from './reminder.ts'

/** UTF-16 units in which the pattern of a request is searched. */
const HEAD = 400

const TELL =
  '(?:please )?(?:(?:tell|give|send|show|bring|message|write|text|ping|read) me|let me know|brief me(?: (?:on|about))?|update me (?:on|about)|check)(?: (?:about|with))?'
const AGAIN =
  'every|each|hourly|daily|weekly|monthly|week ?days|work(?:ing)? ?days|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays'
const CLOCK = '[\\d:.]{1,5} ?(?:[ap]\\.?m\\.?)?'
const WHEN_FIRST = new RegExp(
  `^(?<when>(?:on |on the [\\p{L}\\d]{3,6} (?:day|\\p{L}{3,6}day) of |at [^,]{1,12} )?(?:${AGAIN})\\b.{0,80}?),? ${TELL} (?<what>\\S.*)$`,
  'isu',
)
const WHEN_LAST = new RegExp(
  `^(?:${TELL} )(?<what>\\S.*?),? (?<when>(?:at ${CLOCK}(?:(?:,? and| &|,)(?: at)? ${CLOCK})* )?(?:on (?=\\w*days)|of )?(?:${AGAIN})\\b.*)$`,
  'is',
)
const WHEN_BETWEEN = new RegExp(
  `^(?:${TELL} )(?<when>(?:${AGAIN})\\b.{0,60}?),? (?<what>(?:what|what's|whats|which|who|if|whether|about|my|the|how)\\b.*)$`,
  'is',
)
/** Words that name a job, whatever else it is called. A briefing or review with other words before it is an event: "the budget review". */
const KIND = '(?:morning|evening|nightly|daily|weekday|weekly|monthly|health|e?-?mail|inbox|calendar|news)'
const NOUN = `(?:routinen?|routines?|[\\p{L}\\d-]{3,20}(?:übersicht|überblick|rückblick|zusammenfassung|bericht|briefing)|(?:${KIND} ){0,2}(?:briefing|digest|review|summary|overview|recap)|(?:e?-?mail|inbox)[ -]check|(?:[\\p{L}\\d'-]+ ){0,4}?jobs?)`
const NAMED = `(?<name>${NOUN}(?: (?:no\\.? ?|number )?\\d{1,4})?)`
/** After verbs that are said of what runs, and of no event. */
const RUNS =
  "(?<name>(?:[\\p{L}\\d'-]+ ){0,3}?[\\p{L}\\d-]*(?:briefing|digest|summary|overview|reviews|check|checks|checker|prüfung|forecast|vorhersage|rückblick|überblick|übersicht))"
const START = new RegExp(
  `^(?:please )?(?:start|enable|activate|turn on|switch on)(?: (?:me|the|a|an|my))* ${RUNS}(?<of> (?:of|for|about|from|by) \\S.{0,200}?)?(?:,? (?<when>(?:every|each|hourly|daily|at|on)\\b.*))?$`,
  'isu',
)
const HALT = new RegExp(
  `^(?:please )?(?:stop|pause|disable|turn off|switch off)(?: (?:the|my|that|sending me))* (?:${RUNS}|checking (?:my |the )?(?<name2>[\\p{L}\\d' -]{1,60}))$`,
  'isu',
)
const GO_ON = new RegExp(
  `^(?:please )?(?:resume|continue|restart|unpause|go on with)(?: (?:the|my|with))* ${RUNS}$`,
  'isu',
)
const BEGIN = new RegExp(
  `^(?:please )?(?:start|enable|activate|turn on|switch on|set up|schedule|begin|i want|i would like|i'd like|give me|send me)(?: (?:me|the|a|an|my))* ${NAMED}(?:,? (?<when>.*))?$`,
  'isu',
)
const STOP = new RegExp(
  `^(?:please )?(?:stop|pause|disable|turn off|switch off|no more)(?: (?:the|my|that|sending me))* ${NAMED}$`,
  'isu',
)
const CANCEL = new RegExp(`^(?:please )?(?:cancel|end)(?: (?:the|my|that))* ${NAMED}$`, 'isu')
const RESUME = new RegExp(
  `^(?:please )?(?:resume|continue|restart|unpause|go on with)(?: (?:the|my|with))* ${NAMED}$`,
  'isu',
)
const REMOVE = new RegExp(
  `^(?:please )?(?:remove|delete|drop|get rid of)(?: (?:the|my))* (?:${NAMED}|${RUNS.replace('name', 'name2')})$`,
  'isu',
)
/** Of what looks for something by itself; an event may be called so too. */
const LOOKS =
  "(?<name2>(?:[\\p{L}\\d'-]+ ){0,3}?[\\p{L}\\d-]*(?:checks?|checker|forecast|prüfung|vorhersage))"
const ANY = `(?:${NAMED}|${LOOKS}|(?:that|it|them))`
const SKIP = having(
  /^(?:please )?(?:skip|leave out)\b/i,
  new RegExp(`^(?:please )?(?:skip|leave out)(?: (?:the|my|next))*(?: ${ANY})?(?: (?<when>.*))?$`, 'isu'),
)
const NONE = having(/^no\b/i, new RegExp(`^no (?:more )?(?:${NAMED}|${LOOKS}) (?<when>\\S.*)$`, 'isu'))
/** "Skip tomorrow's briefing", "skip the next one". */
const SKIP_OF = having(
  /^(?:please )?(?:skip|leave out)\b/i,
  new RegExp(
    `^(?:please )?(?:skip|leave out) (?:(?<when>[\\p{L}]{3,10}?)['’]?s ${NAMED}|(?:the )?(?<next>next (?:one|time)))$`,
    'isu',
  ),
)
const NOT = having(
  /^(?:please )?(?:not|do not|don)/i,
  new RegExp(
    `^(?:(?:please )?(?:do not|don['’]?t|dont) (?:send|bring|tell|give)(?: me)?(?: (?:the|my))* ${ANY}|not) (?<when>\\S.*)$`,
    'isu',
  ),
)
const WITHOUT = having(
  /^(?:please )?(?:not|never|skip|leave out|except|no|do not|don)/i,
  new RegExp(
    `^(?:(?:please )?(?:not|never|skip|leave out|except)|no (?:more )?(?:${NAMED})|(?:do not|don['’]?t|dont) (?:send|bring|tell|give|do|run|make|have)(?: me)?(?: (?:the|my))* (?:${LOOKS}|it|that|this)) (?<when>\\S.*)$`,
    'isu',
  ),
)
const ALSO = having(
  /^(?:please )?(?:also|add|and)\b/i,
  new RegExp(
    `^(?:please )?(?:also|add|and)(?: (?:the|my))*(?: ${NAMED})? (?<when>\\S.*?)(?: (?:too|as well))?$`,
    'isu',
  ),
)
const VERB = '(?:make|move|change|set|shift|send|have|bring|put|get)'
const TIME = having(
  /^(?:please )?(?:make|move|change|set|shift|send|have|bring|put|get)\b/i,
  new RegExp(
    `^(?:please )?${VERB}(?: (?:me|the|my))* ${ANY}(?: (?:come|arrive))?(?: (?:to|at|for|by))? (?<when>\\S.*?)(?: instead(?: of [\\d:.]{1,5}(?: ?[ap]m)?)?)?(?: from now on)?$`,
    'isu',
  ),
)
/** "Make the briefing at 8 on weekends": those days as well. */
const ON_DAYS = having(
  / (?:on|at) /i,
  new RegExp(
    `^(?:please )?${VERB}(?: (?:me|the|my))* ${NAMED}(?: (?:come|arrive))? (?:(?:at )?(?<clock>[\\d:.]{1,5}(?: ?[ap]\\.?m\\.?)?),? (?:on|at) (?<days>\\S.{2,40}?)|(?:on|at) (?<days2>\\S.{2,40}?),? at (?<clock2>[\\d:.]{1,5}(?: ?[ap]\\.?m\\.?)?))(?: (?:too|as well|also))?$`,
    'isu',
  ),
)
const ONLY = having(
  /^(?:please )?(?:i )?(?:only|just)\b/i,
  new RegExp(
    `^(?:please )?(?:(?:i )?(?:only|just) (?:want|need|send|give me)(?: (?:the|my))* ${ANY} |(?:only|just) )(?<when>\\S.*)$`,
    'isu',
  ),
)
const ONLY_ON = having(
  / (?:only|just|at) /i,
  new RegExp(`^(?:the |my )?${NAMED},? (?:only|just|at) (?<when>\\S.*)$`, 'isu'),
)
const FROM_NOW = having(
  /^from now on\b/i,
  new RegExp(`^from now on(?:,? ${VERB}(?: (?:me|the|my))* ${ANY})?(?: at)? (?<when>\\S.*)$`, 'isu'),
)
const INSTEAD = /^(?:no,? )?(?:rather |better )?(?:at )?(?<when>\S.*?) instead$/isu
const SHOULD = having(
  / (?:should|could|can|has to|must|ought to|is to) /i,
  new RegExp(
    `^(?:the |my )?${NAMED} (?:should|could|can|has to|must|ought to|is to) (?:come|arrive|be|run)(?: at| by)? (?<when>\\S.*?)(?: instead)?$`,
    'isu',
  ),
)
const PUSH = having(
  /^(?:please )?(?:push|move|put)\b/i,
  new RegExp(`^(?:please )?(?:push|move|put)(?: (?:the|my))* ${ANY} back (?<when>(?:by )?\\S.*)$`, 'isu'),
)
const SHIFTED = /^(?<when>\S.*?(?:later|earlier|sooner))(?: please)?$/isu
const CHAT = new RegExp(
  `^(?:please )?(?:send|deliver|bring|move|put)(?: (?:the|my))* (?:${NAMED}|(?<that>it|that))(?: (?:to|in|into|on|via|by))? (?:the |my )?(?<into>[\\p{L}][\\p{L}\\d ]{1,30}?)(?: chat)?(?<instead> instead| from now on)?$`,
  'isu',
)
const NOW = having(
  /\b(?:now|right away|at once|immediately|straight away|run)\b/i,
  new RegExp(
    `^(?:please )?(?:(?:run|do|send|give|show|start|tell|bring|read|get|trigger)(?: me)?(?: (?:the|my))* )?${NAMED} (?:right now|now|right away|straight away|immediately|at once)$|^(?:please )?(?:run|trigger)(?: (?:the|my))* ${NAMED.replace('name', 'name2')}(?: once)?$`,
    'isu',
  ),
)
const OFF = new RegExp(`^(?:please )?turn (?:the |my )?${NAMED} (?<how>off|on)$`, 'isu')
const WHY = new RegExp(
  `^(?:why (?:did|was|has)(?: the| my)? (?:${NAMED}|it) (?:not|n't)|why did(?:n't| not)(?: the| my)? (?:${NAMED.replace('name', 'name2')}|it)|when did(?: the| my)? ${NAMED.replace('name', 'name3')}) (?:come|run|arrive|work|sent|here)\\b.*$`,
  'isu',
)

const WHY_RUN = new RegExp(
  `^why (?:did|was|has)(?:n't| not)?(?: the| my)? ${RUNS} (?:not |n't )?(?:come|run|arrive|sent|here)\\b.*$`,
  'isu',
)

interface Sentence {
  exec(text: string): RegExpExecArray | null
}

/** Patterns of any script's letters are slow to make: one is made when a message has a word of it. */
function having(word: RegExp, pattern: RegExp): Sentence {
  return { exec: (text) => (word.test(text) ? pattern.exec(text) : null) }
}

/** "Where is my briefing?", "I didn't get the briefing today", "when is the next briefing?" */
const WHERE = having(
  /^(?:where|when|what happened|i|we)\b/i,
  new RegExp(
    `^(?:(?:where|when) (?:is|was|are|does|did|will|do)(?: (?:the|my|next))* ${ANY}|what happened (?:to|with)(?: (?:the|my))* ${ANY.replaceAll(/name2?/g, '$&b')}|(?:i|we) (?:did not|didn['’]?t|have not|haven['’]?t) (?:get|got|received?|see|seen)(?: (?:the|my|any))* ${ANY.replaceAll(/name2?/g, '$&c')})(?: (?:come|run|arrive|go|be))?(?: (?:again|next|today|this (?:morning|evening)|yet))*$`,
    'isu',
  ),
)
const DID = having(
  /\b(?:come|run|arrived?|go out|turn up)\b/i,
  new RegExp(
    `^(?:did (?:the |my )?${NAMED} (?:come|run|arrive|go out)|(?:the |my )?${NAMED.replace('name', 'name2')} (?:did not|didn['’]?t|has not|hasn['’]?t) (?:come|run|arrived?|turn up))(?: (?:today|this (?:morning|evening)|yet|yesterday))*$`,
    'isu',
  ),
)

const LIST =
  /^(?:what(?:['’]?s)?|which (?:jobs?|routines?)) (?:(?:runs|run|running|is running|are running|will run)(?: (?:when|by itself|by themselves|on its own|next|today|tomorrow))?)$/i

const NOTHING = { topic: null, at: null, repeat: null, count: null } as const

/** Null for a message of another kind. `core`: without what is polite around it. */
export function readJob(core: string, moment: Moment): JobReading | null {
  const asks = /\?\s*$/.test(core)
  const text = core.trim().replace(/(?<![.!?\s])[.!?\s]+$/, '')
  if (text.length > HEAD) return null
  // "No briefing today?" asks why.
  const missing = asks ? NONE.exec(text)?.groups : undefined
  if (missing !== undefined && /^(?:today|this (?:morning|evening)|yet)$/i.test(missing['when'] ?? ''))
    return { ...NOTHING, intent: 'job_runs', topic: nameIn(missing) }
  const english = jobInEnglish(text)
  if (LIST.test(english)) return { ...NOTHING, intent: 'job_list' }
  const found = withoutCron(text)
  if (found !== null) {
    const read = readIn(found.text, moment)
    if (read?.repeat !== 'daily') return null
    const { intent, topic } = read
    return found.cron === null
      ? { ...NOTHING, intent, topic, repeat: 'unclear' }
      : { ...NOTHING, intent, topic, repeat: 'cron', cron: found.cron }
  }
  const [, job = '', rest = ''] = OF_NUMBER.exec(text) ?? []
  const named = rest === '' ? null : (readTimed(rest, moment) ?? readTimed(jobInEnglish(rest), moment))
  if (named?.topic === null) return { ...named, topic: job }
  const summary = SUMMARY.test(text) ? readFree(text, moment) : null
  const read = summary ?? readIn(text, moment) ?? readIn(english, moment) ?? readFree(text, moment)
  const plain = read === null ? plainJob(text) : text
  return plain === text ? read : (readIn(plain, moment) ?? readIn(jobInEnglish(plain), moment))
}

const OF_NUMBER = /^(?:the |my |please )?(job \d{1,4}):?,? (\S.*)$/isu

/** A wish that comes again, said in another order. */
function readFree(text: string, moment: Moment): JobReading | null {
  const plain = wishInOrder(text)
  return plain === null ? null : readNew(plain, moment)
}

function readIn(text: string, moment: Moment): JobReading | null {
  const page = readPage(text)
  if (page !== null) return { ...NOTHING, ...page }
  return (
    bareJob(text, moment) ??
    readNew(text, moment) ??
    readNamed(text) ??
    readTimed(text, moment) ??
    readChat(text)
  )
}

/** Something else at another time, which would be lost. */
const MORE_AT = /(?:,|\band|\bund) (?:(?:at|um) \d|(?:every|each|jede[nrsm]?)(?!\p{L}))/iu

/** "Mon, wed and fri at 7 tell me …": what is told on several days comes again on each, and the card says so. */
function everyListed(text: string): string {
  const days = listOfDays(text)
  return days?.index === 0 && TOLD_AT.test(text) ? `every ${days.list}${text.slice(days[0].length)}` : text
}

const TOLD_AT = new RegExp(`^\\D{5,80} at [^,]{1,12}?,? ${TELL} \\S`, 'is')

function readNew(typed: string, moment: Moment): JobReading | null {
  const text = everyListed(typed)
  for (const pattern of [WHEN_FIRST, WHEN_BETWEEN, WHEN_LAST]) {
    const { when = '', what = '' } = pattern.exec(text)?.groups ?? {}
    const isOne = when !== '' && !MORE_AT.test(what)
    const read = isOne ? (oftenBy(what, when, moment) ?? readWhen(when, moment)) : null
    if (read !== null) return 'intent' in read ? read : setBy(what, read, { when, moment })
  }
  for (const pattern of [BEGIN, START]) {
    const { name: begun = '', of = '', when = '' } = pattern.exec(text)?.groups ?? {}
    const name = `${begun}${of}`
    if (name === '') continue
    if (when.trim() === '') return { ...NOTHING, intent: 'job_set', topic: name }
    const often = oftenBy(name, when, moment)
    if (often !== null) return often
    const read = readWhen(when, moment) ?? atOnly(when, moment)
    if (read !== null) return setBy(name, read, { when, moment })
  }
  return null
}

const NAMES = ['name', 'name2', 'name3', 'nameb', 'name2b', 'namec', 'name2c']

function readNamed(text: string): JobReading | null {
  const off = OFF.exec(text)?.groups
  if (off !== undefined)
    return {
      ...NOTHING,
      sure: true,
      intent: /off/i.test(off['how'] ?? '') ? 'job_stop' : 'job_resume',
      topic: off['name'] ?? null,
    }
  for (const [pattern, intent, sure] of [
    [NOW, 'job_now', true],
    [STOP, 'job_stop', true],
    [HALT, 'job_stop', true],
    // A meeting may be called so.
    [CANCEL, 'job_stop', false],
    [GO_ON, 'job_resume', false],
    [RESUME, 'job_resume', false],
    [REMOVE, 'job_remove', false],
    [WHY, 'job_runs', true],
    [WHY_RUN, 'job_runs', true],
    [WHERE, 'job_runs', false],
    [DID, 'job_runs', false],
  ] as const) {
    const found = pattern.exec(text)?.groups
    const topic = NAMES.map((name) => found?.[name]).find((name) => name !== undefined) ?? null
    if (found !== undefined)
      return { ...NOTHING, intent, topic, ...(sure && topic !== null && { sure: true }) }
  }
  return null
}

/** "Send it to Ada" may be of a mail: without a name it is another chat "instead". */
function readChat(text: string): JobReading | null {
  const { name, into = '', instead } = CHAT.exec(text)?.groups ?? {}
  if (into === '' || (name === undefined && instead === undefined)) return null
  return { ...NOTHING, intent: 'job_chat', topic: name ?? null, into }
}

function readTimed(text: string, moment: Moment): JobReading | null {
  for (const pattern of [WITHOUT, ALSO]) {
    const found = pattern.exec(text)?.groups
    const which = pattern === ALSO ? 'also' : 'without'
    const days = found === undefined ? null : readDays(found['when'] ?? '', which)
    if (days !== null) return { ...days, intent: 'job_time', topic: nameIn(found) }
  }
  const onDays = ON_DAYS.exec(text)?.groups
  const also = onDays === undefined ? null : readDays(onDays['days'] ?? onDays['days2'] ?? '', 'also')
  const clock =
    also === null
      ? null
      : readTimes(onDays?.['clock'] ?? onDays?.['clock2'] ?? '', moment, nameIn(onDays) ?? '')
  if (also !== null && clock?.repeat === null && clock.at !== null)
    return { ...also, at: clock.at, intent: 'job_time', topic: nameIn(onDays) }
  for (const pattern of [SKIP_OF, SKIP, NONE, NOT]) {
    const found = pattern.exec(text)?.groups
    if (found === undefined) continue
    const read = readSkip(found, moment)
    if (read !== null) return read
  }
  for (const pattern of [ONLY, ONLY_ON, FROM_NOW, INSTEAD, SHOULD]) {
    const found = pattern.exec(text)?.groups
    const name = nameIn(found)
    const times = found === undefined ? null : readTimes(found['when'] ?? '', moment, name ?? '')
    if (times !== null) return { ...times, intent: 'job_time', topic: name }
  }
  for (const pattern of [TIME, PUSH, SHIFTED]) {
    const found = pattern.exec(text)?.groups
    const { when = '' } = found ?? {}
    if (found === undefined || when === '') continue
    const name = nameIn(found)
    // "Make it an hour later" is of what was talked about, and mostly of an event.
    const mayShift = name !== null || pattern === SHIFTED
    const times = readTimes(when, moment, name ?? '') ?? (mayShift ? readShift(when, pattern === PUSH) : null)
    // An event may be called so, and is moved to a time alone.
    const loose = found['name2'] !== undefined && times?.repeat === null
    if (times !== null) return { ...times, intent: 'job_time', topic: name, ...(loose && { loose }) }
  }
  return null
}

function nameIn(found: RegExpExecArray['groups']): string | null {
  return found?.['name'] ?? found?.['name2'] ?? null
}

function readSkip(found: NonNullable<RegExpExecArray['groups']>, moment: Moment): JobReading | null {
  const name = nameIn(found)
  const when = (found['when'] ?? '').trim()
  const { span, rest } = readDates(when, moment)
  const isDay = when === '' || (span !== null && /^[\s,.]*(?:on|for)?[\s,.]*$/i.test(rest))
  // "Skip it" may mean anything.
  if (!isDay || (name === null && span === null && found['next'] === undefined)) return null
  const days = span?.named === 'days' ? ({ last: span.to, untimed: true } as const) : {}
  return { ...NOTHING, intent: 'job_skip', topic: name, at: span?.from ?? null, ...days }
}
