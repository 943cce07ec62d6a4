/**
 * Characters that people cannot see or that change what they see: control, bidirectional, zero-width and tag
 * characters. Removed from answers, made visible on approval cards. Pure text; called by guard.ts and card.ts.
 */

/** Control, format and default-ignorable characters and the two separators; tab and newline stay. */
const HIDDEN = /(?![\n\t])(?:\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}|[\u2028\u2029])/gu

export function removeHidden(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(HIDDEN, '')
}

/** `U+202E` for each, so that what was shown is what runs and nothing reads otherwise than it is. */
export function showHidden(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const point = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `⟨U+${point}⟩`
  })
}
