/**
 * Recognises messages that end or undo something without naming its kind: "stop it" right after a reminder or a job was set or
 * while its card waits, "cancel the oven one", a ticked entry of the list, "undo that" after a setting was changed. Null if an
 * event or a mail may be meant. Must not end anything. A row of sentences.ts.
 */
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { plainRequest } from '../../operations/plain-request.ts'
import type { Actions, Clock, Templates } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, AuditTrail, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import type { Approval } from '../../task/approval.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { spaced } from '../../wording/typed.ts'
import { isChangedLast } from '../changes/last-change.ts'
import { namesJob } from '../jobs/named.ts'
import type { JobStore } from '../jobs/port.ts'
import { withWords } from '../memory/telling-words.ts'
import type { Reminder, ReminderStore } from '../reminders/port.ts'
import { recogniseTick } from './recognise-tick.ts'

/** Number of newest tasks that are searched for the previous request of the chat. */
const LOOKED_BACK = 20
/** Maximum length of such a message in UTF-16 units. */
export const MOST = 100

export const ENDS =
  '(?:cancel|stop|delete|remove|drop|scrap|kill|ditch|bin|end|forget|turn off|switch off|call off|get rid of)'
export const ENDS_GERMAN = '(?:lösche?|streiche?|stoppe?|storniere?|cancel|entferne?|vergiss|beende|nimm)'
export const SOFT = '(?: bitte| doch| mal)?'
const POINTS: readonly RegExp[] = whole([
  '(?:cancel|stop|end|kill|scrap|drop|abort|delete|remove|undo|call off) (?:it|that|this|that one|this one)(?: again| right now| now| then| immediately)?',
  '(?:call (?:it|that) off|turn (?:it|that) off)(?: again)?',
  "i (?:don't|do not|dont) want (?:it|that)(?: after all| any ?more)?",
  "(?:don't|do not|dont) (?:do|set) (?:it|that|this)(?: after all)?",
  `${ENDS_GERMAN}${SOFT} (?:das|es|ihn|sie|den|die)(?: bitte| wieder| doch| raus| weg| zurück| sofort)*`,
  '(?:brich|breche) (?:das|es|ihn|sie)(?: bitte| sofort)* ab',
  '(?:ich will|ich brauche|ich brauch) (?:das|es)(?: doch)? nicht(?: mehr)?',
  '(?:mach|tu) (?:das|es)(?: bitte)? (?:doch )?nicht',
])
/** Requests to undo the last action, whatever it was. */
const UNDOES: readonly RegExp[] = whole([
  'undo(?: that| it| this| (?:the|my) last (?:thing|step|change|action))?',
  '(?:take|put|bring) (?:that|it) back',
  'revert (?:that|it)',
  '(?:take|put|change|bring) (?:it|that|this) back again',
  '(?:mach|mache|nimm) (?:das |es |alles |den letzten schritt |die letzte änderung )?(?:bitte )?(?:wieder )?(?:rückgängig|zurück)',
  '(?:stell|stelle|hol|hole|bring|bringe) (?:das|es|sie|ihn) (?:bitte )?(?:wieder )?(?:wieder her|her|zurück)',
  'rückgängig(?: machen)?',
])
export const WHICH = "(?<which>[\\p{L}' -]{2,40}?)"
const NAMED: readonly RegExp[] = whole([
  `${ENDS} (?:the|my|that|this) ${WHICH} (?:one|thing)(?: again| please)?`,
  `${ENDS} (?:the|that) (?:one|thing) (?:about|for|with|to|on|at) (?:the |my |an? )?${WHICH}`,
  `${ENDS_GERMAN}${SOFT} (?:die|den|das|der) (?:mit|für|zum|zur|wegen|über|an|von|vom)(?: (?:dem|der|den|die|das|meine[mnr]?))? ${WHICH}(?: bitte| wieder| raus| weg| ab)*`,
  `(?:die|den|das|der) (?:mit|für|zum|zur|wegen|über|an|von|vom)(?: (?:dem|der|den|die|das|meine[mnr]?))? ${WHICH} (?:brauche?|will) ich nicht(?: mehr)?`,
])
/** Words that name a position in a list, or one of two things. */
export const PLACED =
  /(?<!\p{L})(?:first|second|third|fourth|fifth|last|latest|next|other|old|new|erste\p{L}*|zweite\p{L}*|dritte\p{L}*|letzte\p{L}*|nächste\p{L}*|andere\p{L}*)(?!\p{L})/iu

export function whole(patterns: readonly string[]): readonly RegExp[] {
  return patterns.map(
    (pattern) =>
      new RegExp(
        `^(?:(?:please|no|oh|actually|wait|never ?mind|sorry|bitte|nein|ach|doch|halt|moment|quatsch|mist|(?:ich )?habe? mich (?:vertan|geirrt))[,.!]? )*${pattern}(?:,? (?:please|bitte))?[.!]*$`,
        'iu',
      ),
  )
}

/**
 * Removes polite words around a request. "should I stop it?" stays a question. Empty if the text is longer
 * than `MOST`.
 */
export function coreOf(said: Labeled<string>): Labeled<string> {
  return derive(said, plainCore)
}

/** The same for an open text. */
export function plainCore(typed: string): string {
  if (typed.length > MOST) return ''
  const { text, polite } = plainRequest(spaced(typed))
  return polite ? text.replace(/(?<![\s?])[\s?]+$/, '') : text
}

