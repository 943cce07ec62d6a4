/**
 * The output guard on a whole text (DESIGN §3; C-24, C-25, N-32, E-18, F-03): only links that were read; no secrets, internal
 * names or prompt lines; true statements on identity and actions; no imitation of kernel questions. Pure; must not know labels.
 * Called for every answer (synthesize.ts) and reply (guarded-answer.ts); deliver.ts checks all outgoing text again.
 */

import { endAtWord, noteOf } from '../note.ts'
import { MAX_ANSWER } from '../output.ts'
import { wordsFor } from '../words.ts'
import { createGuardStream } from './stream.ts'
import type { GuardContext } from './unit.ts'

/** The text that may be sent; empty if nothing remains. */
export function guardAnswer(text: string, context: GuardContext): string {
  const stream = createGuardStream(context)
  return (stream.push(text) + stream.end()).trim()
}

/**
 * The guarded answer within its maximum length; empty if nothing remains. `cut`: the
 * model's own output was truncated. `max`: UTF-16 units before the note that says so.
 */
export function tellAnswer(text: string, context: GuardContext, cut: boolean, max = MAX_ANSWER): string {
  // Shortened before the guard, so that it sees the last word as it will be sent, and again after it, because the guard's marks
  // take room.
  const guarded = guardAnswer(endAtWord(text, max, true), context)
  const kept = endAtWord(guarded, max)
  const isCut = cut || text.length > max || kept !== guarded
  return isCut && kept !== '' ? `${kept}\n\n${noteOf(wordsFor('answer_cut'))}` : kept
}

const QUESTION =
  /\?\s*$|^\s*(?:(?:and|so|und|also) )?(?:did|do|does|have|has|had|was|were|is|are|what|which|when|where|who|how|why|tell me|remind me|show|list|hast|habe|haben|hat|wurde|war|ist|sind|wann|wo|welche|wer|wie|warum|zeig)(?!\p{L})/iu

export function looksBack(words: string): boolean {
  return QUESTION.test(words)
}
