/**
 * Phase 0, extract: turns the sender's words into typed fields, deterministically (C-01, C-03). An extractor
 * that throws or returns malformed data yields empty fields and raw taint (J-12). Must not call a model.
 * Called by drive.ts, and by the writer's view for a message that needs no tools.
 */
import { askedRoots } from '../call/asked.ts'
import { endHeard } from '../features/commands/end-heard.ts'
import { listAsked } from '../features/commands/list-asked.ts'
import { moveHeard } from '../features/commands/move-heard.ts'
import { namesJob } from '../features/jobs/named.ts'
import type { JobStore } from '../features/jobs/port.ts'
import { pageHeard } from '../features/memory/paging.ts'
import { answerHeard } from '../features/reminders/heard.ts'
import type { ReminderStore } from '../features/reminders/port.ts'
import { changeHeard } from '../features/scheduled/heard.ts'
import { derive, type Labeled, test } from '../flow/labeled.ts'
import { extractRecord, type LabeledRecord, pick, type RecordSource } from '../flow/record.ts'
import { CLEAN } from '../flow/taint.ts'
import { ok, type Result } from '../flow/verdict.ts'
import { operationInMessage } from '../operations/commands.ts'
import { OTHER_MESSAGE, OWNER_MESSAGE, shapeOf } from '../powers/effects.ts'
import { JOB_INTENTS, TOOLLESS_INTENTS } from '../powers/message-fields.ts'
import type {
  Actions,
  AtPlace,
  ChatServices,
  Clock,
  Extraction,
  Ids,
  OwnerFacts,
  Templates,
} from '../powers/ports.ts'
import { keepRecord, openTextOf, RAW_LIFETIME, type SealedReading } from '../powers/sealed.ts'
import type {
  ApprovalStore,
  AuditTrail,
  OutboxStore,
  StoreOf,
  TaskStore,
  Turn,
  TurnStore,
} from '../powers/stores.ts'
import type { CommandSense, HeardTalk, TalkSense } from '../powers/tier-port.ts'
import { answerInMessage } from '../task/answers/answer-words.ts'
import { readsAsChange } from '../task/answers/edit-words.ts'
import { saysMeant } from '../task/answers/openers.ts'
import type { Outcome } from '../task/outcome.ts'
import { OWNER_PRINCIPAL, parsePrincipalId } from '../task/principal.ts'
import type { SealedRef, Task } from '../task/task.ts'

/** Fields of a message that could not be read. */
const NOTHING = { intent: 'other', language: 'unknown', quoted: false, attachments: 0 }

/** Ports needed to extract the fields of a message. No model. */
export type ExtractPorts = SealedReading &
  Ids &
  OwnerFacts &
  Actions &
  ChatServices &
  Extraction &
  AtPlace &
  CommandSense &
  TalkSense &
  Templates &
  StoreOf<JobStore & TurnStore & TaskStore & ReminderStore & OutboxStore & ApprovalStore & AuditTrail>

export async function extract(powers: ExtractPorts, task: Task): Promise<Outcome> {
  const read = await readMessage(powers, task)
  if (!read.ok) return { got: 'faulted', reason: read.reason }
  const { said, action } = read.value
  const intent = pick(said, ['intent'])
  // The words of a job cannot be a command: a job administers nothing.
  const ofJob = parsePrincipalId(task.principal)
  const isJob = ofJob.ok && ofJob.value.kind === 'cron'
  const toolless =
    !isJob &&
    ((await isFileAlone(powers, task)) ||
      (intent.ok &&
        test(intent.value, (value) => TOOLLESS_INTENTS.includes(String(value))) &&
        !(await isAboutCard(powers, task))) ||
      (await isCommand(powers, task)) ||
      (await changeHeard(powers, task)) !== null ||
      (await answerHeard(powers, task)) !== null ||
      (await pageHeard(powers, task, (before) => readMessage(powers, before))) !== null ||
      listAsked(task, said) !== null ||
      (await endHeard(powers, task)) !== null ||
      (await moveHeard(powers, task)) !== null ||
      (await talkHeard(powers, task)) !== null ||
      (await isAboutJob(powers, task, said)))
  // No step will reference the fields; a later reader extracts them again.
  if (toolless) return { got: 'extracted', said: null, needsTools: false }
  const until = powers.now() + RAW_LIFETIME
  const ref = await keepRecord(powers, { principal: task.principal, store: 'sessions', until, action }, said)
  return { got: 'extracted', said: ref, needsTools: true }
}

/** Null at a place without this reader. */
export async function talkHeard(powers: ExtractPorts, task: Task): Promise<HeardTalk | null> {
  return (await powers.tier.talk?.heard(powers, task)) ?? null
}

/** Whether the message changes a waiting card: "all day" is small talk otherwise. */
async function isAboutCard(powers: SealedReading & StoreOf<ApprovalStore>, task: Task): Promise<boolean> {
  const waits = task.principal === OWNER_PRINCIPAL && Object.keys(askedRoots(powers, task)).length > 0
  const text = waits ? await openTextOf(powers, task.words) : null
  return text?.ok === true && test(text.value, (said) => readsAsChange(said) || saysMeant(said))
}

/** A message without text: there is nothing to plan, and a writer describes the file. */
async function isFileAlone(powers: SealedReading, { words, attached }: Task): Promise<boolean> {
  const text = attached === undefined ? null : await openTextOf(powers, words)
  return text?.ok === true && test(text.value, (said) => said.trim() === '')
}

