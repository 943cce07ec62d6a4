/**
 * The owner's name in the directive file: finds its line, and returns the file with another name. Pure.
 * Called by the operations on names and the first questions.
 */

/** Directive file about the owner. */
export const OWNER_FILE = 'USER'
/** Heading in that file for who the owner is. */
export const WHO = '# Who'
const LINE = /^- (?:Name|My name is|Ich heiße):? +(?<name>\S.{0,80}?)\.?$/imu

export function ownerNameIn(text: string): string | null {
  return LINE.exec(text)?.groups?.['name'] ?? null
}

export function withOwnerName(text: string, name: string): string {
  const line = `- Name: ${name}`
  return ownerNameIn(text) === null ? withLine(text, { under: WHO, line }) : text.replace(LINE, () => line)
}

/** Inserted below its heading; if the heading is missing, both are appended. */
export function withLine(
  text: string,
  { under, line }: { readonly under: string; readonly line: string },
): string {
  const lines = text.split('\n')
  const at = lines.indexOf(under)
  return at < 0 ? `${text}\n${under}\n${line}\n` : lines.toSpliced(at + 1, 0, line).join('\n')
}
