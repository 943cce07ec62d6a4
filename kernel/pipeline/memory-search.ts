/**
 * `memory.search`: facts and, where none answers, archived results (B-14, B-20, E-19). What the task may not hold is left
 * out in the store already, so that it hides nothing it may; the rest is ranked by how many words of the question it has,
 * then by age. Must not tell what was left out. Called by kernel-effects.ts.
 */
import { type Json, stringsIn } from '../flow/json.ts'
import { combine, derive, type Labeled, test } from '../flow/labeled.ts'
import type { Powers } from '../powers/ports.ts'
import { openRecordOf, openTextOf } from '../powers/sealed.ts'
import type { Task } from '../task/task.ts'
import { sessionsOf } from './read-through.ts'
import { createSieve, type Sieve } from './withheld.ts'

/** Newest readable facts that are searched: bounds one search's work. */
const SEARCHED_FACTS = 500
const FOUND_FACTS = 20
/** Archived results that are searched and shown. */
const SEARCHED_RESULTS = 500
const FOUND_RESULTS = 5
/** UTF-16 units of one archived result. */
const RESULT_TEXT = 2_000
/** Words of a question that count: each is looked for in every text. */
const MOST_WORDS = 16

type Arguments = Labeled<{ readonly [key: string]: Json }>

/**
 * The archive is asked only where no fact answers: it quotes strangers, and the owner's own facts would bear their taint.
 */
export async function searchMemory(powers: Powers, task: Task, args: Arguments): Promise<Labeled> {
  const sieve = createSieve(powers, task)
  const facts = await findFacts(powers, task, { args, sieve })
  const isQuestion = test(args, (values) => wordsOf(values).length > 0)
  const earlier = facts.length === 0 && isQuestion ? await findEarlier(powers, task, { args, sieve }) : []
  sieve.tell('memory.search')
  return combine<Json, Json>([...facts, ...earlier], (all) => ({
    facts: all.slice(0, facts.length),
    earlier: all.slice(facts.length),
  }))
}

interface Search {
  readonly args: Arguments
  readonly sieve: Sieve
}

/** A text with what is shown of it. */
interface Candidate {
  readonly text: Labeled<string>
  readonly shown: Labeled
}

async function findFacts(powers: Powers, task: Task, { args, sieve }: Search): Promise<readonly Labeled[]> {
  const facts = sessionsOf(powers, task).flatMap(({ principal, may }) =>
    powers.store.facts(principal, SEARCHED_FACTS, sieve.noting(may)),
  )
  const candidates: Candidate[] = []
  for (const { ref, at } of facts) {
    const fact = await openTextOf(powers, ref)
    if (!fact.ok) continue
    const shown = derive(fact.value, (text) => ({ text, at: new Date(at).toISOString() }))
    candidates.push({ text: fact.value, shown })
  }
  return bestOf(args, candidates).slice(0, FOUND_FACTS)
}

/** Results that working memory has pushed out (B-14). */
async function findEarlier(powers: Powers, task: Task, { args, sieve }: Search): Promise<readonly Labeled[]> {
  const archived = sessionsOf(powers, task).flatMap(({ principal, may }) =>
    powers.store.archivedMemory(principal, SEARCHED_RESULTS, sieve.noting(may)),
  )
  const candidates: Candidate[] = []
  for (const { ref, action, at } of archived) {
    const record = await openRecordOf(powers, ref)
    if (!record.ok) continue
    const text = derive(record.value.whole(), (value) => stringsIn(value).join(', ').slice(0, RESULT_TEXT))
    const shown = derive(text, (kept) => ({ action, text: kept, at: new Date(at).toISOString() }))
    candidates.push({ text, shown })
  }
  return bestOf(args, candidates).slice(0, FOUND_RESULTS)
}

/** With any word of the question, those with most of them first, else in order; without a question, all in order. */
function bestOf(args: Arguments, candidates: readonly Candidate[]): readonly Labeled[] {
  if (test(args, (values) => wordsOf(values).length === 0)) return candidates.map(({ shown }) => shown)
  const counted = candidates.map(({ text, shown }) => ({ shown, hits: hitsOf(args, text) }))
  const tiers = Array.from({ length: MOST_WORDS }, (_, at) => MOST_WORDS - at)
  return tiers.flatMap((tier) =>
    counted.filter(({ hits }) => test(hits, (count) => count === tier)).map(({ shown }) => shown),
  )
}

function hitsOf(args: Arguments, text: Labeled<string>): Labeled<number> {
  return combine<Json, number>([args, text], ([values, written]) => {
    const folded = String(written).toLowerCase()
    return wordsOf(values as { readonly [key: string]: Json }).filter((word) => folded.includes(word)).length
  })
}

function wordsOf({ query }: { readonly [key: string]: Json }): readonly string[] {
  if (typeof query !== 'string') return []
  const words = query.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return [...new Set(words.filter((word) => word.length > 2))].slice(0, MOST_WORDS)
}