/** The first pattern that matches the core of a request. */
export function fitting(core: Labeled<string>, patterns: readonly RegExp[]): RegExp | undefined {
  return patterns.find((pattern) => test(core, (text) => text !== '' && pattern.test(text)))
}

type RecognisedEnd = MeantOperation<
  'reminders.cancel' | 'reminders.done' | 'jobs.pause' | 'jobs.remove' | 'approvals.deny' | 'changes.undo'
>

export type RecognitionPorts = Clock &
  SealedReading &
  Actions &
  Clock &
  Templates &
  StoreOf<TaskStore & ApprovalStore & ReminderStore & JobStore & AuditTrail>

/** Null for any other message, and if no thing or more than one kind of thing matches. */
export async function recogniseEnd(powers: RecognitionPorts, task: Task): Promise<RecognisedEnd | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  const core = coreOf(said.value)
  const before = lastRequest(powers, task)
  const undoes = fitting(core, UNDOES) !== undefined
  if (undoes || fitting(core, POINTS) !== undefined) {
    const set = before === null ? null : setBy(powers, before)
    if (set !== null || !undoes) return set
    return isChangedLast(powers, principal) ? { operation: 'changes.undo', args: {}, named: null } : null
  }
  const pattern = fitting(core, NAMED)
  if (pattern === undefined) {
    // "Take the dentist off" right after events were shown refers to one of those events.
    const isElse = before !== null && showsOthers(powers, before)
    return isElse ? null : ticked(powers, principal, core)
  }
  const which = derive(core, (text) => pattern.exec(text)?.groups?.['which']?.trim() ?? '')
  if (test(which, (text) => PLACED.test(text)) || (before !== null && showsOthers(powers, before)))
    return null
  return kindNamed(powers, task, which)
}

async function ticked(
  powers: RecognitionPorts,
  principal: string,
  core: Labeled<string>,
): Promise<RecognisedEnd | null> {
  const words = test(core, (text) => text === '') ? null : await recogniseTick(powers, principal, core)
  return words === null
    ? null
    : { operation: 'reminders.done', args: {}, named: { argument: 'which', words } }
}

/**
 * The one thing that the previous request set, or that its card would set. Null if there is none, or more
 * than one.
 */
function setBy({ store }: RecognitionPorts, { id, createdAt, sink, principal }: Task): RecognisedEnd | null {
  // The card of a rule belongs to a chat and not to a task.
  const cards = store
    .pendingApprovals(principal)
    .filter(({ approval }) => approval.createdAt >= createdAt && belongsToTask(approval, { id, sink }))
  const jobs = store.jobs().filter((job) => job.sink === sink && job.at >= createdAt && job.state === 'on')
  const reminders = store
    .openReminders(principal, 'reminder')
    .filter((one) => one.sink === sink && one.at >= createdAt)
  if (cards.length + jobs.length + reminders.length !== 1) return null
  const [card] = cards
  const [job] = jobs
  if (card !== undefined)
    return { operation: 'approvals.deny', args: { which: card.approval.id }, named: null }
  if (job !== undefined) return { operation: 'jobs.pause', args: { words: String(job.number) }, named: null }
  return { operation: 'reminders.cancel', args: { which: String(reminders[0]?.number) }, named: null }
}

function belongsToTask(approval: Approval, of: Pick<Task, 'id' | 'sink'>): boolean {
  return approval.task === of.id || (approval.task === '' && approval.sink === of.sink)
}

/**
 * The kind of thing (job, reminder or task) of which one has all of these words. Null if several kinds have
 * one.
 */
async function kindNamed(
  powers: RecognitionPorts,
  { principal }: Task,
  which: Labeled<string>,
): Promise<RecognisedEnd | null> {
  const { store } = powers
  const isJob = await namesJob(powers, which)
  const reminders = await withThem(powers, store.openReminders(principal, 'reminder'), which)
  const tasks = await withThem(powers, store.openReminders(principal, 'task'), which)
  const kinds = [isJob, reminders > 0, tasks > 0].filter(Boolean).length
  if (kinds !== 1) return null
  return isJob
    ? { operation: 'jobs.pause', args: {}, named: { argument: 'words', words: which } }
    : {
        operation: reminders > 0 ? 'reminders.cancel' : 'reminders.done',
        args: {},
        named: { argument: 'which', words: which },
      }
}

async function withThem(
  powers: SealedReading,
  open: readonly Reminder[],
  which: Labeled<string>,
): Promise<number> {
  let count = 0
  for (const { ref } of open) {
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
    if (matches) count += 1
  }
  return count
}

/** The newest task of this chat that is neither an answer to a card nor started by time. */
export function lastRequest({ store }: StoreOf<TaskStore>, { id, principal, sink }: Task): Task | null {
  const [last] = store
    .recentTasks(principal, LOOKED_BACK)
    .filter((one) => one.id !== id && one.sink === sink && one.typed === undefined && one.timed === undefined)
  return last ?? null
}

/**
 * Whether the task read from a tool that can also write: then "the dentist one" may refer to one of its
 * results.
 */
export function showsOthers({ registry }: Actions, { plan }: Task): boolean {
  return (plan?.steps ?? []).some((step) => {
    const action = step.do === 'tool' ? registry.actions.get(step.tool) : undefined
    return action?.semantics === 'read' && action.tool.actions.some(({ semantics }) => semantics === 'write')
  })
}
