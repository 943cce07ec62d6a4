/** The words of messages for training, each read once: its times cost more than all else. Must not train. Called by table.ts and parts.ts. */
import { createZone } from '../../integrations/dates/zone.ts'
import { type Reading, tokensOf } from '../../integrations/extractors/learned/tokens.ts'

/** Sunday 22 November 2026: times in messages are read as times, whichever they are. */
const MOMENT = { now: Date.parse('2026-11-22T09:00:00Z'), zone: createZone('Europe/Berlin') }
const read = new Map<string, Reading>()

/** `words`: those of all sentences, the same for all. */
export function readOnce(text: string, words: ReadonlySet<string>): Reading {
  const known = read.get(text) ?? tokensOf(text, words, MOMENT)
  read.set(text, known)
  return known
}
