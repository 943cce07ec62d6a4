/**
 * Removes headings without content from the text for a prompt (O-08). The stored text stays as the owner wrote it. Pure text;
 * called by file.ts.
 */

interface Section {
  /** 0 for text before the first heading. */
  readonly level: number
  readonly lines: readonly string[]
}

const HEADING = /^(#{1,6})\s+\S/
const CODE = /^\s*(?:```|~~~)/
const LEVELS = 7

/** Idempotent. The result is never longer than the input. */
export function withoutEmptySections(text: string): string {
  const kept: Section[] = []
  /** Per level: whether a later heading of that level was retained and would count as content of an earlier one. */
  const below = new Array<boolean>(LEVELS).fill(false)
  for (const section of sectionsOf(text).toReversed()) {
    const { level, lines } = section
    const holds = level === 0 || lines.slice(1).some((line) => line.trim() !== '')
    const stays = holds || below.slice(level + 1).includes(true)
    below.fill(false, level + 1)
    if (!stays) continue
    below[level] = true
    kept.push(section)
  }
  return kept
    .toReversed()
    .flatMap(({ lines }) => lines)
    .join('\n')
    .trim()
}

function sectionsOf(text: string): readonly Section[] {
  const sections: { level: number; lines: string[] }[] = [{ level: 0, lines: [] }]
  let inCode = false
  for (const line of text.split('\n')) {
    if (CODE.test(line)) inCode = !inCode
    const heading = inCode ? null : HEADING.exec(line)
    if (heading === null) sections.at(-1)?.lines.push(line)
    else sections.push({ level: heading[1]?.length ?? 1, lines: [line] })
  }
  return sections
}
