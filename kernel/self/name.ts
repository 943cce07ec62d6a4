/**
 * Names that others chose, such as a server's, a chat's or a job's, cut to what a name is (M-10): they stand in every
 * prompt of the owner's, so a sentence must not pass for one. Pure. Called by snapshot.ts.
 */

/** UTF-16 units. */
const MAX_NAME = 40
/** Owner's own sentences, UTF-16 units a line. */
const MAX_LINE = 200

/** At most 40 of letters, digits, space, `_`, `.` and `-`; `unnamed` where nothing of it is left. */
export function nameFrom(text: string): string {
  const kept = text
    .normalize('NFKC')
    .replace(/[^A-Za-z0-9 _.-]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .trim()
  return kept === '' ? 'unnamed' : kept
}

/** One line of the owner's own: no control characters, nothing that could open a section of a prompt. */
export function lineFrom(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[[\]{}]/g, '')
    .trim()
    .slice(0, MAX_LINE)
}
