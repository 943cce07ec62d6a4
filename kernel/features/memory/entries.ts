/**
 * A principal's own long-term memory: list, correct, forget (E-20). Covers saved facts, and results in working memory or the
 * archive. A correction is a new fact in the owner's words. A forgotten entry is hidden at once and deleted after the undo
 * window. Must only show what the sink is cleared for. Called by kernel-ports.ts, change.ts and planned.ts.
 */

import { stringsIn } from '../../flow/json.ts'
import { describeLabel } from '../../flow/label.ts'
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { ownerWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { FACT_MAX } from '../../powers/effects.ts'
import type { Actions, AtPlace, Clock, HomeLine, Ids, PolicySource, SecretScan } from '../../powers/ports.ts'
import { contentOf, type SealedKeeping, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { AuditTrail, StoreOf, Transactions } from '../../powers/stores.ts'
import type { SealedRef } from '../../task/task.ts'
import { holdsSecret } from '../../wording/guard/pasted.ts'
import { showTo } from '../deliveries/deliver.ts'
import { type Teller, tellFact, tellForgotten } from '../places/tell-home.ts'
import { EDGE_PREFIX, openFact } from './fact.ts'
import { indexedWords } from './fact-index.ts'
import type {
  Asking,
  EntryNumbers,
  EntryView,
  Fact,
  FactStore,
  Forgetting,
  MemoryEntries,
  MemoryStore,
} from './port.ts'

/** Maximum facts, and maximum results, in one list, which a chat shows in pages: bounds its work. */
export const SHOWN = 300
/** Maximum results searched when one is named; working memory and archive hold fewer. */
export const LOOKED_THROUGH = 2_000
/** Milliseconds in which a forgotten entry can be restored; then it is deleted. */
export const UNDO_WITHIN = 600_000
/** Maximum UTF-16 units of one result in a list; its body is already deleted. */
const RESULT_TEXT = 300

export interface StoredEntry {
  readonly id: string
  readonly kind: EntryView['kind']
  readonly tool: string | null
  readonly ref: SealedRef
  readonly at: number
}

export function createMemoryEntries(
  powers: RewritePorts & Actions & StoreOf<Forgetting & AuditTrail>,
): Omit<MemoryEntries, 'askForget' | 'find' | 'about' | 'reword'> {
  return {
    list: (asking) => list(powers, asking),
    undo: (asking, number) => undo(powers, asking, number),
    forget: (asking, id) => forget(powers, asking, id),
    correct: (asking, id, text) => correct(powers, asking, { id, text }),
  }
}

async function list(
  powers: NumberedPorts & StoreOf<MemoryStore & FactStore>,
  asking: Asking,
): Promise<readonly EntryView[]> {
  const shown: Omit<EntryView, 'number'>[] = []
  for (const stored of storedEntries(powers, asking.principal, SHOWN)) {
    const one = await shownTo(powers, asking, stored)
    if (one.ok) shown.push(one.value)
  }
  // The oldest entry gets the lowest number, as a list is read from the bottom.
  const oldestFirst = shown.toReversed()
  const numbers = powers.store.numbersOf(
    asking.principal,
    oldestFirst.map(({ id }) => id),
  )
  return oldestFirst.map((one, at) => ({ ...one, number: numbers[at] ?? 0 })).reverse()
}

export async function shownTo(
  powers: SealedReading & AtPlace & PolicySource & Actions & SecretScan,
  asking: Asking,
  { ref, ...stored }: StoredEntry,
): Promise<Result<Omit<EntryView, 'number'>>> {
  const text = await textOf(powers, { ...stored, ref })
  if (!text.ok) return text
  const open = showTo(powers, asking, text.value)
  if (!open.ok) return open
  return ok({ ...stored, text: open.value, label: describeLabel(ref.label), told: isFromEdge(stored) })
}

/** Ports needed to list entries by number. */
export type NumberedPorts = SealedReading &
  AtPlace &
  PolicySource &
  Actions &
  SecretScan &
  StoreOf<EntryNumbers>

export async function numbered(
  powers: NumberedPorts,
  asking: Asking,
  stored: StoredEntry,
): Promise<Result<EntryView>> {
  const shown = await shownTo(powers, asking, stored)
  const [number = 0] = powers.store.numbersOf(asking.principal, [stored.id])
  return shown.ok ? ok({ ...shown.value, number }) : err('memory_unknown')
}

export function entryNamed(
  { store }: StoreOf<MemoryStore & FactStore>,
  principal: string,
  id: string,
): StoredEntry | undefined {
  const fact = store.fact(principal, id)
  return fact === null
    ? resultsOf({ store }, principal, LOOKED_THROUGH).find((one) => one.id === id)
    : factOf(fact)
}

export function storedEntries(
  { store }: StoreOf<MemoryStore & FactStore>,
  principal: string,
  most: number,
): readonly StoredEntry[] {
  return [...store.facts(principal, most).map(factOf), ...resultsOf({ store }, principal, most)]
}

export function factOf({ id, ref, at }: Fact): StoredEntry {
  return { id, kind: 'fact', tool: null, ref, at }
}

function resultsOf({ store }: StoreOf<MemoryStore>, principal: string, most: number): readonly StoredEntry[] {
  const results = [...store.workingMemory(principal, most), ...store.archivedMemory(principal, most)]
  return results.slice(0, most).map(
    ({ action, ref, at, task }): StoredEntry => ({
      id: resultId(task, ref),
      kind: 'result',
      tool: action,
      ref,
      at,
    }),
  )
}

/** A copy of what the edge reported keeps its prefix, so the owner sees that it exists there too. */
function resultId(task: string, { id }: SealedRef): string {
  return task.startsWith(EDGE_PREFIX) ? EDGE_PREFIX + id : id
}

function isFromEdge({ id }: Pick<StoredEntry, 'id'>): boolean {
  return id.startsWith(EDGE_PREFIX)
}

async function textOf(
  powers: SealedReading & Actions,
  stored: StoredEntry,
): Promise<Result<Labeled<string>>> {
  if (stored.kind === 'fact') return openFact(powers, stored)
  const content = await contentOf(powers, stored.ref)
  return content.ok
    ? ok(derive(content.value, (value) => stringsIn(value).join(', ').slice(0, RESULT_TEXT)))
    : content
}

/** Ports needed to forget an entry. */
export type ForgetPorts = Auditing &
  PolicySource &
  HomeLine &
  StoreOf<Transactions & SealedStore & MemoryStore & FactStore & Forgetting>

async function forget(
  powers: ForgetPorts,
  asking: Asking,
  id: string,
): Promise<Result<{ readonly told: boolean }>> {
  const { principal } = asking
  const stored = entryNamed(powers, principal, id)
  if (stored === undefined) return err('memory_unknown')
  powers.store.transaction(() => hide(powers, principal, stored))
  if (stored.kind === 'fact') await tellForgotten(powers, byHand(asking), id)
  return ok({ told: isFromEdge(stored) })
}

/** Hides an entry. The caller opens the transaction. `instead`: the fact that takes its place and its number. */
export function hide(
  powers: Auditing & StoreOf<SealedStore & Forgetting>,
  principal: string,
  stored: StoredEntry,
  instead: string | null = null,
): void {
  const { store, now } = powers
  const until = now() + UNDO_WITHIN
  store.forgetEntry({ principal, kind: stored.kind, id: storedId(stored), until })
  store.boundSealed([stored.ref.id], until)
  note(powers, principal, stored, 'forgotten', instead)
}

/** Ports needed to let one fact take the place of another. */
export type ReplaceFactPorts = Auditing &
  PolicySource &
  HomeLine &
  StoreOf<Transactions & SealedStore & MemoryStore & FactStore & Forgetting>

/**
 * Forgets the older of two facts of the owner, as the owner would by hand. The caller opens the transaction. Refusal: memory_gone
 * if the newer fact no longer exists, so that a late approval does not lose both.
 */
export function replaceFact(
  powers: ReplaceFactPorts,
  { old, by }: { readonly old: string; readonly by: string },
): Result<true> {
  const { owner: principal } = powers.policy()
  const before = powers.store.fact(principal, old)
  if (before === null) return ok(true)
  if (powers.store.fact(principal, by) === null) return err('memory_gone')
  hide(powers, principal, factOf(before))
  void tellForgotten(powers, { principal, template: '', task: null }, old)
  return ok(true)
}

export function byHand({ principal }: Asking): Teller {
  return { principal, template: '', task: null }
}

/** Id under which the store has the entry; for a result, that of its sealed record. */
function storedId({ id, kind, ref }: StoredEntry): string {
  return kind === 'fact' ? id : ref.id
}

function note(
  powers: Auditing,
  principal: string,
  { kind, ref, tool }: Pick<StoredEntry, 'kind' | 'ref' | 'tool'>,
  change: 'forgotten' | 'restored',
  instead: string | null = null,
): void {
  const told = { what: kind, tool, change, by: principal, record: ref.id }
  audit(powers, 'memory_changed', null, instead === null ? told : { ...told, instead })
}

/** Maximum audit rows searched for the fact that replaced another; nobody causes more within the undo window. */
const MOST_LINES = 1_000

/** The fact that a correction put in the place of this one, if it still exists (E-20). */
function insteadOf(
  { store, now }: Clock & StoreOf<AuditTrail & FactStore>,
  principal: string,
  ref: SealedRef,
): Fact | null {
  const line = store
    .auditSince(now() - UNDO_WITHIN, MOST_LINES)
    .find(({ kind, facts }) => kind === 'memory_changed' && facts['record'] === ref.id)
  const instead = line?.facts['instead']
  return typeof instead === 'string' ? store.fact(principal, instead) : null
}

/**
 * Restores an entry; label and taint come from its row, which did not change. A fact that home was asked to forget is sent to
 * home again. A fact that a correction replaced takes the place of the new one, which can be restored in turn.
 */
async function undo(powers: UndoPorts, asking: Asking, number: number | null): Promise<Result<EntryView>> {
  const { principal } = asking
  const { store, now } = powers
  const wanted = number === null ? null : store.entryAt(principal, number)
  if (number !== null && wanted === null) return err('memory_gone')
  for (const entry of store.forgotten(principal, now())) {
    const { kind, ref, tool, at } = entry
    const id = kind === 'fact' ? entry.id : resultId(entry.task ?? '', ref)
    const stored: StoredEntry = { id, kind, ref, tool, at }
    const instead = kind === 'fact' ? insteadOf(powers, principal, ref) : null
    if (wanted !== null && wanted !== id && wanted !== instead?.id) continue
    const shown = await shownTo(powers, asking, stored)
    if (!shown.ok) continue
    // At the edge the fact gets a new id, because home accepts an id only once.
    const back = { ...stored, id: kind === 'fact' && powers.home !== null ? powers.newId() : id }
    const restored = store.transaction(() => {
      const still = store.forgotten(principal, now()).some((one) => one.ref.id === ref.id)
      if (!still) return false
      store.remembered(entry, kind === 'fact' ? back.id : entry.id)
      store.unboundSealed(ref.id)
      store.renumber(principal, instead?.id ?? id, back.id)
      note(powers, principal, stored, 'restored')
      if (instead !== null) hide(powers, principal, factOf(instead), back.id)
      return true
    })
    if (!restored) return err('memory_gone')
    if (instead !== null) await tellForgotten(powers, byHand(asking), instead.id)
    if (kind === 'fact') await findAgain(powers, asking, back)
    return numbered(powers, asking, back)
  }
  return err('memory_gone')
}

type UndoPorts = NumberedPorts &
  Auditing &
  Ids &
  HomeLine &
  StoreOf<Transactions & AuditTrail & SealedStore & FactStore & Forgetting>

/** Indexes a restored fact again, which left the index when it was forgotten, and sends it to home. */
async function findAgain(
  powers: Auditing & SealedReading & PolicySource & Actions & HomeLine & StoreOf<FactStore>,
  asking: Asking,
  { id, ref, at }: StoredEntry,
): Promise<void> {
  const { principal } = asking
  const text = await textOf(powers, { id, kind: 'fact', tool: null, ref, at })
  if (!text.ok) return
  powers.store.indexFact({ id, principal, ref, at }, await indexedWords(powers, principal, text.value))
  await tellFact(powers, byHand(asking), { id, text: text.value, at })
}

/** Ports needed to replace the text of an entry. */
export type RewritePorts = Auditing &
  SealedKeeping &
  PolicySource &
  HomeLine &
  SecretScan &
  StoreOf<Transactions & MemoryStore & FactStore & Forgetting & EntryNumbers>

async function correct(
  powers: RewritePorts,
  asking: Asking,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<Result<{ readonly id: string }>> {
  const line = powers.policy().sinks.find((one) => one.id === asking.sink)
  if (line === undefined) return err('memory_unknown')
  return rewrite(powers, asking, { id, said: receive(text, ownerWords(asking.sink, line.level)) })
}

/** Refusals: those of `MemoryEntries.correct`. The new fact has label and taint of its words. */
export async function rewrite(
  powers: RewritePorts,
  asking: Asking,
  { id, said }: { readonly id: string; readonly said: Labeled<string> },
): Promise<Result<{ readonly id: string }>> {
  const { principal } = asking
  const stored = entryNamed(powers, principal, id)
  if (stored?.kind !== 'fact') return err('memory_unknown')
  if (test(said, (text) => text.trim() === '' || text.length > FACT_MAX))
    return err('tool_arguments_invalid', { max: FACT_MAX })
  if (test(said, (text) => holdsSecret(text, powers.known))) return err('secret_pasted')
  const fresh = powers.newId()
  const sealed = await sealForLater(powers, { principal, store: 'memory', until: null }, said)
  const words = await indexedWords(powers, principal, said)
  const changed = powers.store.transaction(() => {
    // Read again: it may have been forgotten or corrected while the text was sealed.
    const { store } = powers
    if (entryNamed(powers, principal, id) === undefined) return false
    sealed.put()
    hide(powers, principal, stored, fresh)
    store.saveFact({ id: fresh, principal, ref: sealed.ref, at: powers.now() }, words)
    // The number now refers to the corrected fact.
    store.renumber(principal, id, fresh)
    return true
  })
  if (!changed) return err('memory_unknown')
  await tellForgotten(powers, byHand(asking), id)
  await tellFact(powers, byHand(asking), { id: fresh, text: said })
  return ok({ id: fresh })
}
