/**
 * Process that parses one health export from the open file at descriptor 3. It runs without access to other
 * files, the network or the rights of home, and is killed above its limits. Reads `ExportTask` as JSON;
 * prints progress and months, one line each, and the `Result` as the last line. Must not print anything else.
 * Started by export-reader.ts.
 */
import { fstat, read } from 'node:fs'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { readHealthExport } from './export-file.ts'
import type { ExportTask } from './export-reader.ts'

process.removeAllListeners('warning')

const EXPORT = 3
const readFrom = promisify(read)
const { now } = JSON.parse(await text(process.stdin)) as ExportTask

/** Waits for each write, so that unwritten output does not fill the memory. */
const print = (line: object): Promise<void> =>
  new Promise((done) => void process.stdout.write(`${JSON.stringify(line)}\n`, () => done()))

const found = await readHealthExport(
  {
    stat: () => promisify(fstat)(EXPORT),
    read: (buffer, offset, length, at) => readFrom(EXPORT, buffer, offset, length, at),
  },
  { now, progress: (done, of) => void print({ read: done, of }) },
).catch(() => err('health_malformed'))
if (found.ok) for (const month of found.value.months) await print({ month })
await print(found.ok ? ok({ taken: found.value.taken, odd: found.value.odd }) : found)
process.exit(0)
