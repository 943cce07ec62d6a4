/**
 * Gathers the text of a document line by line, with cells of a table side by side, up to a bound. Pure. Called by the readers of office documents.
 */

/** UTF-16 units of a text and a title: with the escapes of JSON it fits the line that the process prints. And the most slides, sheets and columns read. */
export const OFFICE_TEXT = Object.freeze({ all: 30_000, title: 300, slides: 500, sheets: 50, columns: 256 })

export interface Lines {
  add(text: string): void
  /** Ends a line; inside of a cell it becomes a space. */
  end(): void
  openCell(): void
  closeCell(): void
  closeRow(): void
  /** Enough has been gathered. */
  isFull(): boolean
  text(): string
}

export function createLines(): Lines {
  const done: string[] = []
  let line = ''
  let length = 0
  let depth = 0
  const close = (): void => {
    const text = line.trimEnd()
    // At most one empty line in a row.
    if (text !== '' || (done.length > 0 && done.at(-1) !== '')) done.push(text)
    length += text.length + 1
    line = ''
  }
  return {
    add(text) {
      line += plain(text)
    },
    end() {
      if (depth === 0) close()
      else if (!/\s$/.test(line)) line += ' '
    },
    openCell() {
      depth += 1
    },
    closeCell() {
      depth = Math.max(0, depth - 1)
      line = `${line.replace(/ +$/, '')}\t`
    },
    closeRow() {
      if (depth === 0) close()
    },
    isFull: () => length + line.length >= OFFICE_TEXT.all,
    text: () => [...done, line.trimEnd()].join('\n').trim(),
  }
}

/** Replaces control characters, which JSON escapes would expand beyond the output limit. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text has
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ').replaceAll('\n', ' ')
}
