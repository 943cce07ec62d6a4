/**
 * Recognises the job that a message names by words of its output, or by its time and title: "stop what's on
 * today", "change the morning message to 6:30", "die Morgenmeldung nur werktags". Only if exactly one job
 * matches, and no reminder. Must not change it. Called by home-talk.ts.
 */
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { operationInMessage } from '../../operations/commands.ts'
import type { Extraction, OwnerFacts } from '../../powers/ports.ts'
import { openTextOf } from '../../powers/sealed.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { fieldsIn, justSet } from '../jobs/named.ts'
import type { Job } from '../jobs/port.ts'
import { namesOf } from '../jobs/shipped-words.ts'
import { indexWords, withWords } from '../memory/telling-words.ts'
import { lastRequest, MOST, plainCore, type RecognitionPorts } from './recognise-end.ts'

const WHICH = "(?<which>[\\p{L}\\d][\\p{L}\\d'’, -]{1,70}?)"
const WHEN = '(?<when>\\S.{0,50}?)'
const THE = '(?:(?:the|my|that|those|about|of) )*'
const DER = '(?:(?:die|den|das|der|dem|meine?n?|mit|von|zu|zum|zur) )*'
const SOFT = '(?:(?:bitte|doch|mal|lieber|wieder|jetzt|ab jetzt|ab sofort|künftig) )*'
const TELLING = '(?: (?:telling|sending|giving|showing|bringing) me)?'
const STOPS: readonly RegExp[] = whole([
  `(?:stop|pause|halt|turn off|switch off|disable)${TELLING} ${THE}${WHICH}`,
  `(?:turn|switch) ${THE}${WHICH} off`,
  `(?:don'?t|do not) (?:tell|send|give|show|bring) me ${THE}${WHICH} any ?more`,
  `no more ${THE}${WHICH}`,
  `(?:stoppe?|stop|pausiere?|beende?) ${SOFT}${DER}${WHICH}`,
  `(?:halte?|stelle?|schalte?|mache?) ${SOFT}${DER}${WHICH} ${SOFT}(?:an|ab|aus)`,
])
const MOVES = '(?:make|move|change|set|shift|put|bring|send|have|get)(?: me)?'
const MOVES_GERMAN = '(?:stelle?|verschiebe?|verlege?|lege?|ändere?|mache?|setze?|schicke?|bringe?)(?: mir)?'
const ONE = '(?:(?:die|den|das|meine?n?) |(?=(?:job|routine) ))'
const THE_ONE = '(?:(?:the|my) |(?=job ))'
const RATHER = '(?: instead(?: of \\S.{0,12}?)?| from now on)?'
const TIMES: readonly RegExp[] = whole([
  `(?:(?:can|could|may) i )?${MOVES} ${THE_ONE}${WHICH}(?: come| arrive)? (?:to|at|for) ${WHEN}${RATHER}`,
  `(?:(?:can|could|may) i )?${MOVES} ${THE_ONE}${WHICH}(?: come| arrive)? (?<when>(?:only|not) \\S.{0,50}?)${RATHER}`,
  `${MOVES} ${THE_ONE}${WHICH} (?<when>(?:half(?: past)?|quarter (?:past|to)) \\p{L}{0,6}\\d{0,2}|\\d{1,2}[:.]\\d\\d(?: ?[ap]m)?)${RATHER}`,
  `(?:the |my )?${WHICH},? (?:should come |rather |better )*(?<when>(?:at|only|not on|only on) \\S.{0,50}?)${RATHER}`,
  `no ${WHICH} (?<without>(?:on|at) \\S.{0,40}?)`,
  `${MOVES_GERMAN} ${SOFT}${ONE}${WHICH} ${SOFT}(?:auf|um|erst um|erst auf) ${WHEN}`,
  `(?:${MOVES_GERMAN} ${SOFT})?${ONE}${WHICH} ${SOFT}(?<when>(?:nur|nicht) \\S.{0,40}?)`,
  `${ONE}${WHICH} ${SOFT}(?:erst )?(?:um|auf) ${WHEN}`,
])

