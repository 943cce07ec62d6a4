/**
 * Normalises a typed text for comparison with sentences: straight apostrophes, single spaces, no
 * punctuation at its end. Pure; must not decide what is meant. Called by readers of messages.
 */
import { languageIn } from './languages.ts'

/** As typed, except for apostrophes and spaces. */
export function spaced(text: string): string {
  return text.trim().replaceAll('’', "'").replace(/\s+/g, ' ')
}

/** In lower case, without punctuation at its end. */
export function bareSentence(text: string): string {
  return spaced(text.toLowerCase()).replace(/(?<![\s?!.])[\s?!.]+$/, '')
}

const SHORT =
  /\b(?:(?:do|does|did|ca|wo|is|are|was|were|has|have|had|could|would|should)n(?=t\b)|(?:what|where|who|when|how|that|there|let)(?=s\b)|(?:i|you|we|they)(?=ve\b)|(?:^|[,.;!] |\b(?:when|if|that|because|and|but) )i(?=m [a-z]))/gi

/** Adds the apostrophes of English contractions. "Im" is also a German word. */
export function apostrophed(text: string): string {
  return languageIn(text.replace(/\bim\b/gi, ' '), 1) === 'de' ? text : text.replace(SHORT, "$&'")
}
