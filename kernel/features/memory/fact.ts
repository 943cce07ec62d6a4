/**
 * Opens one remembered fact: as saved, or as an entry merged from several (B-19). Keeps the label and taint of its
 * row. Must not choose who may read it. Called by memory-search.ts, recollection.ts, entries.ts and consolidate.ts.
 */
import { derive, type Labeled } from '../../flow/labeled.ts'
import { ok, type Result } from '../../flow/verdict.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import { ENTRY, entryText, type FactEntry, readEntry } from '../../task/fact-entry.ts'
import type { Fact } from './port.ts'

/** Refusals: those of a sealed row. */
export async function openEntry(
  powers: SealedReading,
  { id, ref, at }: Pick<Fact, 'id' | 'ref' | 'at'>,
): Promise<Result<Labeled<FactEntry>>> {
  const text = await openTextOf(powers, ref)
  return text.ok ? ok(derive(text.value, (words) => readEntry({ id, text: words, at }))) : text
}

/** Opens the fact as text. */
export async function openFact(
  powers: SealedReading,
  fact: Pick<Fact, 'id' | 'ref' | 'at'>,
): Promise<Result<Labeled<string>>> {
  const entry = await openEntry(powers, fact)
  return entry.ok ? ok(derive(entry.value, entryText)) : entry
}

/** Whether it is a merged entry. */
export function isEntry({ id }: Pick<Fact, 'id'>): boolean {
  return id.startsWith(ENTRY)
}

/** Prefix of ids of entries from the edge: no id made at home contains a slash. */
export const EDGE_PREFIX = 'open/'