/** Requests to update a job to the newer form of its file. */
const UPDATES: readonly RegExp[] = whole([
  `(?:update|renew|upgrade) ${THE}${WHICH}(?: to (?:the|its) (?:newer|newest|new) (?:form|version))?`,
  `(?:aktualisiere?|erneuere?) ${SOFT}${DER}${WHICH}`,
])

function whole(patterns: readonly string[]): readonly RegExp[] {
  return patterns.map(
    (pattern) =>
      new RegExp(
        `^(?:(?:please|no|oh|actually|ok|okay|and|bitte|nein|ach|und)[,.!]? )*${pattern}(?:,? (?:please|bitte))*[.! ]*$`,
        'iu',
      ),
  )
}

/** Requests to stop the running job that is the only one, or was just set, right after another message about it. */
const STOPS_IT: readonly RegExp[] = whole([
  '(?:stop|pause|end|halt) (?:it|that|this)(?: again| now)?',
  '(?:turn|switch) (?:it|that) off(?: again)?',
  `(?:stoppe?|stop|pausiere?|beende?) ${SOFT}(?:das|es|ihn|sie|die|den)(?: ${SOFT.slice(0, -1)})?`,
  `(?:halte?|stelle?|schalte?|mache?) ${SOFT}(?:das|es|ihn|sie) ${SOFT}(?:an|ab|aus)`,
])

const RUNS_IT: readonly RegExp[] = whole([
  '(?:run|do|start|send) (?:it|that|this)(?: (?:right )?now| once| again| please)+',
  '(?:run|start) it',
  `(?:starte?|mache?|schicke?|führe?) ${SOFT}(?:das|es|ihn|sie|die)(?: (?:jetzt|gleich|sofort|mal|einmal|nochmal))+(?: aus)?`,
  '(?:job|routine)(?: number| nummer| nr\\.?)? (?<number>\\d{1,4})[,:]? (?:run (?:it|that)(?: now)?|now|jetzt|sofort)',
])

/** Words for a job, whatever its content. */
const KIND =
  /(?:message|messages|briefing|report|update|digest|summary|overview|news|routine|job|\p{L}*(?:meldung|nachricht|bericht|briefing|überblick|übersicht|zusammenfassung|routine))/iu
const THING = /^(?:thing|one|stuff|sache|ding)$/iu
const MORNING = /^(?:mornings?|morgens?|morgendliche\p{L}*|früh\p{L}*)$/iu
const EVENING = /^(?:evenings?|night|nightly|abends?|abendliche\p{L}*)$/iu
/** Splits "Morgenmeldung" into its two words. */
const COMPOUND =
  /(?<!\p{L})(morgen|früh|abend)s?-?(meldung|nachricht|bericht|briefing|überblick|übersicht|zusammenfassung|routine)(?!\p{L})/giu
const NUMBERED = /^(?:job|routine)(?: number| no\.?| nummer| nr\.?)? (\d{1,4})$/iu
/** Words that name no job by themselves. */
const IDLE: ReadonlySet<string> = new Set(indexWords('today tomorrow daily day heute morgen täglich tag'))
/** Pronouns and the like, which refer to something else. */
const POINTS = /^(?:it|that|this|them|everything|all|alles|es|das|die|ihn|sie|you|me|\d+)$/iu

export interface RecognisedJob {
  readonly operation: 'jobs.pause' | 'jobs.run_now' | 'jobs.set_time' | 'jobs.update'
  readonly words: Labeled<string>
}

type JobPorts = RecognitionPorts & OwnerFacts & Extraction

