/**
 * Splits a message into words as typed, to distinguish text the owner wrote from text derived from it. Pure. Called
 * by destination.ts, disclosure.ts and literals.ts.
 */

/** Words separated by spaces. */
export function typedWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}

/** Strips surrounding punctuation: `<tom@new.example>,` becomes `tom@new.example`. */
export function bareWord(word: string): string {
  return word.replace(/^[<("'[]+|[>)"'\].,;:!?]+$/g, '')
}

/** Whether the text occurs in what was said as consecutive whole words, ignoring punctuation around each. */
export function standsIn(said: string, text: string): boolean {
  const wanted = phraseOf(text)
  return wanted.trim() !== '' && phraseOf(said).includes(wanted)
}

/**
 * Whether the text occurs character by character in what was said, starting and ending at word boundaries, in any
 * script.
 */
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
