/**
 * PDFs and other documents at home, in real processes (B-27, J-08, J-13): the text of the first pages, or a code for any other file. A file that fills
 * memory, never ends or contains scripts affects only its own process, whose sandbox is tested in confined.test.ts.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { DocumentText } from '../../integrations/extractors/document.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { createDocumentReader } from '../../sidecar/documents/document-reader.ts'
import { PDF_BOUNDS } from '../../sidecar/documents/pdf-text.ts'
import { docx, icsOf, wordP, xlsx, zipOf } from '../fakes/office.ts'
import { bombPdf, lockedPdf, pdfOf, scriptedPdf } from '../fakes/pdf.ts'
import { newFolder } from '../kit/folder.ts'
import { SANDBOX } from './fixtures/sandbox.ts'

const reader = createDocumentReader()
afterAll(() => reader.close())
const read = (bytes: Uint8Array): Promise<Result<DocumentText>> => reader.read(bytes)

const code = (result: Result<unknown>): string => (result.ok ? 'ok' : result.reason.code)
const LANTERN = 'The lantern opens at nine (sharp).'

describe('a PDF is read', SANDBOX, () => {
  it('with several pages in order, and their number', async () => {
    expect(await read(pdfOf({ pages: [LANTERN, '', 'Bring a coat.'] }))).toEqual({
      ok: true,
      value: { kind: 'pdf', text: `${LANTERN}\n\nBring a coat.`, pages: 3 },
    })
  })

  it('up to the limit, of thousands of pages', async () => {
    const result = await read(
      pdfOf({ pages: Array.from({ length: 3_000 }, (_, at) => `Page ${at}: ${'x'.repeat(90)}`) }),
    )
    expect(result).toMatchObject({ ok: true, value: { pages: 3_000 } })
    const { text } = result.ok ? result.value : { text: '' }
    expect(text).toMatch(/^Page 0: /)
    expect(text).toHaveLength(PDF_BOUNDS.text)
  })

  it('in its first pages only', async () => {
    const pages = [...Array.from({ length: PDF_BOUNDS.pages }, () => ''), 'too far behind']
    expect(code(await read(pdfOf({ pages })))).toBe('nothing_found')
    expect(code(await read(pdfOf({ pages: pages.slice(1) })))).toBe('ok')
  })

  it('that declares a billion pages, and has one', async () =>
    expect(await read(pdfOf({ pages: [LANTERN], count: 1_000_000_000 }))).toEqual({
      ok: true,
      value: { kind: 'pdf', text: LANTERN, pages: 1 },
    }))

  it('without running its scripts', async () => {
    const folder = newFolder('pdf')
    const script = `require("fs").writeFileSync(${JSON.stringify(join(folder, 'ran'))}, "x")`
    expect(await read(scriptedPdf(LANTERN, script))).toMatchObject({ ok: true, value: { text: LANTERN } })
    expect(spawnSync('ls', [folder]).stdout.toString()).toBe('')
  })

  it('without control characters, which would lengthen the result', async () => {
    const result = await read(pdfOf({ pages: [`x${'a'.repeat(20)}y`], means: '0007' }))
    expect(result).toEqual({ ok: true, value: { kind: 'pdf', text: `x${' '.repeat(20)}y`, pages: 1 } })
  })
})

describe('other documents are read', SANDBOX, () => {
  it('a PDF with its title, in UTF-16 too', async () => {
    const more = ['<< /Title <FEFF004C00650061007300650020201300200041> >>']
    expect(await read(pdfOf({ pages: [LANTERN], more, trailer: '/Info $0 0 R' }))).toMatchObject({
      ok: true,
      value: { title: 'Lease \u2013 A' },
    })
  })

  it('of Word and Excel, by their text', async () => {
    expect(await read(docx(wordP(LANTERN), { title: 'Notes' }))).toEqual({
      ok: true,
      value: { kind: 'document', text: LANTERN, title: 'Notes' },
    })
    const rows = '<row><c r="A1"><v>4</v></c></row>'
    expect(await read(xlsx([{ name: 'a', rows }]))).toMatchObject({
      value: { kind: 'spreadsheet', text: '4' },
    })
  })

  it('an invitation, by its fields and as lines', async () => {
    const text = icsOf([
      'DTSTART:20261201T090000Z',
      'DTEND:20261201T100000Z',
      'SUMMARY:Lunch',
      'ORGANIZER:mailto:s@example.org',
    ])
    const result = await read(Buffer.from(text))
    expect(result).toMatchObject({
      value: {
        kind: 'calendar',
        events: [{ method: 'request', title: 'Lunch', organizer: 's@example.org' }],
      },
    })
    expect(result.ok && result.value.text).toBe(
      'Invitation: Lunch\nFrom: 2026-12-01T09:00:00Z\nTo: 2026-12-01T10:00:00Z\nOrganizer: s@example.org',
    )
  })

  it('not an archive that unpacks without end, nor an unknown format', async () => {
    const bomb = zipOf([{ name: '[Content_Types].xml', data: Buffer.alloc(60_000_000, ' ') }])
    expect(code(await read(bomb))).toBe('field_malformed')
    expect(code(await read(Buffer.from('\u007fELF and more')))).toBe('field_malformed')
  })

  it('not one of Office that has a password, which is told as such', async () => {
    const locked = new URL('../corpora/sheets/populate-encryption-in.xlsx', import.meta.url)
    expect(code(await read(readFileSync(locked)))).toBe('key_unavailable')
  })
})

describe('a PDF is refused', SANDBOX, () => {
  const whole = pdfOf({ pages: [LANTERN] })
  it.each<[string, Uint8Array, string]>([
    ['one that is locked', lockedPdf(LANTERN), 'key_unavailable'],
    ['one of pictures alone', pdfOf({ pages: ['', ''] }), 'nothing_found'],
    ['one without a page', pdfOf({ pages: [] }), 'nothing_found'],
    ['one that says it has none', pdfOf({ pages: [LANTERN], count: 0 }), 'nothing_found'],
    ['its first bytes alone', whole.subarray(0, 9), 'field_malformed'],
    ['what is none', Buffer.from(`%PDF-1.7\n${'nothing of one '.repeat(99)}`), 'field_malformed'],
    ['nothing at all', new Uint8Array(0), 'field_malformed'],
  ])('if it is %s', async (_what, bytes, reason) => expect(code(await read(bytes))).toBe(reason))

  it('if it expands beyond its process’s memory', async () => {
    const small = createDocumentReader({ memory: 120_000_000, longest: 60_000 })
    expect(code(await small.read(bombPdf(200_000_000)))).toBe('tool_failed')
    // The next file is not affected.
    expect(code(await createDocumentReader().read(whole))).toBe('ok')
  })

  it('if it takes too long', async () =>
    expect(code(await createDocumentReader({ longest: 1 }).read(whole))).toBe('tool_failed'))

  it('after home was stopped', async () => {
    const stopping = createDocumentReader()
    const under = stopping.read(whole)
    stopping.close()
    expect([code(await under), code(await stopping.read(whole))]).toEqual(['task_stopped', 'task_stopped'])
  })
})
