/**
 * Phase 0, extract: turns the sender's words into typed fields, deterministically (C-01, C-03), and decides whether a plan
 * is needed. A command, and a sentence that names an operation, need none. Must not call a model. Called by drive.ts.
 */
import { askedRoots } from '../call/values/asked.ts'
import { meantOperation } from '../features/commands/sentences.ts'
import type { ExtractPorts } from '../features/jobs/requests/drafting-port.ts'
import { test } from '../flow/labeled.ts'
import { type LabeledRecord, pick } from '../flow/record.ts'
import { TOOLLESS_INTENTS } from '../powers/message-fields.ts'
import type { Actions, ChatServices } from '../powers/ports.ts'
import { readMessage } from '../powers/read-message.ts'
import { keepRecord, openTextOf, RAW_LIFETIME, type SealedReading } from '../powers/sealed.ts'
import type { ApprovalStore, StoreOf } from '../powers/stores.ts'
import type { CommandSense } from '../powers/tier-port.ts'
import { readsAsChange } from '../task/answers/edit-words.ts'
import { saysMeant } from '../task/answers/openers.ts'
import type { Outcome } from '../task/outcome.ts'
import { OWNER_PRINCIPAL, parsePrincipalId } from '../task/principal.ts'
import type { Task } from '../task/task.ts'

/** `hasPlanner`: whether a model that can plan is available. */
export async function extract(powers: ExtractPorts, task: Task, hasPlanner = false): Promise<Outcome> {
  const read = await readMessage(powers, task)
  if (!read.ok) return { got: 'faulted', reason: read.reason }
  const { said, action } = read.value
  const intent = pick(said, ['intent'])
  // The words of a job cannot be a command: a job must not administer anything.
  const ofJob = parsePrincipalId(task.principal)
  const isJob = ofJob.ok && ofJob.value.kind === 'cron'
  const toolless =
    !isJob &&
    ((await isFileAlone(powers, task)) ||
      (intent.ok &&
        test(intent.value, (value) => TOOLLESS_INTENTS.includes(String(value))) &&
        !(hasPlanner && isGuess(said)) &&
        !(await isAboutCard(powers, task))) ||
      (await isCommand(powers, task)) ||
      (await meantOperation(powers, task)) !== null)
  // Without a plan no step references the fields; a later reader extracts them again.
  if (toolless) return { got: 'extracted', said: null, needsTools: false }
  const until = powers.now() + RAW_LIFETIME
  const ref = await keepRecord(powers, { principal: task.principal, store: 'sessions', until, action }, said)
  return { got: 'extracted', said: ref, needsTools: true }
}

/**
 * Whether the message was classified as talk by likelihood only. "Forget the wine thing, that was
 * somebody else" is such a message, and a request that only a planning model understands (DESIGN §10).
 */
function isGuess(said: LabeledRecord): boolean {
  const whole = pick(said, ['whole'])
  return whole.ok && test(whole.value, (is) => is !== true)
}

/** Whether the message changes a pending card. Without such a card, words like "all day" are small talk. */
async function isAboutCard(powers: SealedReading & StoreOf<ApprovalStore>, task: Task): Promise<boolean> {
  const waits = task.principal === OWNER_PRINCIPAL && Object.keys(askedRoots(powers, task)).length > 0
  const text = waits ? await openTextOf(powers, task.words) : null
  return text?.ok === true && test(text.value, (said) => readsAsChange(said) || saysMeant(said))
}

/** A message of files without text: there is nothing to plan; a writer describes the file. */
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
  return text.ok && test(text.value, (said) => commands.isCommand(said, powers))
}
