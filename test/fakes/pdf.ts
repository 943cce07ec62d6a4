/**
 * Small PDFs, whole and hostile, written by hand (ISO 32000-1, 7.5): objects, a table of where each lies, a trailer. For tests of who
 * reads them.
 */
import { deflateSync } from 'node:zlib'

export interface PdfInput {
  /** Text of each page; an empty one has none. */
  readonly pages: readonly string[]
  /** Further objects, after the pages. */
  readonly more?: readonly string[]
  /** Further entries of the catalog. `$n` is the number of the nth of `more`. */
  readonly catalog?: string
  /** Further entries of the trailer. */
  readonly trailer?: string
  /** What its letter `a` means, as hexadecimal digits of UTF-16; itself, where nothing is said. */
  readonly means?: string
  /** Pages that it says it has, where that is not so. */
  readonly count?: number
}

/** Objects before the pages: catalog, list of pages, font. */
const FIRST_PAGE = 4

export function pdfOf({
  pages,
  more = [],
  catalog = '',
  trailer = '',
  count = pages.length,
  means,
}: PdfInput): Buffer {
  const extra = FIRST_PAGE + pages.length * 2
  const numbered = (text: string): string => text.replace(/\$(\d)/g, (_all, n) => String(extra + Number(n)))
  const kids = pages.map((_page, index) => `${FIRST_PAGE + index * 2} 0 R`).join(' ')
  return written(
    [
      `<< /Type /Catalog /Pages 2 0 R ${numbered(catalog)} >>`,
      `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
      `<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${means === undefined ? '' : numbered('/ToUnicode $0 0 R')} >>`,
      ...pages.flatMap((text, index) => pageOf(text, FIRST_PAGE + index * 2 + 1)),
      ...(means === undefined ? [] : [meaningOf(means)]),
      ...more.map(numbered),
    ],
    numbered(trailer),
  )
}

function pageOf(text: string, contents: number): readonly string[] {
  const shown = text.replace(/[\\()]/g, '\\$&')
  const drawn = text === '' ? '' : `BT /F1 12 Tf 72 720 Td (${shown}) Tj ET`
  const box = '/MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >>'
  return [`<< /Type /Page /Parent 2 0 R ${box} /Contents ${contents} 0 R >>`, streamOf(drawn)]
}

function meaningOf(means: string): string {
  const spaces = '1 begincodespacerange <00> <ff> endcodespacerange'
  return streamOf(`begincmap ${spaces} 1 beginbfchar <61> <${means}> endbfchar endcmap`)
}

function streamOf(content: string, entries = ''): string {
  return `<< /Length ${content.length} ${entries} >>\nstream\n${content}\nendstream`
}

function written(objects: readonly string[], trailer: string): Buffer {
  let body = '%PDF-1.7\n'
  const places = objects.map((object, index) => {
    const at = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(at).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`
  const end = `trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${body.length}\n%%EOF\n`
  return Buffer.from(body + table + end, 'latin1')
}

/** That it is locked by a password that nobody gives. */
export function lockedPdf(text: string): Buffer {
  const hex = (byte: string): string => `<${byte.repeat(32)}>`
  return pdfOf({
    pages: [text],
    more: [`<< /Filter /Standard /V 1 /R 2 /O ${hex('5a')} /U ${hex('a5')} /P -4 >>`],
    trailer: `/Encrypt $0 0 R /ID [${hex('01')} ${hex('01')}]`,
  })
}

/** With a script that runs where it is opened, and one that runs where it is shown. */
export function scriptedPdf(text: string, script: string): Buffer {
  return pdfOf({
    pages: [text],
    more: [`<< /Type /Action /S /JavaScript /JS (${script.replace(/[\\()]/g, '\\$&')}) >>`],
    catalog: '/OpenAction $0 0 R /AA << /WC $0 0 R >>',
  })
}

/** Few bytes that unfold to `size`. */
export function bombPdf(size: number): Buffer {
  const unfolded = Buffer.alloc(size, 'BT (x) Tj ET ')
  const content = deflateSync(unfolded, { level: 9 }).toString('latin1')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources << >> /Contents 4 0 R >>',
    streamOf(content, '/Filter /FlateDecode'),
  ]
  return written(objects, '')
}
