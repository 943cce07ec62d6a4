/**
 * Makes text safe for a terminal: text from others must not move the cursor, rewrite the scrollback, set the title or
 * reorder a line. Keeps newline and tab. Must not judge meaning: the output guard does that. Called for everything that
 * came over a line before it is printed.
 */

/** C0 except tab and newline, DEL and C1: every escape sequence starts with one of them. */
const CONTROL = /[^\P{Cc}\n\t]/gu

/**
 * Whole colour and cursor sequences, so that no printable rest remains. Longer kinds (titles, links) lose only their
 * control characters: removing up to a terminator would let others hide the text that follows.
 */
const SEQUENCE = new RegExp(`(?:${'\u001b'}\\[|${'\u009b'})[0-?]*[ -/]*[@-~]`, 'g')

/** Bidirectional controls, line and paragraph separators, word joiner, zero-width no-break space, invisible tags. */
const REORDERING =
  /[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** Never longer than its input. Repeating it changes nothing: what it removes cannot be rebuilt from what it keeps. */
export function terminalText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(SEQUENCE, '').replace(CONTROL, '').replace(REORDERING, '')
}

/** Reduced to one line, for facts that are shown beside others. */
export function terminalLine(text: string): string {
  return terminalText(text).replace(/\s+/g, ' ').trim()
}
