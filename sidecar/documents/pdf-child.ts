/**
 * The process that takes one PDF apart: no variable of home's, no file but this code, no process or thread of its own, and killed
 * when it takes too long or too much. It reads `PdfTask` as JSON and prints one line, the `Result` of `pdfText`. Must not print
 * anything else. Started by pdf-reader.ts.
 */
import { text } from 'node:stream/consumers'
import { err } from '../../kernel/flow/verdict.ts'
import type { PdfTask } from './pdf-reader.ts'

process.removeAllListeners('warning')
// Whatever a library has to say of a file would quote it.
for (const way of ['log', 'info', 'warn', 'error', 'debug'] as const) console[way] = () => undefined

const { pdf } = JSON.parse(await text(process.stdin)) as PdfTask
// Loaded after the task is there: a home without PDFs never holds it.
const { pdfText } = await import('./pdf-text.ts')
const read = await pdfText(new Uint8Array(Buffer.from(pdf, 'base64'))).catch(() => err('field_malformed'))
process.stdout.write(`${JSON.stringify(read)}\n`, () => process.exit(0))
