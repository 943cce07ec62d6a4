/**
 * Finds the job that words refer to, and the title of a job: that of its file, or the owner's own words,
 * shown only where permitted. Must not change anything. Called by jobs.ts and proposal.ts.
 */
import type { Json } from '../../flow/json.ts'
import { combine, type Labeled, test } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type {
  AtPlace,
  Clock,
  Extraction,
  OwnerFacts,
  PolicySource,
  SecretScan,
  Templates,
} from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf } from '../../powers/stores.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import type { Template } from '../../template/template.ts'
import { tell } from '../../wording/words.ts'
import { showTo } from '../deliveries/deliver.ts'
import { instantOfLocal } from '../reminders/repeat.ts'
import type { Asking, Job, JobStore } from './port.ts'
import { dayOf } from './schedule.ts'
import { namesOf, shippedWords } from './shipped-words.ts'
import { watchTitle } from './watch.ts'

/** A message as the extractor reads it. */
export type Fields = Readonly<Record<string, unknown>>

/** Filler words in a name. */
const IDLE = /^(?:the|an?|my|jobs?|routine[ns]?|that|it|me|number|no|die|de[rn]|das|mein|meinen?)$/

export function wordsIn(text: string): readonly string[] {
  return allWordsIn(text).filter((word) => !IDLE.test(word))
}

function allWordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** `verb`: the start of the sentence, if only its rest was typed. */
export function fieldsIn(
  powers: Clock & OwnerFacts & Extraction,
  words: string,
  { verb, intents }: { readonly verb: string; readonly intents: readonly string[] },
): Fields | null {
  const { timezone } = powers.profile()
  const now = powers.now()
  for (const text of [words, `${verb} ${words}`, `${verb} job ${words}`]) {
    const fields: Fields = typedFields(powers, text, { now, timezone })
    if (!intents.includes(String(fields['intent']))) continue
    const { repeat, minutes, times = minutes } = fields
    if (repeat === undefined || times === undefined) return fields
    // Of several times of a day the first may be over and others still to come: the day is what the words mean at its beginning.
    const midnight = instantOfLocal(`${dayOf(now, timezone)} 00:00`, timezone)
    const { from, to } = typedFields(powers, text, { now: midnight, timezone })
    return { ...fields, from, to }
  }
  return null
}

export type NamingPorts = Clock &
  OwnerFacts &
  Extraction &
  Templates &
  SealedReading &
  AtPlace &
  PolicySource &
  SecretScan &
  StoreOf<JobStore>

/** Those of jobs that may tell a chat of this place. */
export function templatesHere({
  templates,
  policy,
  place,
}: Templates & AtPlace & PolicySource): readonly Template[] {
  const chats = policy().sinks.filter((sink) => sink.place === place)
  return templates.filter(
    ({ principalClass, sinks }) =>
      principalClass === 'cron' && chats.some(({ id: chat }) => sinks.includes(chat)),
  )
}

/**
 * The shipped job that all of these words name: by title, another name, or the name of its many-times-a-day
 * form.
 */
export function shippedNamed(
  templates: readonly Template[],
  words: string,
  often: boolean = false,
): Template | null {
  // "The email check job" is the email check; the jobs digest is no digest.
  const said = [wordsIn(words), allWordsIn(words)].map((one) => one.join(' '))
  if (said[0] === '') return null
  const is = (name: string): boolean => said.includes(allWordsIn(name).join(' '))
  const named = templates.find(({ job }) => job !== undefined && namesOf(job).some(is))
  return named ?? (often ? templates.find(({ job }) => job?.often?.some(is) === true) : undefined) ?? null
}

export async function titleFor(powers: NamingPorts, { sink, principal }: Asking, job: Job): Promise<string> {
  const shipped = powers.templates.find(({ id }) => id === job.template)?.job
  if (shipped !== undefined) return shippedWords(shipped).title
  const words = await openTextOf(powers, job.words)
  const shown = words.ok ? showTo(powers, { sink, principal }, words.value) : words
  if (!shown.ok) return tell('jobs.own')
  return job.watch === null ? shown.value : watchTitle(job.watch, shown.value)
}

/** Whether these words may mean a job that is set: as `findJob`, for words that are not looked into. */
export async function namesJob(
  powers: SealedReading & Templates & StoreOf<JobStore>,
  topic: Labeled<Json>,
): Promise<boolean> {
  const jobs = powers.store.jobs().filter(({ state }) => state !== 'asked')
  if (
    jobs.length > 0 &&
    test(topic, (said) => /\d$/.test(String(said)) || wordsIn(String(said)).length === 0)
  )
    return true
  const isIn = (said: Json, name: string): boolean => isPartOf(wordsIn(String(said)), wordsIn(name))
  for (const job of jobs) {
    const shipped = powers.templates.find(({ id }) => id === job.template)?.job
    const own = shipped === undefined ? await openTextOf(powers, job.words) : null
    const names = shipped === undefined ? [tell('jobs.own')] : namesOf(shipped)
    if (names.some((name) => test(topic, (said) => isIn(said, name)))) return true
    if (
      own?.ok === true &&
      test(
        combine([topic, own.value], ([said, words]) => isIn(said ?? '', String(words))),
        Boolean,
      )
    )
      return true
  }
  return false
}

/** Milliseconds after which a job is no longer the one that was just set. */
const JUST_SET = 600_000

/** The one of these that was set within ten minutes, where exactly one was; else all of them. */
export function justSet(jobs: readonly Job[], now: number): readonly Job[] {
  const [only, ...others] = jobs.filter(({ at }) => at > now - JUST_SET)
  return only === undefined || others.length > 0 ? jobs : [only]
}

/**
 * Of several that fit: those that run, or for a resumption those that are stopped; where none is named, the one that was
 * just set.
 */
function meantOf(fitting: readonly Job[], state: Job['state'] | null, now: number | null): readonly Job[] {
  const some = fitting.filter((job) => job.state === state)
  const likely = some.length === 0 ? fitting : some
  return now === null ? likely : justSet(likely, now)
}

/**
 * By number, else by words of the title or of another name; nothing said means the only one. `state`: what the job is in
 * that is meant where several fit, null for any. Refusals: job_unknown; job_ambiguous.
 */
export async function findJob(
  powers: NamingPorts,
  asking: Asking,
  name: string,
  state: Job['state'] | null = 'on',
): Promise<Result<Job>> {
  const jobs = powers.store.jobs().filter(({ state }) => state !== 'asked')
  const said = wordsIn(name)
  const number = /^\d{1,4}$/.test(said.at(-1) ?? '') ? Number(said.at(-1)) : null
  if (number !== null && said.length === 1) {
    const found = jobs.find((job) => job.number === number)
    return found === undefined ? err('job_unknown') : ok(found)
  }
  const fitting: Job[] = []
  const meant =
    wordsIn(name).length < allWordsIn(name).length ? shippedNamed(templatesHere(powers), name) : null
  for (const job of meant === null ? jobs : jobs.filter(({ template }) => template === meant.id)) {
    const shipped = powers.templates.find(({ id }) => id === job.template)?.job
    const names = [await titleFor(powers, asking, job), ...(shipped === undefined ? [] : namesOf(shipped))]
    if (names.some((one) => isPartOf(said, wordsIn(one)))) fitting.push(job)
  }
  const now = said.length === 0 && state === 'on' ? powers.now() : null
  const [only, other] = meantOf(fitting, state, now)
  if (only === undefined) return err('job_unknown')
  return other === undefined ? ok(only) : err('job_ambiguous')
}

function isPartOf(said: readonly string[], name: readonly string[]): boolean {
  return said.every((word) => name.includes(word))
}
