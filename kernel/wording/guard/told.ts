/**
 * A model's text as it is sent: guarded, limited to the maximum length, with a note if it is cut (B-37, C-23). The kernel
 * enforces the limit, since a model may ignore it, and writes the note, which no model can imitate (note.ts). Pure. Called by
 * synthesize.ts for answers and reply.ts for replies.
 */
import { endAtWord, noteOf } from '../note.ts'
import { MAX_ANSWER } from '../output.ts'
import { wordsFor } from '../words.ts'
import { guardAnswer } from './answer.ts'
import type { GuardContext } from './unit.ts'

/** Empty if nothing remains. `cut`: the model's own output was truncated. */
export function tellAnswer(text: string, context: GuardContext, cut: boolean): string {
  // Limited before the guard, which then sees the last word as it will be sent, and again after it, because its marks need
  // room.
  const guarded = guardAnswer(endAtWord(text, MAX_ANSWER, true), context)
  const kept = endAtWord(guarded, MAX_ANSWER)
  const isCut = cut || text.length > MAX_ANSWER || kept !== guarded
  return isCut && kept !== '' ? `${kept}\n\n${noteOf(wordsFor('answer_cut'))}` : kept
}
