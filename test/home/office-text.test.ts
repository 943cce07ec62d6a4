/**
 * Office documents and calendar files by the parsers alone: shapes as programs write them, and what hostile ones do. That they run in a process of their
 * own is document-reader.test.ts's.
 */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invitedEvent } from '../../integrations/extractors/document.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { calendarEvents } from '../../sidecar/documents/calendar-text.ts'
import { OFFICE_BOUNDS, type OfficeText } from '../../sidecar/documents/office-parts.ts'
import { officeText } from '../../sidecar/documents/office-text.ts'
import { OFFICE_TEXT } from '../../sidecar/documents/text-lines.ts'
import { MAX_OUTPUT } from '../../sidecar/process/run-child.ts'
import { docx, icsOf, openDocument, pptx, wordP, xlsx, zipOf } from '../fakes/office.ts'
import { processorTime } from '../kit/processor-time.ts'

const code = (result: Result<unknown>): string => (result.ok ? 'ok' : result.reason.code)
const textOf = async (bytes: Uint8Array): Promise<string> => {
  const read = await officeText(bytes)
  return read.ok ? read.value.text : read.reason.code
}

it.each([
  ['by the ending of all parts', 'xml', true],
  ['by an ending that it does not have', 'bin', false],
])('finds the main part %s, as some programs write it', async (_, ending, isFound) => {
  const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
  const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  const parts = [
    {
      name: '[Content_Types].xml',
      data: `<Types><Default Extension="${ending}" ContentType="${type}"/></Types>`,
    },
    {
      name: '_rels/.rels',
      data: `<Relationships><Relationship Id="r0" Type="http://x.example/metadata/core-properties" Target="docProps/core.xml"/>
<Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="/word/document.xml"/></Relationships>`,
    },
    { name: 'word/document.xml', data: `<w:document ${W}><w:body>${wordP('Here')}</w:body></w:document>` },
  ]
  expect(await textOf(zipOf(parts))).toBe(isFound ? 'Here' : 'field_malformed')
})

