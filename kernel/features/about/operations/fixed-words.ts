/**
 * The common part of the operations about PFAR itself: each answers in fixed words, reads no data and changes nothing. Must not
 * choose the words. Called by the operations beside it.
 */
import { ok } from '../../../flow/verdict.ts'
import type { Telling } from '../../../operations/operation.ts'
import { record } from '../../../operations/shape.ts'

/** An operation that returns the sentence of that name and nothing else. */
export function fixedWords(name: 'about.asking' | 'about.knows' | 'about.places' | 'about.there') {
  return {
    effect: 'read',
    args: {},
    result: record({}),
    ports: [],
    run: async () => ok({}),
    text: (_: unknown, { tell }: Telling) => tell(name),
  } as const
}
