/** A typed text as it is compared with sentences: straight apostrophes, single spaces, no mark at its end. Pure; must not decide what is meant. Called by what reads messages. */
import { languageIn } from './languages.ts'

/** As typed, but for apostrophes and spaces. */
export function spaced(text: string): string {
  return text.trim().replaceAll('’', "'").replace(/\s+/g, ' ')
}

/** In lower case, and without the marks at its end. */
export function bareSentence(text: string): string {
  return spaced(text.toLowerCase()).replace(/(?<![\s?!.])[\s?!.]+$/, '')
}

const SHORT =
  /\b(?:(?:do|does|did|ca|wo|is|are|was|were|has|have|had|could|would|should)n(?=t\b)|(?:what|where|who|when|how|that|there|let)(?=s\b)|(?:i|you|we|they)(?=ve\b)|(?:^|[,.;!] |\b(?:when|if|that|because|and|but) )i(?=m [a-z]))/gi

/** With the apostrophes that English short forms have. "Im" is also German. */
export function apostrophed(text: string): string {
  return languageIn(text.replace(/\bim\b/gi, ' '), 1) === 'de' ? text : text.replace(SHORT, "$&'")
}
