/**
 * Small office documents, whole and hostile, written by hand: a ZIP file (PKWARE APPNOTE 6.3) of XML parts as Word, Excel, PowerPoint, LibreOffice and
 * Google's exports write them. For tests of who reads them.
 */
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipPart {
  readonly name: string
  readonly data: string | Uint8Array
  /** Size that its directory says, where that is not so. */
  readonly says?: number
  readonly stored?: boolean
  readonly encrypted?: boolean
}

export function zipOf(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, data, says, stored = false, encrypted = false } of parts) {
    const plain = Buffer.from(data)
    const packed = stored ? plain : deflateRawSync(plain)
    const title = Buffer.from(name)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(encrypted ? 1 : 0, 2)
    head.writeUInt16LE(stored ? 0 : 8, 4)
    head.writeUInt32LE(crc32(plain), 10)
    head.writeUInt32LE(packed.length, 14)
    head.writeUInt32LE(says ?? plain.length, 18)
    head.writeUInt16LE(title.length, 22)
    locals.push(Buffer.from('PK\u0003\u0004', 'latin1'), head, title, packed)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(at, 10)
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), head, tail, title)
    at += 30 + title.length + packed.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(parts.length, 4)
  end.writeUInt16LE(parts.length, 6)
  end.writeUInt32LE(index.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...locals, index, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const MAIN = 'application/vnd.openxmlformats-officedocument'

function types(part: string, type: string): ZipPart {
  return {
    name: '[Content_Types].xml',
    data: `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="${MAIN}.${type}.main+xml"/></Types>`,
  }
}

function core(title: string): ZipPart {
  return {
    name: 'docProps/core.xml',
    data: `${XML}<cp:coreProperties xmlns:cp="x" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title><dc:creator>A</dc:creator></cp:coreProperties>`,
  }
}

/** `body`: XML inside of `w:body`. */
export function docx(
  body: string,
  { title = '', part = 'word/document.xml', more = [] as readonly ZipPart[] } = {},
): Buffer {
  return zipOf([
    types(part, 'wordprocessingml.document'),
    core(title),
    { name: part, data: `${XML}<w:document ${W}><w:body>${body}<w:sectPr/></w:body></w:document>` },
    ...more,
  ])
}

/** A paragraph of Word, in one run. */
export const wordP = (text: string): string =>
  `<w:p w:rsidR="00A1"><w:pPr><w:pStyle w:val="Normal"/></w:pPr><w:r><w:rPr><w:lang w:val="en-GB"/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

export interface SheetInput {
  readonly name: string
  /** XML of its rows. */
  readonly rows: string
  readonly state?: string
  /** XML before them. */
  readonly columns?: string
}

export function xlsx(
  sheets: readonly SheetInput[],
  {
    shared = [] as readonly string[],
    formats = '',
    cells = '<xf numFmtId="0"/>',
    book = '',
    more = [] as readonly ZipPart[],
  } = {},
): Buffer {
  const rel = (id: number, target: string): string =>
    `<Relationship Id="rId${id}" Type="t" Target="${target}"/>`
  const named = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" ${state === undefined ? '' : `state="${state}" `}r:id="rId${at + 1}"/>`,
  )
  return zipOf([
    types('xl/workbook.xml', 'spreadsheetml.sheet'),
    {
      name: 'xl/workbook.xml',
      data: `${XML}<workbook xmlns:r="r">${book}<sheets>${named.join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: `${XML}<Relationships>${sheets.map((_, at) => rel(at + 1, `worksheets/sheet${at + 1}.xml`)).join('')}${rel(91, 'sharedStrings.xml')}${rel(92, '/xl/styles.xml')}</Relationships>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      data: `${XML}<sst>${shared.map((one) => `<si>${one}</si>`).join('')}</sst>`,
    },
    {
      name: 'xl/styles.xml',
      data: `${XML}<styleSheet><numFmts>${formats}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${cells}</cellXfs></styleSheet>`,
    },
    ...sheets.map(({ rows, columns = '' }, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      data: `${XML}<worksheet>${columns}<sheetData>${rows}</sheetData></worksheet>`,
    })),
    ...more,
  ])
}

/** `slides`: XML inside of each slide, with what stands on its element. */
export function pptx(slides: readonly (readonly [inside: string, on?: string])[]): Buffer {
  const rel = slides.map((_, at) => `<Relationship Id="rId${at + 9}" Target="slides/slide${at + 1}.xml"/>`)
  return zipOf([
    types('ppt/presentation.xml', 'presentationml.presentation'),
    core('Quarter'),
    {
      name: 'ppt/presentation.xml',
      data: `${XML}<p:presentation xmlns:r="r"><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 9}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    },
    { name: 'ppt/_rels/presentation.xml.rels', data: `${XML}<Relationships>${rel.join('')}</Relationships>` },
    ...slides.map(([inside, on = ''], at) => ({
      name: `ppt/slides/slide${at + 1}.xml`,
      data: `${XML}<p:sld ${on}><p:cSld>${inside}</p:cSld></p:sld>`,
    })),
  ])
}

export function openDocument(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  title = '',
): Buffer {
  return zipOf([
    { name: 'mimetype', data: `application/vnd.oasis.opendocument.${kind}`, stored: true },
    {
      name: 'content.xml',
      data: `${XML}<office:document-content><office:automatic-styles><style:style style:name="P1"/></office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    },
    {
      name: 'meta.xml',
      data: `${XML}<office:document-meta><office:meta><dc:title>${title}</dc:title></office:meta></office:document-meta>`,
    },
  ])
}

/** A calendar file. `lines`: of its event. */
export function icsOf(
  lines: readonly string[],
  { method = 'REQUEST', before = [] as readonly string[] } = {},
): string {
  return [
    ...[
      'BEGIN:VCALENDAR',
      'PRODID:-//Example//EN',
      'VERSION:2.0',
      ...(method === '' ? [] : [`METHOD:${method}`]),
    ],
    ...[...before, 'BEGIN:VEVENT', 'UID:1@example.org', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''],
  ].join('\r\n')
}
