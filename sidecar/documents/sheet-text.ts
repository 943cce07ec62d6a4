/**
 * The shown sheets, rows and columns of a workbook (ECMA-376, 18.2 – 18.8): a line for each row, with tabs between its cells. Values as they were last computed; formulas
 * are neither read nor run. Called by office-text.ts, in the process of document-child.ts.
 */
import { type OfficeParts, relationsOf } from './office-parts.ts'
import { OFFICE_TEXT, plain } from './text-lines.ts'
import { readXmlEvents } from './xml-events.ts'

const DAY = 86_400_000
/** Numbers of formats that are dates without a line of their own (18.8.30). */
const DATE_FORMATS: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 47, 50, 51, 52, 53, 54, 55,
  56, 57, 58,
])
/** `[h]:mm:ss` (18.8.30). */
const DURATION_FORMAT = 46
/** Most shared texts that are kept: more than are ever shown. */
const MOST_SHARED = 200_000
const TRUE: ReadonlySet<string> = new Set(['1', 'true', 'on'])

interface Book {
  readonly shared: readonly string[]
  /** Formats of cells, by their number, that show a date. */
  readonly dates: ReadonlySet<number>
  /** Those that show how long something takes. */
  readonly durations: ReadonlySet<number>
  /** Days count from 1904. */
  readonly late: boolean
}

export async function sheetTexts(parts: OfficeParts, part: string): Promise<string> {
  const related = await relationsOf(parts, part)
  const sheets: { readonly name: string; readonly part: string }[] = []
  let late = false
  readXmlEvents(await parts.text(part), {
    open(name, of) {
      if (name === 'workbookPr') late = TRUE.has(of('date1904'))
      if (name !== 'sheet' || /hidden/i.test(of('state')) || sheets.length >= OFFICE_TEXT.sheets) return
      const target = related.get(of('r:id'))
      if (target !== undefined) sheets.push({ name: of('name'), part: target })
    },
  })
  const named = (end: string): string => [...related.values()].find((one) => one.endsWith(end)) ?? ''
  const book: Book = {
    shared: sharedIn(await parts.text(named('sharedStrings.xml'))),
    ...formatsIn(await parts.text(named('styles.xml'))),
    late,
  }
  const texts: string[] = []
  let left: number = OFFICE_TEXT.all
  for (const sheet of sheets) {
    if (left <= 0) break
    const rows = [...rowsIn(await parts.text(sheet.part), book, left)]
    for (const drawn of (await relationsOf(parts, sheet.part, /\/drawing$/)).values())
      rows.push(...boxesIn(await parts.text(drawn), left))
    const text = [...(sheets.length > 1 ? [`Sheet: ${plain(sheet.name)}`] : []), ...rows].join('\n')
    if (rows.length > 0) texts.push(text)
    left -= text.length
  }
  return texts.join('\n\n')
}

/** Lines of the boxes and shapes that lie over a sheet (20.5). */
function boxesIn(xml: string, most: number): readonly string[] {
  const lines: string[] = []
  const at = { text: false, length: 0, line: '' }
  readXmlEvents(
    xml,
    {
      open(name) {
        if (name === 't') at.text = true
      },
      close(name) {
        if (name === 't') at.text = false
        if (name !== 'p') return
        if (at.line.trim() !== '') lines.push(plain(at.line).trim())
        at.line = ''
      },
      text(piece) {
        if (!at.text) return
        at.line += piece
        at.length += piece.length
      },
    },
    () => at.length >= most,
  )
  return lines
}

/** Without the reading aids of Asian texts. */
function sharedIn(xml: string): readonly string[] {
  const all: string[] = []
  let text = ''
  let aid = 0
  let inside = false
  readXmlEvents(
    xml,
    {
      open(name) {
        if (name === 'si') text = ''
        if (name === 'rPh') aid += 1
        if (name === 't') inside = true
      },
      close(name) {
        if (name === 'si') all.push(plain(text))
        if (name === 'rPh') aid -= 1
        if (name === 't') inside = false
      },
      text(piece) {
        if (inside && aid === 0) text += piece
      },
    },
    () => all.length >= MOST_SHARED,
  )
  return all
}

