/**
 * Finds memory entries by a number, words of a fact, a topic, or "that" for the entry that was answered or saved last (E-20).
 * Must only show what the sink is cleared for. Called by kernel-ports.ts and forget-about.ts.
 */
import { ownerWords, receive } from '../../flow/provenance.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import { isFinal } from '../../task/task.ts'
import { showTo } from '../deliveries/deliver.ts'
import { entryNamed, factOf, type NumberedPorts, numbered, SHOWN } from './entries.ts'
import { findFacts, MOST_WORDS } from './fact-index.ts'
import type { Asking, EntryView, FactStore, MemoryStore } from './port.ts'
import { indexWords, withWords } from './telling-words.ts'

export async function find(
  powers: NumberedPorts & StoreOf<MemoryStore & FactStore & TaskStore>,
  asking: Asking,
  which: string,
): Promise<Result<EntryView>> {
  const { principal } = asking
  if (NEWEST.test(which)) return newest(powers, asking)
  const entry = NUMBER.test(which) ? powers.store.entryAt(principal, Number(which)) : which
  if (entry === null) return err('memory_unknown')
  const kept = entryNamed(powers, principal, entry)
  if (kept !== undefined) return numbered(powers, asking, kept)
  return NUMBER.test(which) ? err('memory_gone') : named(powers, asking, which)
}

/** The fact that was just answered from memory; otherwise the fact that was saved last. */
async function newest(
  powers: NumberedPorts & StoreOf<FactStore & TaskStore>,
  asking: Asking,
): Promise<Result<EntryView>> {
  const answered = await answeredLast(powers, asking)
  if (answered !== null) return ok(answered)
  for (const fact of powers.store.facts(asking.principal, SHOWN)) {
    const found = await numbered(powers, asking, factOf(fact))
    if (found.ok) return found
  }
  return err('memory_unknown')
}

/**
 * The best fact for the previous message of this chat. Null if that message did not search memory, or the search found nothing.
 */
async function answeredLast(
  powers: NumberedPorts & StoreOf<FactStore & TaskStore>,
  asking: Asking,
): Promise<EntryView | null> {
  const last = powers.store
    .recentTasks(asking.principal, LAST_TASKS)
    .find(({ sink, state }) => sink === asking.sink && isFinal(state))
  const searched = last?.traces.some(({ tool, outcome }) => tool === 'memory.search' && outcome === 'done')
  const said = last === undefined || searched !== true ? null : await openTextOf(powers, last.words)
  const question = said?.ok === true ? showTo(powers, asking, said.value) : null
  return question?.ok === true ? ((await about(powers, asking, question.value))[0] ?? null) : null
}

/** Tasks that are searched: the current one, and the one before. */
const LAST_TASKS = 2

/** The one fact that has all of these words. Refusals: memory_unknown; memory_several if more than one fact has them. */
async function named(
  powers: NumberedPorts & StoreOf<FactStore>,
  asking: Asking,
  words: string,
): Promise<Result<EntryView>> {
  const [only, ...others] = withWords(words, await withAny(powers, asking, { words, most: LOOKED_AT }))
  if (only === undefined) return err('memory_unknown')
  return others.length === 0 ? ok(only) : err('memory_several', { facts: others.length + 1 })
}

/** Facts with any of these words, ranked as a search of memory ranks them. */
export async function about(
  powers: NumberedPorts & StoreOf<FactStore>,
  asking: Asking,
  words: string,
): Promise<readonly EntryView[]> {
  const wanted = indexWords(words).slice(0, MOST_WORDS)
  const hits = ({ text }: EntryView): number => {
    const own = new Set(indexWords(text))
    return wanted.filter((word) => own.has(word)).length
  }
  const seen = await withAny(powers, asking, { words, most: SHOWN })
  return seen.filter((one) => hits(one) > 0).toSorted((one, other) => hits(other) - hits(one))
}

/** Candidates for these words, best first, without those that this sink may not show. */
async function withAny(
  powers: NumberedPorts & StoreOf<FactStore>,
  asking: Asking,
  { words, most }: { readonly words: string; readonly most: number },
): Promise<readonly EntryView[]> {
  const wanted = indexWords(words)
  const line = powers.policy().sinks.find(({ id }) => id === asking.sink)
  if (wanted.length === 0 || line === undefined) return []
  const asked = receive({ words: [...wanted], span: null }, ownerWords(asking.sink, line.level))
  const finder = { principal: asking.principal, may: () => true }
  const seen: EntryView[] = []
  for (const { fact } of await findFacts(powers, finder, { asked, most })) {
    const one = await numbered(powers, asking, factOf(fact))
    if (one.ok) seen.push(one.value)
  }
  return seen
}

/** Maximum facts that are opened to find one by its words. */
const LOOKED_AT = 32
/** Words for the newest entry. */
const NEWEST = /^(?:that|this)$/i

/** A number; ids are longer. */
const NUMBER = /^\d{1,9}$/
