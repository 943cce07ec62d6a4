/**
 * Jobs in a message: a request that comes again ("every weekday at 8 tell me what's on"), and what is to become of a job (DESIGN §9, §10). A job
 * is meant by words of its name, which the kernel looks up. Must not know which jobs there are. Called by message.ts.
 */
import type { JobRepeatKind } from '../../../kernel/features/reminders/repeat.ts'
import type { Intent } from '../../../kernel/powers/message-fields.ts'
import { type Moment, readDates } from '../../dates/read.ts'
import { jobInEnglish } from './job-german.ts'
import { readOften } from './often.ts'
import { readWhen, type When } from './reminder.ts'

/** UTF-16 units in which the pattern of a request is searched. */
const HEAD = 400

export interface JobReading {
  readonly intent: Extract<Intent, `job_${string}`>
  /** What is to be told, or the words that name a job, as typed. */
  readonly topic: string | null
  /** Epoch milliseconds: the first time of a new job, the new time of day, or the day that is left out. */
  readonly at: number | null
  readonly repeat: JobRepeatKind | 'two_ways' | 'unclear' | null
  readonly count: number | null
  /** Said of a job and of nothing else, whether there is one or not. */
  readonly sure?: true
  /** The chat that it is to go to, as typed. */
  readonly into?: string
  /** Of several times a day: minutes from one to the next, and the last one (epoch milliseconds). */
  readonly step?: number
  readonly last?: number
}

const TELL =
  '(?:please )?(?:(?:tell|give|send|show|bring|message|write|text|ping|read) me|let me know|brief me(?: (?:on|about))?|update me (?:on|about)|check)(?: (?:about|with))?'
const AGAIN =
  'every|each|hourly|daily|weekly|monthly|week ?days|work(?:ing)? ?days|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays'