function formatsIn(xml: string): Pick<Book, 'dates' | 'durations'> {
  const own = new Map<number, 'dates' | 'durations'>()
  const found = { dates: new Set<number>(), durations: new Set<number>() }
  let cells = false
  let at = 0
  readXmlEvents(xml, {
    open(name, of) {
      if (name === 'numFmt') {
        const kind = kindOf(of('formatCode'))
        if (kind !== null) own.set(Number(of('numFmtId')), kind)
      }
      if (name === 'cellXfs') cells = true
      if (name !== 'xf' || !cells) return
      const format = Number(of('numFmtId'))
      const kind =
        own.get(format) ??
        (format === DURATION_FORMAT ? 'durations' : DATE_FORMATS.has(format) ? 'dates' : null)
      if (kind !== null) found[kind].add(at)
      at += 1
    },
    close(name) {
      if (name === 'cellXfs') cells = false
    },
  })
  return found
}

/** Letters of years, days and hours, outside of quoted text, colours and conditions. Hours, minutes or seconds in brackets are counted beyond a day. */
function kindOf(code: string): 'dates' | 'durations' | null {
  const said = code.replace(/"[^"]*"|\\./g, '')
  if (/^[^;]*\[(?:h+|m+|s+)\]/i.test(said)) return 'durations'
  return /[ydhs]/i.test(said.replace(/\[[^\]]*\]/g, '').replace(/general/gi, '')) ? 'dates' : null
}

function rowsIn(xml: string, book: Book, most: number): readonly string[] {
  const rows: string[] = []
  let length = 0
  let cells: string[] = []
  const before = { column: -1, type: '', style: 0, value: '' }
  let cell = before
  let reading = false
  let isHidden = false
  const hidden = new Set<number>()
  readXmlEvents(
    xml,
    {
      open(name, of) {
        if (name === 'col' && TRUE.has(of('hidden')))
          for (let at = Number(of('min')); at <= Math.min(Number(of('max')), OFFICE_TEXT.columns); at += 1)
            hidden.add(at - 1)
        if (name === 'row') {
          ;[cells, cell] = [[], before]
          isHidden = TRUE.has(of('hidden'))
        }
        if (name === 'c')
          cell = {
            ...{ column: columnOf(of('r')) ?? cell.column + 1, type: of('t') },
            ...{ style: Number(of('s')) || 0, value: '' },
          }
        if (name === 'v' || name === 't') reading = true
      },
      close(name) {
        if (name === 'v' || name === 't') reading = false
        if (name === 'c' && cell.column < OFFICE_TEXT.columns) {
          const text = hidden.has(cell.column) ? '' : shownValue(cell, book)
          // Cells that are not there keep their place.
          while (text !== '' && cells.length < cell.column) cells.push('')
          if (text !== '') cells[cell.column] = text
        }
        if (name !== 'row' || cells.length === 0 || isHidden) return
        const row = cells.join('\t')
        length += row.length + 1
        rows.push(row)
      },
      text(piece) {
        if (reading) cell.value += piece
      },
    },
    () => length >= most,
  )
  return rows
}

/** `AB12` is column 27; null for a cell that does not say. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0]
  if (letters === undefined) return null
  return [...letters].reduce((sum, letter) => sum * 26 + (letter.charCodeAt(0) - 64), 0) - 1
}

function shownValue(
  { type, style, value }: { readonly type: string; readonly style: number; readonly value: string },
  { shared, dates, durations, late }: Book,
): string {
  if (type === 's') return shared[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== '' && type !== 'n') return plain(value).trim()
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return ''
  if (durations.has(style)) return durationOf(number)
  // What binary numbers add in their last digits is not what a person sees.
  return dates.has(style) ? dateOf(number, late) : String(Number(number.toPrecision(15)))
}

/** Hours and minutes, of a number of days; seconds where there are any. */
function durationOf(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400)
  if (!Number.isSafeInteger(seconds)) return String(days)
  const two = (value: number): string => String(value).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${days < 0 ? '-' : ''}${hours}:${two(minutes)}${rest === 0 ? '' : `:${two(rest)}`}`
}

/** Days since the end of 1899, with a 29 February 1900 that never was; a time of day alone is below one. */
function dateOf(serial: number, late: boolean): string {
  const start = late ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  const at = start + Math.round((serial * DAY) / 1_000) * 1_000
  if (!(serial >= 0) || !(at < Date.UTC(10_000, 0, 1))) return String(serial)
  const text = new Date(at).toISOString()
  const [day = '', time = ''] = [text.slice(0, 10), text.slice(11, 16)]
  if (serial < 1 && !late) return time
  return time === '00:00' ? day : `${day} ${time}`
}