/** Only the owner's own words can be a command (P-30). */
async function isCommand(
  powers: SealedReading & ChatServices & Actions & CommandSense,
  { words, principal, typed }: Task,
): Promise<boolean> {
  if (typed !== undefined) return true
  const { commands } = powers.tier
  if (principal !== OWNER_PRINCIPAL || words.taint.level !== 'clean') return false
  const text = await openTextOf(powers, words)
  return text.ok && test(text.value, (said) => commands.isOne(said, powers))
}

/**
 * Whether the message is about a job, which an operation answers. `make that 7:30` is, right after a message
 * about a job or after a job sent something.
 */
export async function isAboutJob(
  powers: SealedReading &
    OwnerFacts &
    Actions &
    Extraction &
    AtPlace &
    Templates &
    StoreOf<JobStore & TurnStore>,
  task: Task,
  said: LabeledRecord,
): Promise<boolean> {
  const { principal, words } = task
  if (principal !== OWNER_PRINCIPAL || words.taint.level !== 'clean') return false
  if (hasIntent(said, ['job_set', 'job_watch', 'job_list'])) return true
  const { store } = powers
  if (!hasIntent(said, JOB_INTENTS)) return false
  const whole = pick(said, ['whole'])
  if (whole.ok && test(whole.value, (is) => is === true)) return true
  if (!store.jobs().some(({ state }) => state !== 'asked')) return false
  const topic = pick(said, ['topic'])
  // "Cancel the weekly review" may refer to an event if no job has that name.
  if (topic.ok) return namesJob(powers, topic.value)
  if (!hasIntent(said, ['job_time', 'job_chat', 'job_page', 'job_page_stop'])) return true
  const last = await lastAsked(powers, principal)
  const told = store
    .jobs()
    .flatMap(({ id }) => store.runsOf(id, 1))
    .map(({ ended }) => ended ?? 0)
  if (Math.max(0, ...told) > (last?.at ?? 0)) return true
  if (last === undefined || last.words.taint.level !== 'clean') return false
  const text = await openTextOf(powers, last.words)
  if (text.ok && test(text.value, isOfJobs)) return true
  const before = await readMessage(powers, { ...task, words: last.words })
  return before.ok && hasIntent(before.value.said, ['job_set', 'job_list', ...JOB_INTENTS])
}

/** The last message, ignoring a yes or no: it may have created the job that is meant. */
async function lastAsked(
  powers: SealedReading & StoreOf<TurnStore>,
  principal: string,
): Promise<Turn | undefined> {
  const [before, last] = powers.store.recentTurns(principal, 2)
  const text = last === undefined ? null : await openTextOf(powers, last.words)
  return text?.ok === true && test(text.value, (said) => answerInMessage(said) !== null)
    ? before
    : (last ?? before)
}

/** A command on jobs, or a sentence that stands for one. */
function isOfJobs(words: string): boolean {
  return operationInMessage(words)?.operation.name.startsWith('jobs.') === true
}

function hasIntent(said: LabeledRecord, some: readonly string[]): boolean {
  const intent = pick(said, ['intent'])
  return intent.ok && test(intent.value, (value) => some.includes(String(value)))
}

export interface ReadMessage {
  readonly said: LabeledRecord
  readonly action: string
}

/** Cache of extracted fields, by the reference that a running task holds. */
const reading = new WeakMap<SealedRef, ReadMessage>()

/** Typed fields of the task's own words; deterministic. */
export async function readMessage(
  powers: SealedReading & OwnerFacts & Actions & Extraction,
  task: Task,
): Promise<Result<ReadMessage>> {
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return words
  const known = reading.get(task.words)
  if (known !== undefined) return ok(known)
  const action = task.words.taint.level === 'clean' ? OWNER_MESSAGE : OTHER_MESSAGE
  const read = { said: saidOf(powers, words.value, { action, task }), action }
  reading.set(task.words, read)
  return ok(read)
}

function saidOf(
  powers: Clock & OwnerFacts & Actions & Extraction,
  words: Labeled<string>,
  { action, task }: { readonly action: string; readonly task: Task },
): LabeledRecord {
  // Quotes and attachments are counted by the kernel, since the words do not tell (C-03).
  const beside = { quoted: task.quoted !== undefined, attachments: task.attached?.files.length ?? 0 }
  const shape = shapeOf(powers.registry, action)
  if (!shape.ok) throw new Error('the message declaration is missing')
  // The fields' label is that of the words. Their taint is that of the record's source, so typed fields
  // become clean and text does not.
  const source: RecordSource = { ...shape.value, inputs: { label: words.label, taint: CLEAN } }
  const context = {
    ...{ now: powers.now(), timezone: powers.profile().timezone },
    own: action === OWNER_MESSAGE,
  }
  const read = extractRecord(source, words, (text) =>
    withBeside(
      readSafely(() => powers.extractor.extract(text, context)),
      beside,
    ),
  )
  if (read.ok) return read.value
  const empty = extractRecord(
    source,
    derive(words, () => ''),
    () => ({ ...NOTHING, ...beside }),
  )
  if (!empty.ok) throw new Error('the empty message does not fit its own declaration')
  return empty.value
}

/** A malformed result is returned unchanged, and is refused as such. */
function withBeside(read: unknown, beside: Readonly<Record<string, unknown>>): unknown {
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read, ...beside } : read
}

function readSafely(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return NOTHING
  }
}
