/**
 * Text and title of an OpenDocument file (OASIS OpenDocument 1.3, part 3): texts, tables and slides. Comments, tracked changes and hidden parts are not
 * read. Called by office-text.ts, in the process of document-child.ts.
 */
import { elementText, type OfficeParts, type OfficeText } from './office-parts.ts'
import { createLines, type Lines, OFFICE_TEXT } from './text-lines.ts'
import { readXmlEvents } from './xml-events.ts'

const TYPES: readonly (readonly [RegExp, OfficeText['kind']])[] = [
  [/^application\/vnd\.oasis\.opendocument\.text(?:-template|-master)?$/, 'document'],
  [/^application\/vnd\.oasis\.opendocument\.spreadsheet(?:-template)?$/, 'spreadsheet'],
  [/^application\/vnd\.oasis\.opendocument\.presentation(?:-template)?$/, 'presentation'],
]

/** Elements whose text is not on the page. */
const SILENT: ReadonlySet<string> = new Set([
  ...['annotation', 'tracked-changes', 'hidden-text', 'hidden-paragraph', 'scripts', 'automatic-styles'],
  ...['font-face-decls', 'forms', 'note-citation', 'notes', 'desc'],
])
/** Spaces that stand for many. */
const MOST_SPACES = 16

/** Null for what is none. Throws for one that is damaged. */
export async function openDocumentText(parts: OfficeParts): Promise<OfficeText | null> {
  if (!parts.names.includes('mimetype')) return null
  const type = (await parts.text('mimetype')).trim()
  const kind = TYPES.find(([known]) => known.test(type))?.[1]
  if (kind === undefined) return null
  const title = elementText(await parts.text('meta.xml'), 'title')
  const { text, pages } = contentText(await parts.text('content.xml'), kind)
  return { kind, title, text, ...(kind === 'presentation' && { pages }) }
}

interface Reading {
  readonly lines: Lines
  silent: number
  /** Paragraphs that are open. */
  open: number
  /** How many cells and rows each open one stands for. */
  readonly cells: number[]
  readonly rows: number[]
  pages: number
  sheets: number
}

function contentText(
  xml: string,
  kind: OfficeText['kind'],
): { readonly text: string; readonly pages: number } {
  const at: Reading = {
    ...{ lines: createLines(), silent: 0, open: 0, cells: [], rows: [], pages: 0, sheets: 0 },
  }
  readXmlEvents(
    xml,
    {
      open(name, of) {
        if (SILENT.has(name)) at.silent += 1
        if (at.silent === 0) opened(at, name, of, kind)
      },
      close(name) {
        if (at.silent === 0) closed(at, name)
        if (SILENT.has(name)) at.silent -= 1
      },
      text(text) {
        if (at.silent > 0 || at.open === 0) return
        at.lines.add(text.replace(/\s+/g, ' '))
      },
    },
    at.lines.isFull,
  )
  return { text: at.lines.text(), pages: at.pages }
}

function opened(
  at: Reading,
  name: string,
  of: (attribute: string) => string,
  kind: OfficeText['kind'],
): void {
  const { lines } = at
  switch (name) {
    case 'p':
    case 'h':
      at.open += 1
      return
    case 's':
      if (at.open > 0) lines.add(' '.repeat(Math.min(Number(of('c')) || 1, MOST_SPACES)))
      return
    case 'tab':
      if (at.open > 0) lines.add('\t')
      return
    case 'line-break':
      if (at.open > 0) lines.end()
      return
    case 'page':
      at.pages += 1
      lines.end()
      lines.add(`Slide ${at.pages}`)
      lines.end()
      return
    case 'table':
      if (kind !== 'spreadsheet' || at.sheets >= OFFICE_TEXT.sheets) return
      at.sheets += 1
      lines.end()
      if (at.sheets > 1 || of('name') !== '') lines.add(`Sheet: ${of('name')}`)
      lines.end()
      return
    case 'table-cell':
    case 'covered-table-cell':
      at.cells.push(Math.min(Number(of('number-columns-repeated')) || 1, OFFICE_TEXT.columns))
      lines.openCell()
      return
    case 'table-row':
      at.rows.push(Number(of('number-rows-repeated')) || 1)
  }
}

function closed(at: Reading, name: string): void {
  const { lines } = at
  if (name === 'p' || name === 'h') {
    at.open = Math.max(0, at.open - 1)
    lines.end()
  }
  // Equal neighbours are stored as one: each is a value, and empty ones keep the place of those behind them.
  if (name === 'table-cell' || name === 'covered-table-cell') lines.closeCell(at.cells.pop())
  if (name === 'table-row') lines.closeRow(at.rows.pop())
}
