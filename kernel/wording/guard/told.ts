/**
 * A model's text as a person is told it: guarded, no longer than its place, and said to be cut where it is (B-37, C-23). The
 * limit is the kernel's, since a model may ignore what it was told; so is the note, which no model can write itself
 * (note.ts). Pure. Called by synthesize.ts for answers and reply.ts for replies.
 */
import { endAtWord, noteOf } from '../note.ts'
import { MAX_ANSWER } from '../output.ts'
import { wordsFor } from '../words.ts'
import { guardAnswer } from './answer.ts'
import type { GuardContext } from './unit.ts'

/** Empty when nothing of it could stay. `cut`: its writer had no room for the rest. */
export function tellAnswer(text: string, context: GuardContext, cut: boolean): string {
  // Before the guard, which then sees what is left of the last word; and after it, as its marks need room.
  const guarded = guardAnswer(endAtWord(text, MAX_ANSWER, true), context)
  const kept = endAtWord(guarded, MAX_ANSWER)
  const isCut = cut || text.length > MAX_ANSWER || kept !== guarded
  return isCut && kept !== '' ? `${kept}\n\n${noteOf(wordsFor('answer_cut'))}` : kept
}
