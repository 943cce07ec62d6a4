/**
 * Characters that people cannot see or that change what they see: control, bidirectional, zero-width and tag characters.
 * Removed from answers; shown on approval cards by visible.ts. Pure text; called by the output guard.
 */

/** Control, format and default-ignorable characters and the two separators, except tab and newline. */
const HIDDEN = /(?![\n\t])(?:\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029])/gu

export function removeHidden(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(HIDDEN, '')
}