/** Null for any other message, if not exactly one job is meant, or if its new time cannot be read. */
export async function recogniseJob(powers: JobPorts, task: Task): Promise<RecognisedJob | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  const jobs = powers.store.jobs().filter(({ state }) => state === 'on' || state === 'paused')
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined || jobs.length === 0) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  const says = (patterns: readonly RegExp[]): RegExp | undefined =>
    patterns.find((one) => test(said.value, (text) => one.test(plainCore(text))))
  const runs = says(RUNS_IT)
  const numbered = jobs.find(({ number }) =>
    test(said.value, (text) => Number(runs?.exec(plainCore(text))?.groups?.['number']) === number),
  )
  if (numbered !== undefined)
    return { operation: 'jobs.run_now', words: derive(said.value, () => String(numbered.number)) }
  if (runs !== undefined || says(STOPS_IT) !== undefined) {
    const [only, ...others] = justSet(
      jobs.filter(({ state }) => state === 'on'),
      powers.now(),
    )
    const before = lastRequest(powers, task)
    if (only === undefined || others.length > 0 || before === null) return null
    const isOfIt = before.words.taint.level === 'clean' && (await isOfJobs(powers, before))
    const operation = runs === undefined ? 'jobs.pause' : 'jobs.run_now'
    return isOfIt ? { operation, words: derive(said.value, () => String(only.number)) } : null
  }
  const stopped = await meant(powers, { task, said: said.value, jobs, patterns: STOPS })
  if (stopped !== null)
    return { operation: 'jobs.pause', words: derive(said.value, () => String(stopped.job.number)) }
  const renewed = await meant(powers, { task, said: said.value, jobs, patterns: UPDATES })
  if (renewed !== null)
    return { operation: 'jobs.update', words: derive(said.value, () => String(renewed.job.number)) }
  const moved = await meant(powers, { task, said: said.value, jobs, patterns: TIMES })
  if (moved === null) return null
  const { job, pattern } = moved
  const told = derive(said.value, (text) => {
    const { when = '', without = '' } = pattern.exec(plainCore(text))?.groups ?? {}
    return without === '' ? `job ${job.number} ${withAt(when)}` : `job ${job.number} not ${without}`
  })
  const isRead = test(
    told,
    (text) => fieldsIn(powers, text, { verb: 'make', intents: ['job_time'] }) !== null,
  )
  return isRead ? { operation: 'jobs.set_time', words: told } : null
}

/** Whether that message was about a job, or about all jobs. */
async function isOfJobs(powers: JobPorts, before: Task): Promise<boolean> {
  const text = await openTextOf(powers, before.words)
  if (!text.ok) return false
  const context = { now: powers.now(), timezone: powers.profile().timezone }
  const isSaid = test(text.value, (said) => {
    const read = typedFields(powers, said, context)
    const operation = operationInMessage(said)?.operation.name ?? ''
    return operation.startsWith('jobs.') || String(read['intent']).startsWith('job_')
  })
  return isSaid || (await recogniseJob(powers, before)) !== null
}

/** Reads "6:30" as a time of day. */
function withAt(when: string): string {
  return /^(?:only|not|nur|nicht|at|um|on|every|jede)/iu.test(when) ? when : `at ${when}`
}

interface Meaning {
  readonly task: Task
  readonly said: Labeled<string>
  readonly jobs: readonly Job[]
  readonly patterns: readonly RegExp[]
}

