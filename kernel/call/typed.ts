/**
 * The words of a message as they were typed, to tell what its owner wrote from what somebody made of it. Pure. Called by
 * destination.ts, disclosure.ts and literals.ts.
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

/** Whether a text is a piece of what was said, character by character, that begins and ends where a word does, in any script. */
export function isSpanOf(said: string, text: string): boolean {
  const edges = new Set([said.length, ...[...WORDS.segment(said)].map(({ index }) => index)])
  for (let at = said.indexOf(text); at !== -1; at = said.indexOf(text, at + 1))
    if (edges.has(at) && edges.has(at + text.length)) return true
  return false
}

const WORDS = new Intl.Segmenter('und', { granularity: 'word' })

function phraseOf(text: string): string {
  return ` ${typedWords(text).map(bareWord).join(' ')} `
}