const WHEN_FIRST = new RegExp(
  `^(?<when>(?:on |at [^,]{1,12} )?(?:${AGAIN})\\b.{0,80}?),? ${TELL} (?<what>\\S.*)$`,
  'is',
)
const WHEN_LAST = new RegExp(
  `^(?:${TELL} )(?<what>\\S.*?),? (?<when>(?:at [\\d:.]{1,5} ?(?:[ap]\\.?m\\.?)? )?(?:on (?=\\w*days)|of )?(?:${AGAIN})\\b.*)$`,
  'is',
)
const WHEN_BETWEEN = new RegExp(
  `^(?:${TELL} )(?<when>(?:${AGAIN})\\b.{0,60}?),? (?<what>(?:what|what's|whats|which|who|if|whether|about|my|the|how)\\b.*)$`,
  'is',
)
/** Words that name a job, whatever else it is called. A briefing or review with other words before it is an event: "the budget review". */
const KIND = '(?:morning|evening|nightly|daily|weekday|weekly|monthly|health|e?-?mail|inbox|calendar|news)'
const NOUN = `(?:[\\p{L}\\d-]{3,20}(?:übersicht|rückblick|zusammenfassung|bericht)|(?:${KIND} ){0,2}(?:briefing|digest|review|summary|overview|recap)|(?:e?-?mail|inbox)[ -]check|(?:[\\p{L}\\d'-]+ ){0,4}?jobs?)`
const NAMED = `(?<name>${NOUN}(?: (?:no\\.? ?|number )?\\d{1,4})?)`
/** After verbs that are said of what runs, and of no event. */
const RUNS =
  "(?<name>(?:[\\p{L}\\d'-]+ ){0,3}?[\\p{L}\\d-]*(?:briefing|digest|summary|overview|reviews|check|checks|checker|prüfung|forecast|vorhersage|rückblick|übersicht))"
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
const SKIP = new RegExp(
  `^(?:please )?(?:skip|leave out)(?: (?:the|my|next))*(?: ${NAMED})?(?: (?<when>.*))?$`,
  'isu',
)
const NONE = new RegExp(`^no (?:more )?${NAMED} (?<when>\\S.*)$`, 'isu')
const TIME = new RegExp(
  `^(?:please )?(?:make|move|change|set|shift|send|have|bring)(?: (?:me|the|my))* (?:${NAMED}|(?<that>that|it))(?: (?:come|arrive))?(?: (?:to|at|for|by))? (?<when>\\S.*?)(?: instead(?: of [\\d:.]{1,5}(?: ?[ap]m)?)?)?(?: from now on)?$`,
  'isu',
)
const CHAT = new RegExp(
  `^(?:please )?(?:send|deliver|bring|move|put)(?: (?:the|my))* (?:${NAMED}|(?<that>it|that))(?: (?:to|in|into|on|via|by))? (?:the |my )?(?<into>[\\p{L}][\\p{L}\\d ]{1,30}?)(?: chat)?(?<instead> instead| from now on)?$`,
  'isu',
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

const LIST =
  /^(?:what|which jobs?) (?:(?:runs|run|is running|are running|will run)(?: (?:when|by itself|by themselves|on its own|next|today|tomorrow))?)$/i

const NOTHING = { topic: null, at: null, repeat: null, count: null } as const

/** Null for a message of another kind. `core`: without what is polite around it. */
export function readJob(core: string, moment: Moment): JobReading | null {
  const text = core.trim().replace(/[.!?\s]+$/, '')
  if (text.length > HEAD) return null
  if (LIST.test(text)) return { ...NOTHING, intent: 'job_list' }
  return readIn(text, moment) ?? readIn(jobInEnglish(text), moment)
}

function readIn(text: string, moment: Moment): JobReading | null {
  return readNew(text, moment) ?? readNamed(text) ?? readTimed(text, moment) ?? readChat(text)
}

function readNew(text: string, moment: Moment): JobReading | null {
  for (const pattern of [WHEN_FIRST, WHEN_BETWEEN, WHEN_LAST]) {
    const { when = '', what = '' } = pattern.exec(text)?.groups ?? {}
    const read = when === '' ? null : (oftenBy(what, when, moment) ?? readWhen(when, moment))
    if (read !== null) return 'intent' in read ? read : setBy(what, read)
  }
  for (const pattern of [BEGIN, START]) {
    const { name: begun = '', of = '', when = '' } = pattern.exec(text)?.groups ?? {}
    const name = `${begun}${of}`
    if (name === '') continue
    if (when.trim() === '') return { ...NOTHING, intent: 'job_set', topic: name }
    const often = oftenBy(name, when, moment)
    if (often !== null) return often
    const read = readWhen(when, moment) ?? atOnly(when, moment)
    if (read !== null) return setBy(name, read)
  }
  return null
}

/** Several times a day; null for any other words. */
function oftenBy(topic: string, when: string, moment: Moment): JobReading | null {
  const read = readOften(when, moment)
  if (read === null) return null
  const { step, within } = read
  const set = { intent: 'job_set', topic } as const
  if (within === null) return { ...set, at: null, repeat: 'minutes', count: step }
  const { repeat, every, first, last } = within
  return { ...set, at: first, repeat, count: every, step, last }
}

function setBy(topic: string, { repeat, every, first }: When): JobReading {
  return { intent: 'job_set', topic, at: first, repeat, count: every }
}

/** `at 7:30`, of a job that has a repetition of its own. */
function atOnly(when: string, moment: Moment): When | null {
  const first = timeIn(when, moment)
  return first === null ? null : { repeat: null, every: null, first, timed: true }
}

function timeIn(said: string, moment: Moment, name = ''): number | null {
  const bare = said.trim()
  // A briefing at 6 comes in the morning.
  const half = /^(?:[5-9]|1[01])(?:[:.]\d\d)?$/.test(bare) && !/evening|night|abend/i.test(name) ? ' am' : ''
  const text = /^\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)?$/i.test(bare) ? `at ${bare}${half}` : said
  const { span, rest } = readDates(text.replace(/^(?:to|for) /i, ''), moment)
  return span !== null && span.named === 'time' && /^[\s,.]*(?:at|to|instead|then)?[\s,.]*$/i.test(rest)
    ? span.from
    : null
}

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
    [STOP, 'job_stop', true],
    [HALT, 'job_stop', true],
    // A meeting may be called so.
    [CANCEL, 'job_stop', false],
    [GO_ON, 'job_resume', false],
    [RESUME, 'job_resume', false],
    [REMOVE, 'job_remove', false],
    [WHY, 'job_runs', true],
    [WHY_RUN, 'job_runs', true],
  ] as const) {
    const found = pattern.exec(text)?.groups
    const topic = found?.['name'] ?? found?.['name2'] ?? found?.['name3'] ?? null
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
  const skip = (SKIP.exec(text) ?? NONE.exec(text))?.groups
  if (skip !== undefined) {
    const { name, when = '' } = skip
    const { span, rest } = readDates(when, moment)
    const isDay = when.trim() === '' || (span !== null && /^[\s,.]*(?:on|for)?[\s,.]*$/i.test(rest))
    // "Skip it" may mean anything.
    if (!isDay || (name === undefined && span === null)) return null
    return { ...NOTHING, intent: 'job_skip', topic: name ?? null, at: span?.from ?? null }
  }
  const { name, when = '' } = TIME.exec(text)?.groups ?? {}
  const at = when === '' ? null : timeIn(when, moment, name)
  return at === null ? null : { ...NOTHING, intent: 'job_time', topic: name ?? null, at }
}
