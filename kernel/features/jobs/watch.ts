/**
 * Reminders with a condition (DESIGN §9): whether mail from a given address has arrived since they were set,
 * judged by the From address and the time of receipt; the content of mail is ignored. Those on the owner's own things are judged by
 * watch-own.ts. Must not read mail: the frozen plan does. Called by synthesize.ts, runner.ts and proposal-watch.ts.
 */
import type { Json } from '../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { namedMoment } from '../../wording/output.ts'
import { tell } from '../../wording/words.ts'
import { JOB_LATE_AFTER, type Job, type JobRun, type Watch } from './port.ts'
import { fieldOf, rowsOf } from './rows.ts'
import { holdsIn, LOOKS_AT } from './watch-own.ts'

/** The template of such a job, and the one read of its plan. */
export const WATCH_TEMPLATE = 'job_mail_watch'
const LOOKS = 'email.search'

interface WatchWords {
  /** Empty where it is no mail. */
  readonly email: string
  /** As the owner calls them, or what is looked for. */
  readonly name: string
  /** Additional text of the reminder; may be empty. */
  readonly topic: string
}

/** One sealed text: the first line is the request that the plan is read from. */
export function writtenWatch({ email, name, topic }: WatchWords): string {
  const request = email === '' ? tell('jobs.watch_request_own') : tell('jobs.watch_request', { email })
  return [request, email, ...[name, topic].map((one) => one.replace(/\s+/g, ' '))].join('\n')
}

export function watchIn(text: string): WatchWords {
  const [, email = '', name = '', topic = ''] = text.split('\n')
  return { email, name, topic }
}

/** What a run's plan is read from. */
export function requestOf({ watch }: Pick<Job, 'watch'>, words: Labeled<string>): Labeled<string> {
  return watch === null ? words : derive(words, (text) => text.split('\n')[0] ?? '')
}

/** In a list of jobs. */
export function watchTitle(watch: Watch, text: string): string {
  const { topic } = watchIn(text)
  const { looks } = watch
  const title =
    looks === undefined
      ? tell(`jobs.watch_title_${watch.kind}`, { who: whoseOf(text) })
      : tell(`jobs.watch_title_${looks.of}_${isThere(watch)}`, { who: whoseOf(text) })
  return topic === '' ? title : `${title}: ${topic}`
}

export function whoseOf(text: string): string {
  const { name, email } = watchIn(text)
  return name === '' || email === '' ? `${name}${email}` : `${name} (${email})`
}

export function isThere({ looks }: Watch): 'there' | 'gone' {
  return looks?.there === true ? 'there' : 'gone'
}

interface Looked {
  readonly job: Job & { readonly watch: Watch }
  readonly run: Pick<JobRun, 'scheduled' | 'started'>
  /** The job's sealed words, opened. */
  readonly words: Labeled<string>
  readonly contents: readonly { readonly action: string; readonly content: Labeled }[]
  readonly zone: string
  readonly now: number
}

export function isWatch(job: Job): job is Looked['job'] {
  return job.watch !== null
}

/** Text to send now, or null. A watch for mail sends nothing if it could not look: it is tried again. */
export function watchedWords(looked: Looked): Labeled<string> | null {
  const { job, contents } = looked
  const { kind, looks } = job.watch
  const reads = looks === undefined ? LOOKS : LOOKS_AT[looks.of]
  const content = contents.find(({ action }) => action === reads)?.content
  if (content === undefined) return kind === 'unless' ? uncheckedWords(looked) : null
  const read = combine<Json, readonly Json[]>([looked.words, content], (values) => values)
  if (looks !== undefined) {
    const is = (wanted: string): boolean =>
      test(read, ([text, found]) => holdsIn(found ?? null, looks, watchIn(String(text)).name) === wanted)
    if (is('unsure')) return labelledAs(read, uncheckedWords(looked))
    return is('holds') ? labelledAs(read, said(looked, kind)) : null
  }
  const has = (wanted: Came): boolean =>
    test(read, ([text, found]) => cameIn(found ?? null, String(text), looked) === wanted)
  if (has('unsure'))
    return labelledAs(read, kind === 'unless' ? uncheckedWords(looked) : said(looked, 'flooded'))
  const came = has('came')
  if (came !== (kind === 'when')) return null
  return labelledAs(read, said(looked, kind))
}

/** The mail was read, so what is said depends on it. */
function labelledAs(read: Labeled, words: Labeled<string>): Labeled<string> {
  return combine<Json, string>([words, read], ([text]) => String(text))
}

/** The reminder is sent all the same and says that the mail could not be checked. */
export function uncheckedWords(looked: Omit<Looked, 'contents'>): Labeled<string> {
  return said(looked, 'unchecked')
}

function said(
  { job, run, words, zone, now }: Omit<Looked, 'contents'>,
  how: 'when' | 'unless' | 'unchecked' | 'flooded',
): Labeled<string> {
  const { scheduled, started } = run
  const isLate = job.watch.kind === 'unless' && started - scheduled > JOB_LATE_AFTER
  return derive(words, (text) => {
    const { topic } = watchIn(text)
    const { looks } = job.watch
    const own = how === 'unchecked' ? how : (`${looks?.of ?? 'task'}_${isThere(job.watch)}` as const)
    const since = namedMoment(job.watch.since, zone, now)
    const lines = [
      looks === undefined
        ? tell(`jobs.watch_${how}`, { who: whoseOf(text), since })
        : tell(`jobs.watch_own_${own}`, { who: whoseOf(text) }),
      ...(topic === '' ? [] : [tell('jobs.watch_topic', { topic })]),
      ...(isLate ? [tell('jobs.watch_late', { when: namedMoment(scheduled, zone, started) })] : []),
    ]
    return lines.join('\n')
  })
}

type Came = 'came' | 'none' | 'unsure'

/**
 * By structured fields alone. A mail from the future counts for nothing: no mailbox received it. Where a full
 * list holds only new mail that is not theirs but names them elsewhere, theirs may be behind it.
 */
function cameIn(found: Json, text: string, { job: { watch }, now }: Pick<Looked, 'job' | 'now'>): Came {
  const { email } = watchIn(text)
  const mails = rowsOf(found, 'emails')
  const since = mails.filter((mail: Json) => {
    const at = Date.parse(String(fieldOf(mail, 'date')))
    return at > watch.since && at <= now + AHEAD
  })
  const isTheirs = (mail: Json): boolean =>
    fieldOf(mail, 'senderUnclear') !== true &&
    String(fieldOf(mail, 'from') ?? '').toLowerCase() === email.toLowerCase()
  if (since.some(isTheirs)) return 'came'
  return fieldOf(found, 'more') === true && since.length === mails.length ? 'unsure' : 'none'
}

/** Milliseconds that a mailbox's clock may be ahead of this one. */
const AHEAD = 300_000
