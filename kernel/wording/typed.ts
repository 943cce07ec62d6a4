/** A typed text as it is compared with sentences: straight apostrophes, single spaces, no mark at its end. Pure; must not decide what is meant. Called by what reads messages. */

/** As typed, but for apostrophes and spaces. */
export function spaced(text: string): string {
  return text.trim().replaceAll('’', "'").replace(/\s+/g, ' ')
}

/** In lower case, and without the marks at its end. */
export function bareSentence(text: string): string {
  return spaced(text.toLowerCase()).replace(/(?<![\s?!.])[\s?!.]+$/, '')
}
