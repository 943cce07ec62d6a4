/**
 * Caches the tokens of training messages, since reading their dates costs more than all else. Must not train. Called by table.ts
 * and parts.ts.
 */
import { createZone } from '../../integrations/dates/zone.ts'
import { type Reading, tokensOf } from '../../integrations/extractors/learned/tokens.ts'

/** Sunday 22 November 2026. Any moment would do: training only needs to know which words are a time. */
const MOMENT = { now: Date.parse('2026-11-22T09:00:00Z'), zone: createZone('Europe/Berlin') }
const read = new Map<string, Reading>()

/** `words`: words of all sentences; must be the same in every call, since the cache ignores it. */
export function readOnce(text: string, words: ReadonlySet<string>): Reading {
  const known = read.get(text) ?? tokensOf(text, words, MOMENT)
  read.set(text, known)
  return known
}
