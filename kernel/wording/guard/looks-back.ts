/**
 * Whether a person asks about the past or present instead of requesting an action. Only then may an answer report an earlier
 * message's action as "I sent it" (C-25). By form: a question mark, or the start of a question, in English and German. Pure;
 * called by synthesize.ts.
 */

const QUESTION =
  /\?\s*$|^\s*(?:(?:and|so|und|also) )?(?:did|do|does|have|has|had|was|were|is|are|what|which|when|where|who|how|why|tell me|remind me|show|list|hast|habe|haben|hat|wurde|war|ist|sind|wann|wo|welche|wer|wie|warum|zeig)(?!\p{L})/iu

export function looksBack(words: string): boolean {
  return QUESTION.test(words)
}
