/**
 * Word index of remembered facts (E-19): finds the facts that share a word with a question, and indexes older facts. An index
 * belongs to one principal and one label, so facts above a reader's clearance are never examined. Must not open more than it
 * indexes. Called by memory search, prompts, the code that saves facts, and the indexing of both places.
 */
import type { Label } from '../../flow/label.ts'
import { type Labeled, test } from '../../flow/labeled.ts'
import type { Sealing } from '../../powers/ports.ts'
import type { SealedReading } from '../../powers/sealed.ts'
import type { StoreOf, Transactions } from '../../powers/stores.ts'
import { blindQuestion, blindWords, guardText, type StoredQuestion } from '../../vault/records.ts'
import { EDGE_PREFIX, openFact } from './fact.ts'
import type { Fact, FactStore, IndexedWords, Span } from './port.ts'
import { indexWords } from './telling-words.ts'

/** Maximum facts that are not indexed yet and that a search opens as well, newest first. */
const WAITING = 500
/** Maximum words of a question that are used. */
export const MOST_WORDS = 16

/** Ports needed to find facts. */
export type FactFinding = SealedReading & StoreOf<FactStore>

/** Whose facts, and which labels may be read. `many`: how many facts bear the label. */
export interface Finder {
  readonly principal: string
  readonly may: (label: Label, many?: number) => boolean
}

export interface Question {
  /** Words as `indexWords` returns them; an empty list matches every fact, newest first. */
  readonly asked: StoredQuestion
  /** Maximum facts of one label. */
  readonly most: number
}

/**
 * A fact that shares a word with a question, to be opened. `rank`: how rare these words are; 0 without the
 * index.
 */
export interface FoundFact {
  readonly fact: Fact
  readonly rank: number
}

/** Index row that is stored beside a fact, so that a search finds the fact. */
export async function indexedWords(
  { sealer }: Sealing,
  principal: string,
  text: Labeled<string>,
): Promise<IndexedWords> {
  const guard = guardText(text.label)
  return { guard, words: await blindWords(sealer, { principal, guard }, text, indexWords) }
}

/** Candidates: best first for a question, else newest first. The caller opens them and compares them with the question. */
export async function findFacts(
  powers: FactFinding,
  { principal, may }: Finder,
  { asked, most }: Question,
): Promise<readonly FoundFact[]> {
  const { store, sealer } = powers
  const isQuestion = test(asked, ({ words }) => words.length > 0)
  const found: FoundFact[] = []
  for (const { id, guard, label, facts } of store.guardsOf(principal)) {
    if (!may(label, facts)) continue
    const { words, span } = await blindQuestion(sealer, { principal, guard }, asked, MOST_WORDS)
    const wanted = { limit: most, span }
    if (isQuestion) found.push(...store.factsWith(id, words, wanted))
    else found.push(...store.factsUnder(id, wanted).map((fact) => ({ fact, rank: 0 })))
  }
  const waiting = store.unindexedFacts(principal, WAITING, may)
  const within = waiting.filter(({ at }) => test(asked, ({ span }) => isWithin(span, at)))
  found.push(...within.map((fact) => ({ fact, rank: 0 })))
  return found.toSorted((a, b) => b.rank - a.rank || order(a.fact, b.fact))
}

/** Own facts before those told by the edge, then newest first. */
function order(a: Fact, b: Fact): number {
  return Number(a.id.startsWith(EDGE_PREFIX)) - Number(b.id.startsWith(EDGE_PREFIX)) || b.at - a.at
}

function isWithin(span: Span | null, at: number): boolean {
  return span === null || (span.from <= at && at < span.to)
}

/**
 * Indexes facts that are not in the index yet, oldest first, at most `most`, in one transaction. Returns how many are left. An
 * interrupted run loses only this batch, and the next run begins with it. A fact that can no longer be opened counts as done.
 */
export async function indexFacts(powers: FactFinding & StoreOf<Transactions>, most: number): Promise<number> {
  const { store } = powers
  const ready: { readonly fact: Fact; readonly words: IndexedWords }[] = []
  for (const fact of store.oldestUnindexed(most)) {
    const text = await openFact(powers, fact)
    // No fact opens before the owner unlocks the edge, so none counts as done.
    if (!text.ok && text.reason.code === 'edge_locked') break
    const words = text.ok ? await indexedWords(powers, fact.principal, text.value) : noWords(fact)
    ready.push({ fact, words })
  }
  store.transaction(() => {
    for (const { fact, words } of ready) store.indexFact(fact, words)
  })
  return store.unindexed()
}

/** Index row without words, under which no search finds the fact. */
function noWords({ ref }: Fact): IndexedWords {
  return { guard: guardText(ref.label), words: [] }
}
