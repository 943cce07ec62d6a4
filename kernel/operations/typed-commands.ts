/**
 * Rewrites commands in a text for the owner to run through npm: `pfar grants` of a checkout is `npm run pfar -- grants`.
 * Must not change anything else. Pure. Called by the edge's sender for the product's own words, and for the output of home.
 */
const COMMAND = /(?<![\w./-])pfar (-{0,2}[a-z]+)/g

/** `isCommand`: whether a word is the first word of a command; by default every word is, as in the product's own words. */
export function typedByNpm(text: string, isCommand: (word: string) => boolean = () => true): string {
  return text.replaceAll(COMMAND, (whole, word: string) =>
    isCommand(word) ? `npm run pfar -- ${word}` : whole,
  )
}
