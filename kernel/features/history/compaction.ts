/**
 * Compaction of a conversation (O-34 – O-42): when it fills the model's window, notes by a model replace the older
 * turns, which are archived. Runs between tasks, depends only on the store; a failure changes nothing. Notes are
 * data, guarded like an answer and never parsed. Called by shell.ts.
 */
import type { Json } from '../../flow/json.ts'
import { describeLabel, joinLabels } from '../../flow/label.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { type AskNamedPorts, askSummary } from '../../model-call/model-call.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Actions, AtPlace, Clock, HistorySpan, Models, OwnerFacts } from '../../powers/ports.ts'
import { openTextOf, type SealedKeeping, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { GrantStore, StoreOf, TaskStore, Transactions, Turn, TurnStore } from '../../powers/stores.ts'
import { fillOf } from '../../prompt/budget.ts'
import { RULES } from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { SealedRef, Task } from '../../task/task.ts'
import { guardAnswer } from '../../wording/guard/answer.ts'
import { type GuardPorts, guardFor } from '../../wording/guard/guard.ts'
import { localMoment } from '../../wording/output.ts'
import { type DeliverPorts, deliverNotice } from '../deliveries/deliver.ts'
import { modelsFor } from '../models/choice.ts'
import type { SettingStore } from '../quiet/port.ts'
import { BYTES_PER_TOKEN, couldFill, type HistoryUsePorts, isSmall, useOf } from './history-use.ts'

/** Newest turns that are never summarised: eight messages (O-37). */
export const MOST_RECENT_TURNS = 4
/** Attempts to get notes before they are postponed (O-34). */
export const SUMMARY_TRIES = 3
/** Maximum rounds: one, and one more if it was not enough (O-34). */
const ROUNDS = 2
/** Milliseconds before a retry after a failure: a model that always fails must not be asked after every message. */
export const REST_AFTER_FAILURE = 600_000
/** Maximum UTF-16 units of one line for the summariser: a pasted document needs no more, and the archive has all of it. */
const LINE_MAX = 2_000
/** Maximum turns of one round, and their share of the summariser's window. */
const MOST_TURNS = 500
const ROUND_SHARE = 0.5
/** Share of the history budget that the notes may take; the rest is for the newest turns. */
const NOTES_SHARE = 0.4
/** Maximum tokens of the notes, for any history budget. */
const MOST_NOTES = 1_500
/** Milliseconds within which the owner is not notified again: one notice for a day of long messages (O-42). */
const QUIET = 24 * 3_600_000
/** Milliseconds until the call of the summariser is aborted. */
const SUMMARY_TIMEOUT = 120_000

interface Compactor {
  /** Compacts if it is due; concurrent calls join one run. Never throws. */
  compact(principal: string): Promise<void>
}

export function createCompactor(powers: CompactionPorts & DeliverPorts): Compactor {
  const running = new Map<string, Promise<void>>()
  const resting = new Map<string, number>()
  const once = async (principal: string): Promise<void> => {
    if ((resting.get(principal) ?? 0) > powers.now()) return
    resting.set(principal, powers.now() + REST_AFTER_FAILURE)
    try {
      if (await compactAll(powers, principal)) resting.delete(principal)
      await tell(powers, principal)
    } catch {
      // This is a bug. The text of the error is not audited, because it could quote data.
      audit(powers, 'fault', null, { code: 'internal_fault', effect: 'compact' })
    }
  }
  return {
    compact(principal) {
      const current = running.get(principal)
      if (current !== undefined) return current
      const started = once(principal).finally(() => running.delete(principal))
      running.set(principal, started)
      return started
    },
  }
}

/** Ports needed to replace turns by a summary. */
type CompactionPorts = AskNamedPorts &
  HistoryUsePorts &
  SealedReading &
  HistorySpan &
  StoreOf<Transactions & TaskStore & GrantStore & TurnStore & SettingStore>

/** True when nothing more is due; false when something is due and failed. */
async function compactAll(powers: CompactionPorts, principal: string): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const due = dueFor(powers, principal)
    if (due === null) return true
    const notes = await notesOn(powers, due)
    if (notes === null) return false
    await replace(powers, due, notes)
  }
  return true
}

interface Due {
  readonly principal: string
  readonly task: Task
  readonly former: SealedRef | null
  /** Turns that the notes will replace, oldest first. */
  readonly older: readonly Turn[]
}

function dueFor(
  powers: HistoryUsePorts &
    Clock &
    AtPlace &
    HistorySpan &
    StoreOf<TaskStore & GrantStore & TurnStore & SettingStore>,
  principal: string,
): Due | null {
  const { store, history } = powers
  const size = store.historySize(principal)
  const count = Math.min(MOST_TURNS, size.turns - MOST_RECENT_TURNS)
  if (count <= 0 || history.tokens === 0 || isSmall(powers, size)) return null
  const [task] = store.recentTasks(principal, 1)
  if (task === undefined || !couldFill(powers, { task, size, notes: mostChars(powers) })) return null
  const former = store.compaction(principal)?.summary ?? null
  const label = joinLabels(store.historyLabel(principal), ...(former ? [former.label] : []))
  const bytes = size.bytes + (former === null ? 0 : mostChars(powers))
  const use = useOf(powers, { task, label, size: { ...size, bytes } })
  if (use === null || fillOf(use.used, use.window) === 'fits') return null
  const older = withinRound(store.runningTurns(principal, count), use.window)
  return { principal, task, former, older }
}

