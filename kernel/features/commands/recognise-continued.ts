/**
 * Recognises what goes on with the job, the repeating reminder or the quiet hours that the chat was just about, in words
 * that name nothing: "make it half 7" after a job was shown, "skip December" after a reminder was set, "turn it off again"
 * after quiet hours were. Must not change anything. Called by home-talk.ts.
 */
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { operationInMessage } from '../../operations/commands.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { StoreOf } from '../../powers/stores.ts'
import type { MeantOperation, SayPlainly } from '../../powers/tier-port.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { instantOf, zonedMinute } from '../../wording/output.ts'
import { changeableSince } from '../approvals/waiting.ts'
import { justSet } from '../jobs/named.ts'
import type { SettingStore } from '../quiet/port.ts'
import { quietOf } from '../quiet/quiet.ts'
import type { Reminder } from '../reminders/port.ts'
import { clockOf, nextOccurrence } from '../reminders/repeat.ts'
import { coreOf, fitting, whole } from './recognise-end.ts'
import { recogniseJob } from './recognise-job.ts'
import type { MovePorts } from './recognise-move.ts'

/** Requests of the chat that are looked back over, those that were not understood among them. */
const LOOKED_BACK = 4

const DAY =
  '(?<day>heute|morgen|übermorgen|(?:am )?(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)|nächste woche)'
const SKIPS_GERMAN: readonly RegExp[] = whole([
  `${DAY}(?: (?:bitte|mal|einmal|lieber|doch))* (?:auslassen|überspringen|weglassen|aussetzen|ausfallen lassen)`,
])
const UNSKIPS: readonly RegExp[] = whole([
  "(?:don'?t|do not) (?:skip|leave out) (?:it|that|tomorrow|today|this one)(?: after all)?",
  '(?:undo|cancel|take back) (?:that|the) skip',
  '(?:lass|überspring)e? (?:es|das|ihn|sie|morgen|heute) (?:doch )?nicht(?: aus| weg)?',
  '(?:doch )?nicht (?:auslassen|überspringen|weglassen|aussetzen)',
])
const STOPS: readonly RegExp[] = whole([
  "i (?:don'?t|do not|no longer) (?:want|need) (?:it|that)(?: any ?more| at all)*",
  '(?:das |es )?(?:brauche?|will) ich(?: (?:das|es))?(?: doch)? nicht mehr(?:,? (?:stoppe?|beende?) (?:das|es|sie|ihn))?',
  'ich (?:brauche?|will) (?:das|es|sie) nicht mehr',
])
const OFF: readonly RegExp[] = whole([
  '(?:turn|switch) (?:it|that|them) (?:back )?off(?: again)?|off again',
  '(?:end|stop|cancel) (?:it|that)(?: again| now)?',
  '(?:mach|schalt|stell)e? (?:es|das|sie)(?: bitte)? wieder (?:aus|ab)|wieder (?:aus|ab|weg)',
])
/** It was done, and is to come no more. */
const DID: readonly RegExp[] = whole([
  "(?:(?:i|we)(?:'?ve)? )?(?:already )?(?:did|done|finished|sorted) (?:it|that)(?: already)?[,.;]? (?:so )?(?:cancel|delete|stop|drop) (?:it|that)",
  '(?:(?:hab(?:e)? ich|ist) )?(?:schon|bereits) (?:erledigt|gemacht|fertig|passiert)[,.;]? (?:lösch|streich|stopp)e? (?:das|es|sie|die)',
])
const WHEN_DUE: readonly RegExp[] = whole([
  'when (?:is|does) (?:it|that) (?:due|come|coming)(?: again)?\\??',
  'wann (?:ist|kommt) (?:es|sie|die|das)(?: (?:dran|fällig|nochmal))?\\??',
])
const TIME = '\\d{1,2}(?:[:.][0-5]\\d)?(?: ?[ap]m| uhr)?'
const HOURS: readonly RegExp[] = whole([
  `(?:(?:rather|better|only|doch|lieber|erst|nur|make (?:it|that)|mach) )*(?:(?:until|till|to|bis) (?<to>${TIME})|(?:from|ab|von) (?<from>${TIME}))(?: instead| erst)?`,
])

type Ports = MovePorts & StoreOf<SettingStore>

/** Null for any other message, and where the chat was about none of these. */
export async function recogniseContinued(
  powers: Ports,
  task: Task,
  sayPlainly: SayPlainly,
): Promise<MeantOperation | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  const core = coreOf(said.value)
  const fields = derive(said.value, (text) => {
    const { intent, topic = null, from = null, to = null } = typedFields(powers, text, momentOf(powers))
    const [begins, ends] = [instantOf(from), instantOf(to)]
    return { intent: topic === null ? String(intent) : '', begins, ends }
  })
  const isOf = (intent: string): boolean => test(fields, (read) => read.intent === intent)
  const fits = (patterns: readonly RegExp[]): boolean => fitting(core, patterns) !== undefined
  const [time, skip] = [isOf('job_time'), isOf('job_skip')]
  const isSaid = time || skip || [SKIPS_GERMAN, UNSKIPS, STOPS, OFF, HOURS, DID, WHEN_DUE].some(fits)
  const about = isSaid ? await aboutLast(powers, task, sayPlainly) : null
  if (about === null) return null
  if (about.is === 'quiet') return ofQuiet(powers, core)
  if (about.is === 'reminder') {
    if (fits(WHEN_DUE)) return { operation: 'reminders.list', args: {}, named: null }
    const which = String(about.row.number)
    return fits(DID)
      ? { operation: 'reminders.cancel', args: { which }, named: null }
      : skip
        ? skipping(powers, about.row, fields)
        : null
  }
  return ofJob(powers, { core, said: said.value, time, since: about.since })
}

