/**
 * Compaction of a conversation (O-34 – O-42): when its running part fills the window of the model that will read it, a
 * model's notes take the place of the older turns, which stay archived. Work between tasks: nobody waits for it, it depends
 * on nothing but the store, and whatever goes wrong leaves every turn where it is; what must fit at once is cut by finalize.
 * The notes are data, guarded like an answer and never parsed. Called by the shell.
 */
import type { Json } from '../../flow/json.ts'
import { describeLabel, joinLabels } from '../../flow/label.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { type AskNamedPorts, askSummary } from '../../model-call/model-call.ts'
import { type DeliverPorts, deliverNotice } from '../../pipeline/deliver.ts'
import { type GuardPorts, guardFor } from '../../pipeline/guard.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { AtPlace, Clock, HistorySpan, Models } from '../../powers/ports.ts'
import { openTextOf, type SealedKeeping, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { GrantStore, StoreOf, TaskStore, Transactions } from '../../powers/stores.ts'
import type { Turn, TurnStore } from '../../powers/turn-port.ts'
import { fillOf } from '../../prompt/fill.ts'
import { RULES } from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { SealedRef, Task } from '../../task/task.ts'
import { guardAnswer } from '../../wording/guard/answer.ts'
import { BYTES_PER_TOKEN, couldFill, type HistoryUsePorts, isSmall, useOf } from './history-use.ts'

/** The newest turns, which no summary stands for: eight messages (O-37). */
export const KEPT_TURNS = 4
/** Models are asked for notes this often before it is left for later (O-34). */
export const SUMMARY_TRIES = 3
/** One, and one more where that was not enough (O-34). */
const ROUNDS = 2
/** Milliseconds after which a failure is tried again: a model that always fails must not be asked after every message. */
export const REST_AFTER_FAILURE = 600_000
/** UTF-16 units of one line for the summariser: a document that was pasted needs no more, and lies in the archive. */
const LINE_MAX = 2_000
/** Turns of one round, and the share of the summariser's window that they may take. */
const MOST_TURNS = 500
const ROUND_SHARE = 0.5
/** Share of the tokens set for history that the notes may take; the rest is for the newest turns. */
const NOTES_SHARE = 0.4
/** Tokens of the notes, however much history is set. */
const MOST_NOTES = 1_500
/** Milliseconds within which another compaction is no news: a day of long messages is one notice (O-42). */
const QUIET = 24 * 3_600_000
/** Milliseconds. */
const SUMMARY_TIMEOUT = 120_000

export interface Compactor {
  /** Looks whether it is due, and does it; concurrent calls join one. Never throws. */
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
      // A bug, noted without its text, which could quote data.
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

/** What it takes to put a summary in the place of turns. */
type CompactionPorts = AskNamedPorts &
  HistoryUsePorts &
  SealedReading &
  HistorySpan &
  StoreOf<Transactions & TaskStore & GrantStore & TurnStore>

/** True when nothing more is due; false when it is, and could not be done. */
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
  /** What the notes will stand for, oldest first. */
  readonly older: readonly Turn[]
}

function dueFor(
  powers: HistoryUsePorts & Clock & AtPlace & HistorySpan & StoreOf<TaskStore & GrantStore & TurnStore>,
  principal: string,
): Due | null {
  const { store, history } = powers
  const size = store.historySize(principal)
  const count = Math.min(MOST_TURNS, size.turns - KEPT_TURNS)
  if (count <= 0 || history.tokens === 0 || isSmall(powers, size)) return null
  const [task] = store.recentTasks(principal, 1)
  if (task === undefined || !couldFill(powers, { task, size, notes: mostChars(powers) })) return null
  const former = store.compaction(principal)?.summary ?? null
  const turns = store.runningTurns(principal, count + KEPT_TURNS)
  const label = joinLabels(
    ...turns.flatMap(refsOf).map((ref) => ref.label),
    ...(former ? [former.label] : []),
  )
  const bytes = size.bytes + (former === null ? 0 : mostChars(powers))
  const use = useOf(powers, { task, label, size: { ...size, bytes } })
  if (use === null || fillOf(use.used, use.window) === 'fits') return null
  const older = withinRound(turns.slice(0, count), use.window)
  return { principal, task, former, older }
}

function refsOf({ words, answer }: Turn): readonly SealedRef[] {
  return answer === null ? [words] : [words, answer]
}

/** The oldest that one prompt of the summariser can hold; one at least. */
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

/** UTF-16 units of the notes. */
function mostChars({ history }: HistorySpan): number {
  return Math.floor(Math.min(MOST_NOTES, history.tokens * NOTES_SHARE)) * BYTES_PER_TOKEN
}

/** Null where nobody wrote any that can be kept. */
async function notesOn(
  powers: AskNamedPorts & GuardPorts & SealedReading & Models & HistorySpan,
  due: Due,
): Promise<Labeled<string> | null> {
  const lines = await linesOf(powers, due)
  if (lines === null) return null
  const maxChars = mostChars(powers)
  const limits = { maxTokens: Math.ceil(maxChars / BYTES_PER_TOKEN), timeout: SUMMARY_TIMEOUT }
  const judged = guardFor(powers, due.task, { looksBack: true })
  for (let attempt = 1; attempt <= SUMMARY_TRIES; attempt += 1) {
    const models = modelsFor(powers, attempt)
    const reply = await askSummary(powers, { principal: due.principal, lines, maxChars, models, limits })
    if (!reply.ok || reply.value.cut) continue
    // Later answers count what stands here as read: a link that this model made up must not come to be one of them.
    const notes = combine<Json, string>(
      [receive(reply.value.text, reply.value.provenance), lines],
      ([text, read]) =>
        guardAnswer(String(text), { ...judged, read: [read ?? null], others: [read ?? null] }),
    )
    if (test(notes, (text) => text !== '' && text.length <= maxChars)) return notes
  }
  return null
}

/** A model that talks too long has had its chances: the last is for the plain list. */
function modelsFor({ models }: Models, attempt: number): Models['models'] {
  const plain = models.filter(({ reader }) => reader.id === RULES)
  return attempt === SUMMARY_TRIES && plain.length > 0 ? plain : models
}

/** Who said what. A line that cannot be opened is left out. */
async function linesOf(powers: SealedReading, { former, older }: Due): Promise<Labeled<string[]> | null> {
  const parts: Labeled<string>[] = []
  const add = async (ref: SealedRef | null, who: string): Promise<void> => {
    const text = ref === null ? null : await openTextOf(powers, ref)
    if (text?.ok) parts.push(derive(text.value, (said) => `${who}: ${said.slice(0, LINE_MAX)}`))
  }
  await add(former, 'summary')
  for (const { words, answer } of older) {
    await add(words, 'person')
    await add(answer, 'assistant')
  }
  return parts.length === 0 ? null : combine(parts, (texts) => [...texts])
}

/** The marker, the end of the one before, and the archive: one transaction. */
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

/** Once, in the chat where he talks; nobody else hears of it (O-42). */
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
