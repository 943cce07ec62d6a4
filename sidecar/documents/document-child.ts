/**
 * Process that parses one document, without home's environment, without files but this code, without child processes, and
 * killed when it exceeds its limits. Reads `DocumentTask` as JSON and prints the `Result` of the parser as one line. Must not
 * print anything else. Started by document-reader.ts.
 */
import { text } from 'node:stream/consumers'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { DocumentTask } from './document-reader.ts'

process.removeAllListeners('warning')
// Silences the console: messages of a library would quote the file.
for (const way of ['log', 'info', 'warn', 'error', 'debug'] as const) console[way] = () => undefined

const task = JSON.parse(await text(process.stdin)) as DocumentTask

/** Each parser is loaded after the task has been read, and no other. */
async function parsed({ format, bytes, timezone }: DocumentTask): Promise<Result<object>> {
  const data = new Uint8Array(Buffer.from(bytes, 'base64'))
  switch (format) {
    case 'pdf': {
      const read = await (await import('./pdf-text.ts')).pdfText(data)
      return read.ok ? ok({ kind: 'pdf', ...read.value }) : read
    }
    case 'office':
      return (await import('./office-text.ts')).officeText(data)
    case 'calendar': {
      const read = (await import('./calendar-text.ts')).calendarEvents(data, timezone)
      return read.ok ? ok({ kind: 'calendar', text: '', ...read.value }) : read
    }
  }
}

const read = await parsed(task).catch(() => err('field_malformed'))
process.stdout.write(`${JSON.stringify(read)}\n`, () => process.exit(0))
