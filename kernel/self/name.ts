/**
 * Restricts names that others chose, such as a server's, a chat's or a job's (M-10): they appear in every prompt of the
 * owner's, so that a sentence must not pass as a name. Pure. Called by snapshot.ts.
 */

/** UTF-16 units. */
const MAX_NAME = 40
/** Maximum UTF-16 units of a line of the owner's own text. */
const MAX_LINE = 200

/** At most 40 letters, digits, spaces, `_`, `.` and `-`; `unnamed` if nothing remains. */
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

/** One line of the owner's text, without control characters or anything that could open a section of a prompt. */
export function lineFrom(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/[[\]{}]/g, '')
    .trim()
    .slice(0, MAX_LINE)
}
