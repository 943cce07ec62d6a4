/**
 * PDFs that home reads for the edge, with the real parser process (B-27): their text, or a code for any other file.
 * What home accepts at all: test/home/tunnel-files.test.ts.
 */
import { afterAll, expect, it } from 'vitest'
import type { FileAnswer } from '../../kernel/tunnel/ask.ts'
import { createDocumentReader } from '../../sidecar/documents/document-reader.ts'
import { createEdgeFiles } from '../../sidecar/tunnel/tunnel-files.ts'
import { bombPdf, lockedPdf, pdfOf } from '../fakes/pdf.ts'
import { SANDBOX } from './fixtures/sandbox.ts'
import { until } from './fixtures/wait.ts'

const EPOCH = 5
const LANTERN = 'The lantern opens at nine.'
const PDF = pdfOf({ pages: [LANTERN, 'Bring a coat.'] })
const reader = createDocumentReader({ memory: 200_000_000 })
afterAll(() => reader.close())

const NONE = { ok: false, reason: 'field_malformed' }
it.each<[string, Uint8Array, object]>([
  ['one with text', PDF, { ok: true, text: `${LANTERN}\n\nBring a coat.`, pages: 2 }],
  ['one that is locked', lockedPdf(LANTERN), { ok: false, reason: 'key_unavailable' }],
  ['one of pictures', pdfOf({ pages: [''] }), { ok: false, reason: 'nothing_found' }],
  ['half a one', PDF.subarray(0, 40), NONE],
  ['noise after its mark', Buffer.from(`%PDF-1.7\n${'\u0000ÿ'.repeat(9_999)}`), NONE],
  ['few bytes that unfold to many', bombPdf(300_000_000), { ok: false, reason: 'tool_failed' }],
])('%s', SANDBOX, async (_what, bytes, expected) => {
  const told: FileAnswer[] = []
  const noted: unknown[] = []
  const files = createEdgeFiles({
    ...{ readers: { pdf: reader.read }, now: () => 1_000 },
    noted: (one) => noted.push(one),
  })
  files.attach(EPOCH, (body) => void (body.type === 'file_told' && told.push(body.told)))
  files.take({ id: 'c1', epoch: EPOCH, kind: 'pdf', bytes: Buffer.from(bytes).toString('base64') })
  await until(() => told.length === 1, 60_000)
  expect(told).toEqual([{ id: 'c1', epoch: EPOCH, ...expected }])
  const { reason = null } = expected as { readonly reason?: string }
  expect(noted).toEqual([{ id: 'c1', kind: 'pdf', size: bytes.length, code: reason }])
})
