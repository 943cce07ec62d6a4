/**
 * The words of a message as they were typed, to tell what its owner wrote from what somebody made of it. Pure. Called by
 * destination.ts and literals.ts.
 */

/** Words as typed: what stands between spaces. */
export function typedWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** Without the punctuation around it: `<tom@new.example>,` is `tom@new.example`. */
export function bareWord(word: string): string {
  return word.replace(/^[<("'[]+|[>)"'\].,;:!?]+$/g, '')
}

/** Whether a text stands in what was said as whole words, one after another; punctuation around a word is none of it. */
export function standsIn(said: string, text: string): boolean {
  const wanted = phraseOf(text)
  return wanted.trim() !== '' && phraseOf(said).includes(wanted)
}

function phraseOf(text: string): string {
  return ` ${typedWords(text).map(bareWord).join(' ')} `
}