function ofJob(
  powers: Ports,
  {
    core,
    said,
    time,
    since,
  }: {
    readonly core: Labeled<string>
    readonly said: Labeled<string>
    readonly time: boolean
    readonly since: number
  },
): MeantOperation | null {
  const call = (operation: string, words: Labeled<string>): MeantOperation => ({
    ...{ operation, args: {} },
    named: { argument: 'words', words },
  })
  // A card that was shown since is meant by a time alone.
  if (time) return changeableSince(powers, OWNER_PRINCIPAL) > since ? null : call('jobs.set_time', said)
  const german = fitting(core, SKIPS_GERMAN)
  if (german !== undefined)
    return call(
      'jobs.skip',
      derive(core, (text) => `überspring ${german.exec(text)?.groups?.['day'] ?? ''}`),
    )
  const jobs = powers.store.jobs()
  const [left, ...others] = jobs.filter(({ skips, state }) => skips !== null && state === 'on')
  if (fitting(core, UNSKIPS) !== undefined)
    return left === undefined || others.length > 0
      ? null
      : call(
          'jobs.unskip',
          derive(core, () => String(left.number)),
        )
  const [on, ...more] = justSet(
    jobs.filter(({ state }) => state === 'on'),
    powers.now(),
  )
  const isStopped = fitting(core, STOPS) !== undefined && on !== undefined && more.length === 0
  return isStopped
    ? call(
        'jobs.pause',
        derive(core, () => String(on.number)),
      )
    : null
}

function ofQuiet(powers: Ports, core: Labeled<string>): MeantOperation | null {
  const { hours } = quietOf(powers)
  if (fitting(core, OFF) !== undefined) return { operation: 'quiet.end', args: {}, named: null }
  const pattern = fitting(core, HOURS)
  if (pattern === undefined || hours === null) return null
  const words = derive(core, (text) => {
    const { from = clockOf(hours.from), to = clockOf(hours.to) } = pattern.exec(text)?.groups ?? {}
    return `${from}-${to}`
  })
  return { operation: 'quiet.set', args: {}, named: { argument: 'when', words } }
}

/** Epoch milliseconds. */
type Span = { readonly begins: number | null; readonly ends: number | null }

/** Times of a repetition that are looked at. */
const MOST_TIMES = 60
/** No time, which the operation refuses. */
const NO_TIME = '-'

/**
 * To the time after the next, where the next one is on a day that is to be left out; where that is a later one, it is
 * refused. Null where none is.
 */
function skipping(
  powers: Ports,
  { number, due, repeat }: Reminder,
  fields: Labeled<Span>,
): MeantOperation | null {
  if (due === null || repeat === null) return null
  const { timezone } = powers.profile()
  const isIn = (at: number): boolean =>
    test(fields, ({ begins, ends }) => begins !== null && ends !== null && begins <= at && at < ends)
  const next = nextOccurrence(repeat, due, timezone)
  if (!Number.isFinite(next)) return null
  let at = due
  for (let nth = 0; nth < MOST_TIMES && Number.isFinite(at) && !isIn(at); nth += 1)
    at = nextOccurrence(repeat, at, timezone)
  if (!isIn(at)) return null
  const when = at === due ? zonedMinute(next, timezone) : NO_TIME
  return { operation: 'reminders.later', args: { number, when }, named: null }
}

type About =
  | { readonly is: 'job' | 'quiet'; readonly since: number }
  | { readonly is: 'reminder'; readonly row: Reminder }

/** What the newest request was about that was understood; null for anything else. */
async function aboutLast(powers: Ports, task: Task, sayPlainly: SayPlainly): Promise<About | null> {
  const { id, principal, sink } = task
  const before = powers.store
    .recentTasks(principal, 4 * LOOKED_BACK)
    .filter((one) => one.id !== id && one.sink === sink && one.typed === undefined && one.timed === undefined)
    .slice(0, LOOKED_BACK)
  for (const one of before) {
    const set = powers.store.openReminders(principal, 'reminder').filter(({ at }) => at >= one.createdAt)
    const [row, ...others] = set
    if (row !== undefined) return others.length === 0 ? { is: 'reminder', row } : null
    const about = await aboutOf(powers, one, sayPlainly)
    if (about === 'job' || about === 'quiet') return { is: about, since: one.createdAt }
    if (about === 'else') return null
  }
  return null
}

/** `same`: it was not understood, or names nothing either. */
async function aboutOf(
  powers: Ports,
  one: Task,
  sayPlainly: SayPlainly,
): Promise<'job' | 'quiet' | 'same' | 'else'> {
  const text = one.words.taint.level === 'clean' ? await openTextOf(powers, one.words) : null
  if (text?.ok !== true || (one.plan?.steps.length ?? 0) > 0) return 'else'
  const name = derive(text.value, (said) => {
    const moment = momentOf(powers)
    const { operation, intent, topic = null } = typedFields(powers, said, moment)
    const own = operationInMessage(said)?.operation.name ?? operation
    const isBare = /^job_(?:time|skip)$/.test(String(intent)) && topic === null
    if (own === undefined && isBare) return ''
    return String(
      own ?? (/^job_/.test(String(intent)) ? 'jobs.' : (sayPlainly(said, moment)?.operation ?? '')),
    )
  })
  if (test(name, (is) => is.startsWith('jobs.')) || (await recogniseJob(powers, one)) !== null) return 'job'
  if (test(name, (is) => is.startsWith('quiet.'))) return 'quiet'
  return test(name, (is) => is === '' || is === 'reminders.move' || is === 'reminders.later')
    ? 'same'
    : 'else'
}

function momentOf({ now, profile }: Pick<Ports, 'now' | 'profile'>) {
  return { now: now(), timezone: profile().timezone }
}
