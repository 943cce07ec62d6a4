/**
 * Working memory: what a finished task leaves for later turns (B-12 – B-21, C-29). Structured fields and
 * short names stay; bodies and temporary rows are deleted (C-04). Older results move to the archive, which
 * `memory.search` reads. Called by drive.ts.
 */

import { createSieve } from '../../call/values/withheld.ts'
import { withoutBodies } from '../../flow/record.ts'
import { sessionsOf } from '../../model-call/read-through.ts'
import type { Auditing } from '../../powers/audit.ts'
import { isEarlier, isKernelEffect } from '../../powers/effects.ts'
import type { Actions, Ids, PolicySource } from '../../powers/ports.ts'
import {
  keepRecord,
  keepText,
  openRecordOf,
  openTextOf,
  type SealedKeeping,
  type SealedReading,
} from '../../powers/sealed.ts'
import type { IdentityLinkStore, OutboxStore, StoreOf, TurnStore } from '../../powers/stores.ts'
import { KERNEL } from '../../task/plan.ts'
import { parsePrincipalId } from '../../task/principal.ts'
import { type SealedRef, sealedIn, type Task } from '../../task/task.ts'
import { unseenSteps } from '../../task/unseen.ts'
import type { MemoryEntry, MemoryStore } from './port.ts'

/** Tasks whose results working memory holds (B-14). */
export const MEMORY_TASKS = 10
/**
 * Newest results that the archive holds: a search opens them all, and they must not fill the disk over years.
 */
export const ARCHIVED_RESULTS = 500

/**
 * Earlier records that this task may reference: `w1` is the newest of its own principal, followed by those
 * read through a link. Unreadable ones are left out.
 */
export function recallMemory(
  powers: Auditing & PolicySource & StoreOf<IdentityLinkStore & MemoryStore>,
  task: Task,
): Task['memory'] {
  const sieve = createSieve(powers, task)
  const entries = sessionsOf(powers, task).flatMap(({ principal, linked, may }) =>
    // The number of another account's reminder would name a different reminder here.
    powers.store
      .workingMemory(principal, MEMORY_TASKS, sieve.noting(may))
      .filter(({ action }) => !(linked && isKernelEffect(action))),
  )
  sieve.tell('memory')
  return Object.fromEntries(entries.map(({ ref }, index) => [`w${index + 1}`, ref]))
}

/** Ports needed to store the memory of a finished task. */
type RememberPorts = SealedReading & SealedKeeping & Actions & StoreOf<OutboxStore & TurnStore & MemoryStore>

/** Seals what stays; returns the writes for the task's last transaction. */
export async function remember(powers: RememberPorts, task: Task): Promise<() => void> {
  const { principal, turn, id: owner, words } = task
  // Kernel answers, such as tables of figures, would displace the conversation itself.
  const answer = task.model === KERNEL ? null : (task.answer ?? (await replied(powers, task)))
  const entries: MemoryEntry[] = []
  const hidden = unseenSteps(task.plan?.steps ?? [])
  for (const { step, action, ref } of recordsOf(task)) {
    const record = await openRecordOf(powers, ref)
    if (!record.ok) continue
    // Sealed with the key of the long-term store, because it will move to the archive.
    const unseen = hidden.has(step)
    const keeping = { principal, store: 'memory', until: null, action, ...(unseen && { unseen }) } as const
    const kept = withoutBodies(record.value)
    const keptRef = await keepRecord(powers, keeping, kept)
    entries.push({ turn, principal, task: owner, action, ref: keptRef, at: powers.now() })
  }
  return () => {
    powers.store.appendTurn({ turn, principal, task: owner, words, answer, at: task.createdAt })
    const keep = { tasks: MEMORY_TASKS, archived: ARCHIVED_RESULTS }
    const forgotten = powers.store.pushMemory(entries, keep)
    powers.store.deleteSealed([
      ...forgotten.map(({ ref }) => ref.id),
      ...temporaryOf(task).map((ref) => ref.id),
    ])
  }
}

/**
 * Sealed copy of the last reply that a task sent, if it wrote no answer of its own, so that later turns have
 * both sides of the conversation. Of a task that ended with a question to the owner, that is the question.
 */
async function replied(
  powers: SealedReading & Ids & StoreOf<OutboxStore>,
  task: Task,
): Promise<SealedRef | null> {
  const last = powers.store.lastDelivery(task.id)
  if (last?.kind !== 'answer' && !(last?.kind === 'card' && task.declined === true)) return null
  const text = await openTextOf(powers, last.text)
  const keeping = { principal: task.principal, store: 'sessions', until: null } as const
  return text.ok ? keepText(powers, keeping, text.value) : null
}

function recordsOf(
  task: Task,
): readonly { readonly step: string; readonly action: string; readonly ref: SealedRef }[] {
  const name = parsePrincipalId(task.principal)
  // Later turns never refer to rows that a job looked at.
  const isJob = name.ok && name.value.kind === 'cron'
  return Object.entries(task.results).flatMap(([step, result]) => {
    if (result.kind !== 'sealed' || result.ref.holds.what !== 'record') return []
    const { action } = result.ref.holds
    const isKept = isEarlier(action) && !(isJob && isKernelEffect(action))
    return isKept ? [{ step, action, ref: result.ref }] : []
  })
}

/** Rows that a task read or made while running, and that nothing needs afterwards. */
export function temporaryOf(task: Task): readonly SealedRef[] {
  const results = sealedIn(task.results)
  const { said, quoted, attached, literals = [], edits = {} } = task
  const edited = Object.values(edits).map(({ ref }) => ref)
  const own = [said ?? undefined, quoted, attached?.names, attached?.text].filter((ref) => ref !== undefined)
  return [...own, ...literals.map(({ ref }) => ref), ...edited, ...results]
}