/** The oldest turns that fit one prompt of the summariser; at least one. */
function withinRound<T extends { readonly bytes: number }>(
  turns: readonly T[],
  window: number,
): readonly T[] {
  let left = window * ROUND_SHARE * BYTES_PER_TOKEN
  const tooMany = turns.findIndex(({ bytes }) => {
    left -= Math.min(bytes, 2 * LINE_MAX)
    return left < 0
  })
  return tooMany === -1 ? turns : turns.slice(0, Math.max(1, tooMany))
}

/** Maximum UTF-16 units of the notes. */
function mostChars({ history }: HistorySpan): number {
  return Math.floor(Math.min(MOST_NOTES, history.tokens * NOTES_SHARE)) * BYTES_PER_TOKEN
}

/** Null when no model wrote usable notes. */
async function notesOn(
  powers: AskNamedPorts & GuardPorts & SealedReading & ChosenModels & HistorySpan,
  due: Due,
): Promise<Labeled<string> | null> {
  const lines = await linesOf(powers, due)
  if (lines === null) return null
  const maxChars = mostChars(powers)
  const limits = {
    maxTokens: Math.ceil(maxChars / BYTES_PER_TOKEN),
    timeout: powers.modelTime?.notes ?? SUMMARY_TIMEOUT,
  }
  const judged = guardFor(powers, due.task, { looksBack: true })
  for (let attempt = 1; attempt <= SUMMARY_TRIES; attempt += 1) {
    const models = modelsOf(powers, attempt)
    const reply = await askSummary(powers, { principal: due.principal, lines, maxChars, models, limits })
    if (!reply.ok || reply.value.cut) continue
    // Later answers treat the notes as read text, so a link that the model invented must be removed here.
    const notes = combine<Json, string>(
      [receive(reply.value.text, reply.value.provenance), lines],
      ([text, read]) =>
        guardAnswer(String(text), { ...judged, read: [read ?? null], others: [read ?? null] }),
    )
    if (test(notes, (text) => text !== '' && text.length <= maxChars)) return notes
  }
  return null
}

/** Notes belong to no template. */
const IN_ORDER = { inference: { provider: 'chain', model: null, asksForCloud: false } } as const
type ChosenModels = Models & Actions & StoreOf<SettingStore>

/** The last attempt goes to the rules model, if there is one: models that keep writing too much have had their tries. */
function modelsOf(powers: ChosenModels, attempt: number): Models['models'] {
  const models = modelsFor(powers, IN_ORDER, null)
  const plain = models.filter(({ reader }) => reader.id === RULES)
  return attempt === SUMMARY_TRIES && plain.length > 0 ? plain : models
}

/** Lines with their speaker, the person's with their time. A line that cannot be opened is left out. */
async function linesOf(
  powers: SealedReading & OwnerFacts,
  { former, older }: Due,
): Promise<Labeled<string[]> | null> {
  const parts: Labeled<string>[] = []
  const { timezone } = powers.profile()
  const add = async (ref: SealedRef | null, who: string): Promise<void> => {
    const text = ref === null ? null : await openTextOf(powers, ref)
    if (text?.ok) parts.push(derive(text.value, (said) => `${who}: ${said.slice(0, LINE_MAX)}`))
  }
  await add(former, 'summary')
  for (const { words, answer, at } of older) {
    await add(words, `${localMoment(at, timezone)} person`)
    await add(answer, 'assistant')
  }
  return parts.length === 0 ? null : combine(parts, (texts) => [...texts])
}

/** Stores the new summary, ends the previous one and archives the turns, in one transaction. */
async function replace(
  powers: Auditing & SealedKeeping & StoreOf<Transactions & TurnStore>,
  { principal, older }: Due,
  notes: Labeled<string>,
): Promise<void> {
  const { store } = powers
  const sealed = await sealForLater(powers, { principal, store: 'sessions', until: null }, notes)
  const at = powers.now()
  const before = store.compaction(principal)
  const knows = before?.told === true && at - before.at < QUIET
  const marker = { principal, summary: sealed.ref, at, told: principal !== OWNER_PRINCIPAL || knows }
  store.transaction(() => {
    sealed.put()
    const former = store.compact(marker, older)
    if (former !== null) store.deleteSealed([former.id])
    const label = describeLabel(notes.label)
    const facts = { what: 'history', change: 'summarised', by: principal, turns: older.length, label }
    audit(powers, 'memory_changed', null, facts)
  })
}

/** Notifies the owner once, in the chat they use; other people are not notified (O-42). */
async function tell(powers: DeliverPorts & StoreOf<TaskStore & TurnStore>, principal: string): Promise<void> {
  const marker = powers.store.compaction(principal)
  if (marker === null || marker.told) return
  const [task] = powers.store.recentTasks(principal, 1)
  if (task === undefined) return
  const { sink } = task
  const notice = { id: `compacted:${marker.at}`, sink, principal, code: 'history_compacted' } as const
  const sent = await deliverNotice(powers, notice)
  if (sent.ok) powers.store.toldOfCompaction(principal)
}