describe('a document of Word', () => {
  const run = (text: string, properties = ''): string =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
  const cell = (text: string): string => `<w:tc><w:tcPr/>${wordP(text)}</w:tc>`
  it.each<[what: string, body: string, text: string]>([
    ['paragraphs', wordP('One') + wordP('Two'), 'One\nTwo'],
    [
      'a word in several runs',
      `<w:p>${run('lan')}<w:proofErr w:type="spellStart"/>${run('tern', '<w:b/>')}</w:p>`,
      'lantern',
    ],
    ['entities', wordP('R &amp; D &lt;b&gt; &#8364; &#x20AC;'), 'R & D <b> € €'],
    [
      'a line break and a tab',
      `<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t></w:r></w:p>`,
      'a\nb\tc',
    ],
    [
      'tab stops, which are no tabs',
      `<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr>${run('a')}</w:p>`,
      'a',
    ],
    [
      'a table',
      `<w:tbl><w:tr>${cell('Roof')}${cell('4')}</w:tr><w:tr>${cell('Door')}${cell('5')}</w:tr></w:tbl>`,
      'Roof\t4\nDoor\t5',
    ],
    ['a link', `<w:p><w:hyperlink r:id="rId4">${run('here')}</w:hyperlink></w:p>`, 'here'],
    [
      'a control of a form',
      `<w:sdt><w:sdtPr/><w:sdtContent>${wordP('chosen')}</w:sdtContent></w:sdt>`,
      'chosen',
    ],
    [
      'what was deleted',
      `<w:p>${run('kept')}<w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>`,
      'kept',
    ],
    ['what was inserted', `<w:p><w:ins>${run('new')}</w:ins></w:p>`, 'new'],
    ['the code of a field', `<w:p><w:r><w:instrText>PAGE</w:instrText></w:r>${run('3')}</w:p>`, '3'],
    ['hidden words', `<w:p>${run('seen ')}${run('IGNORE ALL', '<w:vanish/>')}</w:p>`, 'seen'],
    ['words that are not hidden after all', `<w:p>${run('seen', '<w:vanish w:val="0"/>')}</w:p>`, 'seen'],
    [
      'a hidden end of a paragraph',
      `<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr>${run('seen')}</w:p>`,
      'seen',
    ],
    [
      'a drawing and what stands for it',
      `<w:p>${run('a')}<mc:AlternateContent><mc:Choice/><mc:Fallback>${run('b')}</mc:Fallback></mc:AlternateContent></w:p>`,
      'a',
    ],
    [
      'a box of text, and what stands for it in other programs',
      `<w:p>${run('Before')}<w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent>${wordP('In the box')}${wordP('and below')}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>${wordP('In the box')}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent><w:t>behind</w:t></w:r></w:p>${wordP('Next')}`,
      'Before\nIn the box\nand below\nbehind\nNext',
    ],
    [
      'a box of text in the old way, in hidden words',
      `<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:pict><w:txbxContent>${wordP('IGNORE ALL')}</w:txbxContent></w:pict><w:t>hidden too</w:t></w:r>${run('seen')}</w:p>`,
      'seen',
    ],
    [
      'hidden words behind a box that is seen',
      `<w:p><w:r><w:pict><w:txbxContent><w:p>${run('IGNORE', '<w:vanish/>')}${run('box')}</w:p></w:txbxContent></w:pict></w:r>${run('seen')}</w:p>`,
      'box\nseen',
    ],
    ['many empty paragraphs', wordP('a') + wordP('').repeat(50) + wordP('b'), 'a\n\nb'],
    ['right-to-left text and emoji', wordP('שלום 👋'), 'שלום 👋'],
    ['a comment of XML and CDATA', `<!-- no --><w:p><w:r><w:t><![CDATA[a < b]]></w:t></w:r></w:p>`, 'a < b'],
    ['a control character', wordP('a&#7;b'), 'a b'],
  ])('with %s', async (_what, body, text) => expect(await textOf(docx(body))).toBe(text))

  it('with a title, and a main part of another name', async () =>
    expect(
      await officeText(docx(wordP('x'), { title: 'Lease &amp; keys', part: 'word/document2.xml' })),
    ).toEqual({
      ok: true,
      value: { kind: 'document', text: 'x', title: 'Lease & keys' },
    }))

  it('with its notes, and not with what it names besides', async () => {
    const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    const part = (root: string, text: string) =>
      `<w:${root} ${W}><w:note w:type="separator"><w:p><w:r><w:separator/></w:r></w:p></w:note>${wordP(text)}</w:${root}>`
    const relation = (id: string, type: string, target: string, more = '') =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${more}/>`
    const more = [
      { name: 'word/notes-1.xml', data: part('footnotes', 'A note.') },
      { name: 'word/endnotes.xml', data: part('endnotes', 'The end.') },
      { name: 'word/comments.xml', data: part('comments', 'A remark.') },
      {
        name: 'word/_rels/document.xml.rels',
        data: `<Relationships>${relation('1', 'footnotes', 'notes-1.xml')}${relation('2', 'comments', 'comments.xml')}${relation('3', 'endnotes', '/word/endnotes.xml')}${relation('4', 'footnotes', 'https://evil.example/', ' TargetMode="External"')}</Relationships>`,
      },
    ]
    expect(await officeText(docx(wordP('Text'), { more }))).toMatchObject({
      value: { text: 'Text\n\nA note.\n\nThe end.' },
    })
    expect(await officeText(docx('', { more }))).toMatchObject({ value: { text: 'A note.\n\nThe end.' } })
  })

  it('up to the limit', async () => {
    const text = await textOf(docx(wordP('word '.repeat(100)).repeat(500)))
    expect(text.length).toBeLessThanOrEqual(OFFICE_TEXT.all)
    expect(text.length).toBeGreaterThan(OFFICE_TEXT.all - 600)
  })
})

describe('a workbook', () => {
  const cell = (ref: string, value: string, more = ''): string => `<c r="${ref}"${more}><v>${value}</v></c>`
  const row = (...cells: readonly string[]): string => `<row>${cells.join('')}</row>`
  const dates = {
    cells: '<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/><xf numFmtId="171"/>',
    formats:
      '<numFmt numFmtId="170" formatCode="[$-407]d. mmm yyyy\\ hh:mm"/><numFmt numFmtId="171" formatCode="0.00&quot; days&quot;"/>',
  }
  it.each<[what: string, rows: string, text: string, more?: Parameters<typeof xlsx>[1]]>([
    ['numbers', row(cell('A1', '1'), cell('B1', '2.5'), cell('C1', '-3E-2')), '1\t2.5\t-0.03'],
    ['what binary numbers add', row(cell('A1', '0.30000000000000004')), '0.3'],
    [
      'shared texts',
      row(cell('A1', '1', ' t="s"'), cell('B1', '0', ' t="s"')),
      'Roof\tCost',
      { shared: ['<t>Cost</t>', '<r><rPr/><t>Ro</t></r><r><t>of</t></r>'] },
    ],
    [
      'a reading aid',
      row(cell('A1', '0', ' t="s"')),
      '東京',
      { shared: ['<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>'] },
    ],
    ['a text of its own', row('<c r="A1" t="inlineStr"><is><t>here</t></is></c>'), 'here'],
    [
      'the result of a formula',
      row(
        '<c r="A1"><f>SUM(B1:B9)</f><v>42</v></c>',
        '<c r="B1" t="str"><f>A1&amp;""</f><v>forty-two</v></c>',
      ),
      '42\tforty-two',
    ],
    ['truths and errors', row(cell('A1', '1', ' t="b"'), cell('B1', '#DIV/0!', ' t="e"')), 'TRUE\t#DIV/0!'],
    ['gaps', row(cell('C1', '3')) + row(cell('A2', '1')), '\t\t3\n1'.trim()],
    ['rows without places', '<row><c><v>1</v></c><c><v>2</v></c></row>', '1\t2'],
    [
      'a date',
      row(cell('A1', '45987', ' s="1"'), cell('B1', '45987.5625', ' s="2"'), cell('C1', '0.5', ' s="1"')),
      '2025-11-26\t2025-11-26 13:30\t12:00',
      dates,
    ],
    ['a number of days, which is no date', row(cell('A1', '3', ' s="3"')), '3', dates],
    [
      'a date from 1904',
      row(cell('A1', '44525', ' s="1"')),
      '2025-11-26',
      { ...dates, book: '<workbookPr date1904="1"/>' },
    ],
    [
      'durations, which go beyond a day',
      row(cell('A1', '1.5', ' s="1"'), cell('B1', '1.5', ' s="2"'), cell('C1', '-0.0209375', ' s="3"')),
      '36:00\t36:00\t-0:30:09',
      {
        cells:
          '<xf numFmtId="0"/><xf numFmtId="46"/><xf numFmtId="170"/><xf numFmtId="171"/><xf numFmtId="172"/>',
        formats:
          '<numFmt numFmtId="170" formatCode="[h]:mm:ss"/><numFmt numFmtId="171" formatCode="[Red][mm]:ss"/><numFmt numFmtId="172" formatCode="0.00&quot; [h]&quot;"/>',
      },
    ],
    ['a date that cannot be', row(cell('A1', '99999999999', ' s="1"')), '99999999999', dates],
    ['a shared text that is not there', row(cell('A1', '9', ' t="s"'), cell('B1', '1')), '\t1'.trim()],
  ])('with %s', async (_what, rows, text, more) =>
    expect(await textOf(xlsx([{ name: 'One', rows }], more))).toBe(text),
  )

  it('with the sheets that are shown, by their names', async () => {
    const rows = (value: string): string => row(cell('A1', value))
    const book = [
      { name: 'Plan &amp; cost', rows: rows('1') },
      { name: 'Secret', rows: rows('2'), state: 'veryHidden' },
      { name: 'Rest', rows: rows('3') },
    ]
    expect(await textOf(xlsx(book))).toBe('Sheet: Plan & cost\n1\n\nSheet: Rest\n3')
  })

  it('without rows and columns that are hidden', async () => {
    const rows =
      row(cell('A1', '1'), cell('B1', '2'), cell('C1', '3')) +
      `<row hidden="1">${cell('A2', '666')}</row><row hidden="0"><c><v>4</v></c><c><v>666</v></c><c><v>5</v></c></row>`
    const columns = '<cols><col min="2" max="2" hidden="1"/><col min="3" max="16384" width="9"/></cols>'
    expect(await textOf(xlsx([{ name: 'a', rows, columns }]))).toBe('1\t\t3\n4\t\t5')
  })

  it('of a million empty cells is as long as what stands in it', async () => {
    const rows = row(cell('XFD1', '1')) + row(cell('A2', '7')) + '<row/>'.repeat(100_000)
    expect(await textOf(xlsx([{ name: 'a', rows }]))).toBe('7')
  })
})

describe('slides', () => {
  const box = (text: string): string =>
    `<p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
  it('are read in their order, without those that are hidden', async () =>
    expect(
      await officeText(pptx([[box('Hello') + box('World')], [box('no'), 'show="0"'], [box('End')]])),
    ).toEqual({
      ok: true,
      value: {
        kind: 'presentation',
        title: 'Quarter',
        text: 'Slide 1\nHello\nWorld\n\nSlide 3\nEnd',
        pages: 2,
      },
    }))
})

describe('a document of LibreOffice', () => {
  const p = (text: string): string => `<text:p text:style-name="P1">${text}</text:p>`
  it.each<[what: string, kind: 'text' | 'spreadsheet' | 'presentation', body: string, text: string]>([
    [
      'a text',
      'text',
      `<text:h>Roof</text:h>${p('four <text:span>slates</text:span>')}`,
      'Roof\nfour slates',
    ],
    [
      'spaces, tabs and breaks',
      'text',
      p('a<text:s text:c="2"/>b<text:tab/>c<text:line-break/>d'),
      'a  b\tc\nd',
    ],
    ['a list', 'text', `<text:list><text:list-item>${p('one')}</text:list-item></text:list>`, 'one'],
    [
      'a comment and a change',
      'text',
      `<text:tracked-changes>${p('old')}</text:tracked-changes>${p('a<office:annotation><text:p>no</text:p></office:annotation>b')}`,
      'ab',
    ],
    ['hidden words', 'text', p('a<text:hidden-text>IGNORE ALL</text:hidden-text>'), 'a'],
    [
      'a table',
      'text',
      `<table:table><table:table-row><table:table-cell>${p('a')}${p('b')}</table:table-cell><table:table-cell>${p('c')}</table:table-cell></table:table-row></table:table>`,
      'a b\tc',
    ],
    [
      'sheets',
      'spreadsheet',
      `<table:table table:name="Cost"><table:table-row><table:table-cell>${p('Roof')}</table:table-cell><table:table-cell table:number-columns-repeated="2"/><table:table-cell>${p('4')}</table:table-cell><table:table-cell table:number-columns-repeated="16380"/></table:table-row><table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`,
      'Sheet: Cost\nRoof\t\t\t4',
    ],
    [
      'equal neighbours, each of which counts',
      'spreadsheet',
      `<table:table table:name="S"><table:table-row><table:table-cell table:number-columns-repeated="3">${p('7')}</table:table-cell><table:table-cell>${p('total 21')}</table:table-cell></table:table-row><table:table-row table:number-rows-repeated="20"><table:table-cell>${p('again')}</table:table-cell></table:table-row><table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row><table:table-row><table:table-cell>${p('end')}</table:table-cell></table:table-row></table:table>`,
      `Sheet: S\n7\t7\t7\ttotal 21\n${'again\n'.repeat(20)}\nend`,
    ],
    [
      'slides',
      'presentation',
      `<draw:page draw:name="p1"><draw:frame><draw:text-box>${p('Hello')}</draw:text-box></draw:frame><presentation:notes>${p('say it')}</presentation:notes></draw:page>`,
      'Slide 1\nHello',
    ],
  ])('with %s', async (_what, kind, body, text) => expect(await textOf(openDocument(kind, body))).toBe(text))

  it('without sheets, rows and columns that are hidden', async () => {
    const cells = (...texts: readonly string[]): string =>
      texts.map((text) => `<table:table-cell>${p(text)}</table:table-cell>`).join('')
    const styles =
      '<office:automatic-styles><style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>'
    const columns =
      '<table:table-column/><table:table-column table:number-columns-repeated="2" table:visibility="collapse"/><table:table-column table:number-columns-repeated="16381"/>'
    const rows = [
      `<table:table-row>${cells('a', 'HIDDEN', 'HIDDEN', 'b')}</table:table-row>`,
      `<table:table-row table:visibility="collapse">${cells('HIDDEN')}</table:table-row>`,
      `<table:table-row table:visibility="filter">${cells('HIDDEN')}</table:table-row>`,
      `<table:table-row-group table:display="false"><table:table-row>${cells('HIDDEN')}</table:table-row></table:table-row-group>`,
      `<table:table-row><table:table-cell table:number-columns-repeated="4">${p('7')}</table:table-cell></table:table-row>`,
    ]
    const secret = `<table:table table:name="Secret" table:style-name="ta2"><table:table-row>${cells('HIDDEN')}</table:table-row></table:table>`
    const shown = `<table:table table:name="Shown" table:style-name="ta1">${columns}${rows.join('')}</table:table>`
    const last = `<table:table table:name="Last"><table:table-row>${cells('end')}</table:table-row></table:table>`
    expect(await textOf(openDocument('spreadsheet', styles + shown + secret + last))).toBe(
      'Sheet: Shown\na\tb\n7\t7\n\nSheet: Last\nend',
    )
  })

  it('of a million equal cells and rows is as long as what is read', async () => {
    const cell = `<table:table-cell table:number-columns-repeated="16384">${p('word '.repeat(100))}</table:table-cell>`
    const rows = `<table:table-row table:number-rows-repeated="1048576">${cell.repeat(50)}</table:table-row>`
    const text = await textOf(openDocument('spreadsheet', `<table:table>${rows.repeat(50)}</table:table>`))
    expect(text.length).toBeLessThanOrEqual(OFFICE_TEXT.all)
    expect(text.length).toBeGreaterThan(OFFICE_TEXT.all - 600)
  })

  it('with a title', async () =>
    expect(await officeText(openDocument('text', p('x'), 'Lease'))).toEqual({
      ok: true,
      value: { kind: 'document', text: 'x', title: 'Lease' },
    }))
})

describe('parts that stand beside the main one', () => {
  const relations = (name: string, ...named: readonly (readonly [type: string, target: string])[]) => ({
    name,
    data: `<Relationships>${named.map(([type, target], at) => `<Relationship Id="r${at}" Type="http://x.example/${type}" Target="${target}"/>`).join('')}</Relationships>`,
  })

  it('the heads and feet of pages, each once, around what stands between them', async () => {
    const of = (name: string, text: string) => ({
      name: `word/${name}`,
      data: `<w:hdr>${wordP(text)}</w:hdr>`,
    })
    const letter = docx(wordP('Dear Sam'), {
      more: [
        relations(
          'word/_rels/document.xml.rels',
          ...([
            ['footer', 'f1.xml'],
            ['header', 'h1.xml'],
            ['header', 'h2.xml'],
            ['styles', 's.xml'],
          ] as const),
        ),
        ...[of('h1.xml', 'Harbour Dental'), of('h2.xml', 'Harbour Dental'), of('f1.xml', 'Account 12')],
        of('s.xml', 'Normal'),
      ],
    })
    expect(await textOf(letter)).toBe('Harbour Dental\n\nDear Sam\n\nAccount 12')
  })

  it('boxes that lie over a sheet', async () => {
    const box = (text: string) => `<a:p><a:r><a:rPr lang="en"/><a:t>${text}</a:t></a:r></a:p>`
    const drawn = `<xdr:wsDr><xdr:sp><xdr:nvSpPr><xdr:cNvPr name="TextBox 1"/></xdr:nvSpPr><xdr:txBody>${box('Prices of May')}${box('')}${box('without tax')}</xdr:txBody></xdr:sp></xdr:wsDr>`
    const more = [
      relations('xl/worksheets/_rels/sheet1.xml.rels', ['drawing', '../drawings/drawing1.xml']),
      { name: 'xl/drawings/drawing1.xml', data: drawn },
    ]
    const rows = '<row><c r="A1"><v>4</v></c></row>'
    expect(await textOf(xlsx([{ name: 'A', rows }], { more }))).toBe('4\nPrices of May\nwithout tax')
    expect(await textOf(xlsx([{ name: 'A', rows: '' }], { more }))).toBe('Prices of May\nwithout tax')
  })

  it('in whatever capitals they are named, and with steps of Windows', async () => {
    const type = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml'
    const parts = [
      {
        name: '[content_types].xml',
        data: `<Types><Override PartName="/word/document.xml" ContentType="${type}"/></Types>`,
      },
      { name: 'Word\\Document.xml', data: `<w:document>${wordP('Here')}</w:document>` },
    ]
    expect(await textOf(zipOf(parts))).toBe('Here')
  })
})

describe('what is refused', () => {
  const whole = docx(wordP('x'))
  const part = (data: string | Uint8Array, more = {}) =>
    zipOf([
      {
        name: '[Content_Types].xml',
        data: '<Types><Override PartName="/d.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
      },
      { name: 'd.xml', data, ...more },
    ])
  it.each<[string, Uint8Array, string]>([
    ['nothing', new Uint8Array(0), 'field_malformed'],
    ['its beginning alone', whole.subarray(0, 200), 'field_malformed'],
    ['an archive of other things', zipOf([{ name: 'a.txt', data: 'a' }]), 'field_malformed'],
    [
      'a program in an archive',
      zipOf([{ name: 'mimetype', data: 'application/java-archive' }]),
      'field_malformed',
    ],
    ['an empty document', docx(''), 'nothing_found'],
    ['an encrypted one', part('<a/>', { encrypted: true }), 'key_unavailable'],
    [
      'one with a password, as Office wraps it',
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.alloc(600),
        Buffer.from('EncryptedPackage', 'utf16le'),
      ]),
      'key_unavailable',
    ],
    [
      'an older kind of file',
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('Workbook', 'utf16le')]),
      'field_malformed',
    ],
    ['what is no XML', part('<w:p><w:t>a</w:p'), 'field_malformed'],
    ['entities of its own', part('<!DOCTYPE a [<!ENTITY b "c">]><w:t>&b;</w:t>'), 'field_malformed'],
    [
      'a part that is longer than it says',
      part(Buffer.alloc(5_000_000, 'a'), { says: 10 }),
      'field_malformed',
    ],
    ['a part that says it is too large', part('<a/>', { says: OFFICE_BOUNDS.part + 1 }), 'field_malformed'],
    [
      'too many entries',
      zipOf(Array.from({ length: OFFICE_BOUNDS.entries + 1 }, (_, at) => ({ name: `${at}`, data: '' }))),
      'field_malformed',
    ],
  ])('%s', async (_what, bytes, reason) => expect(code(await officeText(bytes))).toBe(reason))

  it('a bomb, before it unpacks', async () => {
    const bomb = part(Buffer.alloc(OFFICE_BOUNDS.part + 1, ' '))
    expect(bomb.length).toBeLessThan(100_000)
    expect(code(await officeText(bomb))).toBe('field_malformed')
  })

  it('nothing deeper than a stack: a document of 100,000 levels is walked', async () =>
    expect(code(await officeText(part(`${'<a>'.repeat(100_000)}<t>x</t>`)))).toBe('ok'))

  it('anything else in one way or another, and never throws', async () => {
    const seeds = [
      whole,
      xlsx([{ name: 'a', rows: '<row><c r="A1"><v>1</v></c></row>' }]),
      openDocument('text', '<text:p>a</text:p>'),
      pptx([['<a:t>x</a:t>']]),
    ]
    const KNOWN = ['field_malformed', 'nothing_found', 'key_unavailable']
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 8 }),
        fc.nat(),
        async (seed, changes, cut) => {
          const bytes = Buffer.from(seed.subarray(0, cut % 3 === 0 ? cut % seed.length : seed.length))
          for (const [at, value] of changes) if (bytes.length > 0) bytes[at % bytes.length] = value
          const read: Result<OfficeText> = await officeText(bytes)
          if (!read.ok) expect(KNOWN).toContain(read.reason.code)
          else expect(read.value.text.length).toBeLessThanOrEqual(OFFICE_TEXT.all)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('XML of any shape, in time', async () => {
    const token = fc.constantFrom(
      '<w:p>',
      '</w:p>',
      '<w:t>',
      '</w:t>',
      'x',
      '&amp;',
      '&',
      '<',
      '>',
      '<!--',
      '-->',
      '<![CDATA[',
      ']]>',
      '<w:r a="',
      '"',
      '<w:tc>',
      '</w:tr>',
      '<?',
      '<w:vanish/>',
      '\ud800',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(token, { maxLength: 60 }), async (tokens) => {
        expect(['ok', 'field_malformed', 'nothing_found']).toContain(
          code(await officeText(part(tokens.join('')))),
        )
      }),
      { numRuns: 300 },
    )
  })
})

