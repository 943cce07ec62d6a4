/**
 * Weekly consolidation of long-term memory (B-19) at home: facts that repeat or update each other become one entry.
 * Uses no model; merges only facts of equal label and taint, so no access changes. Facts synced from the edge stay,
 * as they can be forgotten there. Resumes after a crash. Called by home's memory job.
 */

import { digestOf } from '../../flow/digest.ts'
import { describeLabel } from '../../flow/label.ts'
import { combine, derive, fingerprint, type Labeled } from '../../flow/labeled.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { type SealedKeeping, type SealedReading, sealForLater } from '../../powers/sealed.ts'
import type { StoreOf, Transactions } from '../../powers/stores.ts'
import { ENTRY, entryText, type FactEntry, keyOf, mergeEntries, writeEntry } from '../../task/fact-entry.ts'
import { EDGE_PREFIX, isEntry, openEntry } from './fact.ts'
import { indexedWords } from './fact-index.ts'
import type { EntryNumbers, Fact, FactStore, IndexedWords } from './port.ts'

/** Maximum newest facts that one run reads: bounds its work and memory. */
const MOST_CONSOLIDATED = 2_000
/** Groups written in one transaction; a crash repeats at most this many. */
const BATCH = 50

export interface Consolidated {
  readonly facts: number
  readonly entries: number
}

interface Opened {
  readonly fact: Fact
  readonly entry: Labeled<FactEntry>
}

type Group = readonly Opened[]

export async function consolidate(
  powers: Auditing & SealedKeeping & StoreOf<Transactions & FactStore & EntryNumbers>,
  principal: string,
): Promise<Consolidated> {
  const due = (await groupsOf(powers, principal)).filter((group) => group.some(({ fact }) => !isEntry(fact)))
  let done: Consolidated = { facts: 0, entries: 0 }
  for (let from = 0; from < due.length; from += BATCH) {
    const written = await writeBatch(powers, principal, due.slice(from, from + BATCH))
    done = { facts: done.facts + written.facts, entries: done.entries + written.entries }
  }
  if (done.entries > 0) audit(powers, 'memory_changed', null, { change: 'consolidated', ...done })
  return done
}

async function groupsOf(
  powers: SealedReading & StoreOf<FactStore>,
  principal: string,
): Promise<readonly Group[]> {
  const groups = new Map<string, Opened[]>()
  for (const fact of powers.store.facts(principal, MOST_CONSOLIDATED)) {
    if (fact.id.startsWith(EDGE_PREFIX)) continue
    const entry = await openEntry(powers, fact)
    if (!entry.ok) continue
    const opened = { fact, entry: entry.value }
    const name = guardOf(opened)
    groups.set(name, [...(groups.get(name) ?? []), opened])
  }
  return [...groups.values()]
}

/** Key of equal label, taint and subject. A digest, because the subject is content. */
function guardOf({ entry }: Opened): string {
  const about = fingerprint(derive(entry, keyOf), digestOf)
  return `${describeLabel(entry.label)} ${entry.taint.level} ${about}`
}

async function writeBatch(
  powers: SealedKeeping & StoreOf<Transactions & FactStore & EntryNumbers>,
  principal: string,
  groups: readonly Group[],
): Promise<Consolidated> {
  const sealed: {
    readonly group: Group
    readonly later: Awaited<ReturnType<typeof sealForLater>>
    readonly words: IndexedWords
  }[] = []
  for (const group of groups) {
    const merged = combine(
      group.map(({ entry }) => entry),
      (entries) => mergeEntries(entries),
    )
    const text = derive(merged, writeEntry)
    const keeping = { principal, store: 'memory', until: null } as const
    const words = await indexedWords(powers, principal, derive(merged, entryText))
    sealed.push({ group, later: await sealForLater(powers, keeping, text), words })
  }
  const { store } = powers
  return store.transaction(() => {
    // A group with a fact that was forgotten, corrected or repeated meanwhile is left for the next run.
    const now = new Set(store.facts(principal, MOST_CONSOLIDATED).map(({ id, ref }) => `${id} ${ref.id}`))
    const whole = sealed.filter(({ group }) =>
      group.every(({ fact }) => now.has(`${fact.id} ${fact.ref.id}`)),
    )
    for (const { group, later, words } of whole) {
      for (const { fact } of group) store.dropFact(principal, fact.id)
      store.deleteSealed(group.map(({ fact }) => fact.ref.id))
      later.put()
      const at = Math.max(...group.map(({ fact }) => fact.at))
      const id = ENTRY + powers.newId()
      store.saveFact({ id, principal, ref: later.ref, at }, words)
      // The newest text leads the entry, which keeps the number of that fact.
      const newest = group.find(({ fact }) => fact.at === at)
      if (newest !== undefined) store.renumber(principal, newest.fact.id, id)
    }
    return { facts: whole.reduce((sum, { group }) => sum + group.length, 0), entries: whole.length }
  })
}
