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
  /** Styles of sheets that are not shown, and the style that is being read. */
  readonly unseen: Set<string>
  style: string
  /** Per open table: its columns that are not shown, how many there are so far, and the column of the next cell. */
  readonly tables: { readonly hidden: Set<number>; columns: number; next: number }[]
  /** Outermost element that is not shown, and how many of its name are open. */
  hidden: { readonly name: string; depth: number } | null
  pages: number
  sheets: number
}

function contentText(
  xml: string,
  kind: OfficeText['kind'],
): { readonly text: string; readonly pages: number } {
  const at: Reading = {
    ...{ lines: createLines(), silent: 0, open: 0, cells: [], rows: [], pages: 0, sheets: 0 },
    ...{ unseen: new Set(), style: '', tables: [], hidden: null },
  }
  readXmlEvents(
    xml,
    {
      open(name, of) {
        if (name === 'style') at.style = of('family') === 'table' ? of('name') : ''
        if (name === 'table-properties' && of('display') === 'false') at.unseen.add(at.style)
        if (SILENT.has(name)) at.silent += 1
        if (at.hidden?.name === name) at.hidden.depth += 1
        else if (at.hidden === null && isUnseen(at, name, of)) {
          at.hidden = { name, depth: 1 }
          at.silent += 1
        }
        if (at.silent === 0) opened(at, name, of, kind)
      },
      close(name) {
        if (at.silent === 0) closed(at, name)
        if (SILENT.has(name)) at.silent -= 1
        if (at.hidden?.name === name) at.hidden.depth -= 1
        if (at.hidden?.depth !== 0) return
        at.hidden = null
        at.silent -= 1
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

const CELLS: ReadonlySet<string> = new Set(['table-cell', 'covered-table-cell'])
const COLLAPSED: ReadonlySet<string> = new Set(['collapse', 'filter'])

/** A sheet, a row, a group of rows, or a cell whose columns are all not shown, or beyond those that are read. */
function isUnseen(at: Reading, name: string, of: (attribute: string) => string): boolean {
  if (at.silent > 0) return false
  if (name === 'table') return at.unseen.has(of('style-name'))
  if (name === 'table-row') return COLLAPSED.has(of('visibility'))
  if (name === 'table-row-group') return of('display') === 'false'
  if (!CELLS.has(name)) return false
  const seen = seenColumns(at, of)
  if (seen > 0) at.cells.push(seen)
  return seen === 0
}

/** Moves on to the next cell. How many columns the cell stands for that are shown and read. */
function seenColumns({ tables }: Reading, of: (attribute: string) => string): number {
  const count = Number(of('number-columns-repeated')) || 1
  const table = tables.at(-1)
  if (table === undefined) return Math.min(count, OFFICE_TEXT.columns)
  const first = table.next
  table.next += count
  let seen = 0
  for (let at = first; at < Math.min(first + count, OFFICE_TEXT.columns); at += 1)
    if (!table.hidden.has(at)) seen += 1
  return seen
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
    case 'table-column':
      columnOpened(at, of)
      return
    case 'table':
      at.tables.push({ hidden: new Set(), columns: 0, next: 0 })
      if (kind !== 'spreadsheet' || at.sheets >= OFFICE_TEXT.sheets) return
      at.sheets += 1
      lines.end()
      if (at.sheets > 1 || of('name') !== '') lines.add(`Sheet: ${of('name')}`)
      lines.end()
      return
    case 'table-cell':
    case 'covered-table-cell':
      lines.openCell()
      return
    case 'table-row':
      at.rows.push(Number(of('number-rows-repeated')) || 1)
      for (const table of at.tables.slice(-1)) table.next = 0
  }
}

function columnOpened({ tables }: Reading, of: (attribute: string) => string): void {
  const table = tables.at(-1)
  if (table === undefined) return
  const first = table.columns
  table.columns += Number(of('number-columns-repeated')) || 1
  if (!COLLAPSED.has(of('visibility'))) return
  for (let at = first; at < Math.min(table.columns, OFFICE_TEXT.columns); at += 1) table.hidden.add(at)
}

function closed(at: Reading, name: string): void {
  const { lines } = at
  if (name === 'p' || name === 'h') {
    at.open = Math.max(0, at.open - 1)
    lines.end()
  }
  // Equal neighbours are stored as one: each is a value, and empty ones keep the place of those behind them.
  if (CELLS.has(name)) lines.closeCell(at.cells.pop())
  if (name === 'table-row') lines.closeRow(at.rows.pop())
  if (name === 'table') at.tables.pop()
}