describe('a calendar file', () => {
  const events = (text: string, timezone = 'Europe/Berlin') => calendarEvents(Buffer.from(text), timezone)

  it.each(['\u0001', '\u007f', '"', '\\\\', '\\n', '€', '👋'])(
    'as long as they may be, of nothing but %j, fit the line that the process prints',
    (piece) => {
      const event = (at: number): string => {
        const people = Array.from({ length: 6 }, () => `ATTENDEE:mailto:${piece.repeat(90)}@x.example`)
        const [line, note] = [piece.repeat(400), piece.repeat(1_200)]
        const own = [`UID:${at}`, 'DTSTART:20261201T100000Z', `SUMMARY:${line}`, `LOCATION:${line}`]
        return ['BEGIN:VEVENT', ...own, `DESCRIPTION:${note}`, ...people, 'END:VEVENT'].join('\r\n')
      }
      const all = Array.from({ length: 10 }, (_, at) => event(at)).join('\r\n')
      const read = events(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\nMETHOD:REQUEST\r\n${all}\r\nEND:VCALENDAR\r\n`)
      expect(read.ok && read.value.events).toHaveLength(10)
      expect(JSON.stringify(read).length).toBeLessThan(MAX_OUTPUT)
    },
  )
  const ONE = ['DTSTART:20261201T090000Z', 'DTEND:20261201T100000Z']
  const ZONE = [
    'BEGIN:VTIMEZONE',
    'TZID:W. Europe Standard Time',
    'BEGIN:STANDARD',
    'DTSTART:16010101T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:16010101T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
  ]
  it.each<[what: string, text: string, expected: object]>([
    [
      'of Google',
      icsOf([
        ...ONE,
        'ORGANIZER;CN=Sarah:mailto:Sarah@example.org',
        'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=tom@exam\r\n ple.org;X-NUM-GUESTS=0:mailto:tom@example.org',
        'SUMMARY:Lunch',
        'LOCATION:Café\\, upstairs',
      ]),
      {
        method: 'request',
        from: '2026-12-01T09:00:00Z',
        to: '2026-12-01T10:00:00Z',
        title: 'Lunch',
        place: 'Café, upstairs',
        organizer: 'sarah@example.org',
        attendees: ['tom@example.org'],
        invited: 1,
        allDay: false,
        repeats: false,
      },
    ],
    [
      'of Outlook, with a zone of Windows',
      icsOf(
        [
          'DTSTART;TZID=W. Europe Standard Time:20261201T090000',
          'DTEND;TZID=W. Europe Standard Time:20261201T093000',
          'SUMMARY;LANGUAGE=en-gb:Stand-up',
        ],
        { before: ZONE },
      ),
      { from: '2026-12-01T08:00:00Z', to: '2026-12-01T08:30:00Z', title: 'Stand-up' },
    ],
    [
      'with a time of no zone',
      icsOf(['DTSTART:20261201T090000', 'DURATION:PT45M']),
      { from: '2026-12-01T08:00:00Z', to: '2026-12-01T08:45:00Z' },
    ],
    [
      'of a whole day',
      icsOf(['DTSTART;VALUE=DATE:20261224', 'DTEND;VALUE=DATE:20261227']),
      { from: '2026-12-24', to: '2026-12-27', allDay: true },
    ],
    ['that repeats', icsOf([...ONE, 'RRULE:FREQ=WEEKLY']), { repeats: true }],
    ['that is called off', icsOf([...ONE], { method: 'CANCEL' }), { method: 'cancel' }],
    [
      'that is called off by its state alone',
      icsOf([...ONE, 'STATUS:CANCELLED'], { method: '' }),
      { method: 'cancel' },
    ],
    ['that is an answer', icsOf([...ONE], { method: 'REPLY' }), { method: 'reply' }],
    ['that asks for nothing', icsOf([...ONE], { method: '' }), { method: 'publish' }],
    ['without a title or an organizer', icsOf(ONE), { title: '', organizer: '', attendees: [] }],
    [
      'whose organizer is no address',
      icsOf([...ONE, 'ORGANIZER:invalid:nomail', 'ATTENDEE:urn:x']),
      { organizer: '', attendees: [], invited: 1 },
    ],
    [
      'of 500 people',
      icsOf([...ONE, ...Array.from({ length: 500 }, (_, at) => `ATTENDEE:mailto:p${at}@example.org`)]),
      { invited: 500 },
    ],
  ])('%s', (_what, text, expected) =>
    expect(events(text)).toMatchObject({ ok: true, value: { events: [expected] } }),
  )

  it.each<[string, string, string]>([
    ['what is none', 'BEGIN:VCARD\r\nEND:VCARD', 'field_malformed'],
    ['its beginning alone', 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT', 'field_malformed'],
    ['one without an event', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR', 'nothing_found'],
    ['an event without a time', icsOf(['SUMMARY:a']), 'nothing_found'],
  ])('refuses %s', (_what, text, reason) => expect(code(events(text))).toBe(reason))

  it('has no event at a time that cannot be, or at none', () => {
    const event = {
      from: '2026-12-01T09:00:00Z',
      to: '2026-12-01T10:00:00Z',
      attendees: ['a@b.example', 'x', 7],
    }
    expect(invitedEvent({ ...event, from: '+010007-06-10T05:40:39Z' })).toBeNull()
    expect(invitedEvent({ ...event, to: undefined })).toBeNull()
    expect(invitedEvent('text')).toBeNull()
    expect(invitedEvent(event)).toMatchObject({
      method: 'other',
      title: '',
      attendees: ['a@b.example'],
      invited: 3,
    })
  })

  it('is not walked for ever by a zone that repeats without end', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Evil',
      'BEGIN:STANDARD',
      'DTSTART:00010101T000000',
      'TZOFFSETFROM:+0000',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=SECONDLY',
      'END:STANDARD',
      'END:VTIMEZONE',
    ]
    const times = ['DTSTART;TZID=Evil:20261201T090000', 'DTEND:20261201T100000Z']
    expect(processorTime(() => events(icsOf(times, { before: zone })), 1)).toBeLessThan(5_000)
  })

  it('never throws, whatever its lines are', () => {
    const line = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        'DTSTART:20261201T090000Z',
        'DTEND;VALUE=DATE:2026',
        'DURATION:P',
        'RRULE:FREQ=DAILY;INTERVAL=0',
        'ATTENDEE:mailto:',
        'ORGANIZER;CN="a:mailto:b',
        'BEGIN:VEVENT',
        'END:VEVENT',
        ' folded',
        'SUMMARY;X=\u202e:a',
      ),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        expect(['ok', 'field_malformed', 'nothing_found']).toContain(code(events(icsOf(lines))))
      }),
      { numRuns: 500 },
    )
  })
})
