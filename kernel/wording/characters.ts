/**
 * Characters that people cannot see or that change what they see: control, bidirectional, zero-width and tag
 * characters. Removed from answers; on approval cards visible.ts shows them. Pure text; called by guard.ts.
 */

/** Control, format and default-ignorable characters and the two separators; tab and newline stay. */
const HIDDEN = /(?![\n\t])(?:\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029])/gu

export function removeHidden(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(HIDDEN, '')
}
