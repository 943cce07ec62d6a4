/**
 * Whether a person asks what there is or was, rather than for something to be done: only then may an answer speak of what
 * an earlier message had done as "I sent it" (C-25). By its form: a question mark, or how questions begin, in English and
 * German. Pure; called by synthesize.ts.
 */

const QUESTION =
  /\?\s*$|^\s*(?:(?:and|so|und|also) )?(?:did|do|does|have|has|had|was|were|is|are|what|which|when|where|who|how|why|tell me|remind me|show|list|hast|habe|haben|hat|wurde|war|ist|sind|wann|wo|welche|wer|wie|warum|zeig)(?!\p{L})/iu

export function looksBack(words: string): boolean {
  return QUESTION.test(words)
}