async function meant(
  powers: JobPorts,
  { task, said, jobs, patterns }: Meaning,
): Promise<{ readonly job: Job; readonly pattern: RegExp } | null> {
  const pattern = patterns.find((one) =>
    test(said, (text) => text.length <= MOST && one.test(plainCore(text))),
  )
  if (pattern === undefined) return null
  const which = derive(said, (text) =>
    (pattern.exec(plainCore(text))?.groups?.['which'] ?? '').replace(COMPOUND, '$1 $2').trim(),
  )
  if (test(which, (text) => POINTS.test(text)) || (await namesReminder(powers, task, which))) return null
  const fitting: Job[] = []
  for (const job of jobs) {
    const shipped = powers.templates.find(({ id }) => id === job.template)?.job
    const own = shipped === undefined ? await openTextOf(powers, job.words) : null
    const fits = (words: string, name: string): boolean =>
      namesJob(words, name, { job, isTime: patterns === TIMES })
    const isNamed =
      own?.ok === true
        ? test(
            combine([which, own.value], ([words, name]) => fits(String(words), String(name))),
            Boolean,
          )
        : shipped !== undefined && namesOf(shipped).some((name) => test(which, (words) => fits(words, name)))
    if (isNamed) fitting.push(job)
  }
  const on = fitting.filter(({ state }) => state === 'on')
  const [only, ...others] = on.length > 0 ? on : fitting
  return only === undefined || others.length > 0 ? null : { job: only, pattern }
}

/**
 * Whether the words name this job: all of them occur in its name, except words for jobs and for their times. One word is enough
 * to name an event, but not a job.
 */
function namesJob(
  words: string,
  name: string,
  { job, isTime }: { readonly job: Job; readonly isTime: boolean },
): boolean {
  const number = NUMBERED.exec(words)?.[1]
  if (number !== undefined) return Number(number) === job.number
  const typed = words.split(/[\s,]+/).filter((word) => word !== '')
  const half = typed.some((word) => MORNING.test(word))
    ? 'morning'
    : typed.some((word) => EVENING.test(word))
      ? 'evening'
      : null
  // "The morning thing" is a job; "the thing" may be anything.
  const isOfKind = (word: string): boolean =>
    new RegExp(`^${KIND.source}$`, 'iu').test(word) || (half !== null && THING.test(word))
  const isKind = typed.some(isOfKind)
  const left = typed.filter(
    (word) => !isOfKind(word) && !(isKind && (MORNING.test(word) || EVENING.test(word))),
  )
  const wanted = indexWords(left.join(' '))
  if (isKind && half !== null && halfOf(job) !== half) return false
  // "The briefing" may be another job that does not exist; "the job" is any job.
  const isOther = typed.some(
    (word) => IN_NAMES.test(word) && !wordsBetweenSpaces(name).includes(wordsBetweenSpaces(word)),
  )
  if (wanted.length === 0) return isKind && (half !== null || (left.length === 0 && !isOther))
  const own = new Set(indexWords(name))
  const isIn = wanted.every((word) => own.has(word))
  const isPhrase = typed.length > 1 && wordsBetweenSpaces(name).includes(wordsBetweenSpaces(words))
  const hasContent = wanted.some((word) => !IDLE.has(word)) || isPhrase
  return isIn && hasContent && (!isTime || isKind || wanted.length > 1)
}

/** Words for kinds of job, as in the names of shipped jobs. */
const IN_NAMES =
  /^(?:\p{L}*briefing|\p{L}*digest|reviews?|checks?|summary|\p{L}*rückblick|\p{L}*überblick|zusammenfassung)$/iu

function wordsBetweenSpaces(text: string): string {
  return ` ${(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `
}

/** Half of the day in which the job first runs. */
function halfOf({ repeat: { first } }: Job): 'morning' | 'evening' | null {
  const hour = Number(first.slice(11, 13))
  if (hour >= 4 && hour < 12) return 'morning'
  return hour >= 17 ? 'evening' : null
}

async function namesReminder(
  powers: JobPorts,
  { principal }: Task,
  which: Labeled<string>,
): Promise<boolean> {
  for (const { ref } of powers.store.openReminders(principal, 'reminder')) {
    const text = await openTextOf(powers, ref)
    const matches =
      text.ok &&
      test(
        combine(
          [which, text.value],
          ([words = '', one = '']) => withWords(words, [{ text: one }]).length > 0,
        ),
        Boolean,
      )
    if (matches) return true
  }
  return false
}
