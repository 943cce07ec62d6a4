/** Cuts a long text into parts, between lines where it can. Pure. Called by the tools that read files. */

/** The parts of a text of at most so many units, cut between lines where one ends in its second half. Never empty. */
export function pagesOf(text: string, most: number): readonly string[] {
  const pages: string[] = []
  let rest = text
  while (rest.length > most) {
    const line = rest.lastIndexOf('\n', most)
    const at = line > most / 2 ? line : withoutHalf(rest, most)
    pages.push(rest.slice(0, at))
    rest = rest.slice(line > most / 2 ? at + 1 : at)
  }
  return [...pages, rest]
}

/** Never inside a surrogate pair. */
export function withoutHalf(text: string, at: number): number {
  return /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) ? at - 1 : at
}
