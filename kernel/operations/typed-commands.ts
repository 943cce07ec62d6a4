/**
 * Commands in a text for the owner, as npm takes them: `pfar grants` of a checkout is `npm run pfar -- grants`. Must not change
 * anything but names of commands. Pure. Called by the sender of the edge with the product's own words, and by what home shows.
 */
const COMMAND = /(?<![\w./-])pfar (-{0,2}[a-z]+)/g

/** `isCommand`: of a first word; of the product's own words each is one. */
export function typedByNpm(text: string, isCommand: (word: string) => boolean = () => true): string {
  return text.replaceAll(COMMAND, (whole, word: string) =>
    isCommand(word) ? `npm run pfar -- ${word}` : whole,
  )
}
