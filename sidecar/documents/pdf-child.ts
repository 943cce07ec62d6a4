/**
 * Process that parses one PDF, without home's environment, without files but this code, without child processes, and
 * killed when it exceeds its limits. Reads `PdfTask` as JSON and prints the `Result` of `pdfText` as one line. Must not
 * print anything else. Started by pdf-reader.ts.
 */
import { text } from 'node:stream/consumers'
import { err } from '../../kernel/flow/verdict.ts'
import type { PdfTask } from './pdf-reader.ts'

process.removeAllListeners('warning')
// Silences the console: messages of a library would quote the file.
for (const way of ['log', 'info', 'warn', 'error', 'debug'] as const) console[way] = () => undefined

const { pdf } = JSON.parse(await text(process.stdin)) as PdfTask
// Loaded after the task has been read.
const { pdfText } = await import('./pdf-text.ts')
const read = await pdfText(new Uint8Array(Buffer.from(pdf, 'base64'))).catch(() => err('field_malformed'))
process.stdout.write(`${JSON.stringify(read)}\n`, () => process.exit(0))
