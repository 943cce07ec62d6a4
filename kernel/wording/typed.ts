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

const NOT =
  /(?<![\p{L}'])(do|does|did|ca|wo|is|are|was|were|has|have|had|could|would|should|need)nt(?![\p{L}'])/giu
const SHORT =
  /(?<![\p{L}'])(?:(what|where|who|when|how|that|there|here|let|he|she)(s)|(i|you|we|they)(ve)|(you|they)(re))(?![\p{L}'])/giu
/** "Im" is also German: "im Juli". */
const AM =
  /(?:^|(?<=[,.;!] |(?<!\p{L})(?:when|if|that|because|while|but|and|since|until|ok|hi|hey) ))i(?=m (?!(?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|kalender|postfach|posteingang|ordner|moment|urlaub|sommer|herbst|winter)(?!\p{L}))\p{Ll})/giu

/** With the apostrophes that English short forms have. */
export function apostrophed(text: string): string {
  const short = text
    .replace(NOT, "$1n't")
    .replace(SHORT, (word) => word.replace(/(?:s|ve|re)$/i, (end) => `'${end}`))
  const isGerman = languageIn(text.replace(/(?<!\p{L})im(?!\p{L})/giu, ' '), 1) === 'de'
  return isGerman ? short : short.replace(AM, "$&'")
}
