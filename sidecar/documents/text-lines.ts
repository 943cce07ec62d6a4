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
  /** `times`: of a cell or a row that stands for so many of the same; an empty row is one. */
  closeCell(times?: number): void
  closeRow(times?: number): void
  /** The line has begun. */
  hasText(): boolean
  /** Enough has been gathered. */
  isFull(): boolean
  text(): string
}

export function createLines(): Lines {
  const done: string[] = []
  let line = ''
  let length = 0
  /** Where each open cell begins in the line. */
  const cells: number[] = []
  /** No more than fit. */
  const fitting = (times: number, of: number): number =>
    Math.max(1, Math.min(times, Math.ceil(OFFICE_TEXT.all / of)))
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
      if (cells.length === 0) close()
      else if (!/\s$/.test(line)) line += ' '
    },
    openCell() {
      cells.push(line.length)
    },
    closeCell(times = 1) {
      const start = cells.pop() ?? line.length
      line = `${line.replace(/ +$/, '')}\t`
      const cell = line.slice(Math.min(start, line.length - 1))
      line += cell.repeat(fitting(times, cell.length) - 1)
    },
    closeRow(times = 1) {
      if (cells.length > 0) return
      const row = line
      const count = row.trim() === '' ? 1 : fitting(times, row.length)
      for (let at = 0; at < count; at += 1) {
        line = row
        close()
      }
    },
    hasText: () => line.trim() !== '',
    isFull: () => length + line.length >= OFFICE_TEXT.all,
    text: () => [...done, line.trimEnd()].join('\n').trim(),
  }
}

/** Replaces control characters, which JSON escapes would expand beyond the output limit. */
export function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no text has
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' ').replaceAll('\n', ' ')
}
