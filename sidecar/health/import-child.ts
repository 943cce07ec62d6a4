/**
 * Entry point of the process that reads a file of the watched folder: a long or hostile file delays no message of home's, and can be killed. Reads `ImportTask`
 * as JSON from stdin and prints the `Result` as one line. Must not print anything else, or hold a key. Started by health-folder.ts.
 */
import { text } from 'node:stream/consumers'
import { err } from '../../kernel/flow/verdict.ts'
import { createLineClient } from '../cli/line/line-client.ts'
import type { ImportTask } from './health-folder.ts'
import { importHealthFile } from './import-file.ts'

process.removeAllListeners('warning')

const task = JSON.parse(await text(process.stdin)) as ImportTask
const line = createLineClient(task.socket)
const imported = await importHealthFile(task.path, {
  now: task.now,
  ask: ({ method, params, within }) => line.method(method, params, within),
  progress: () => undefined,
}).catch(() => err('internal_fault'))
line.close()
process.stdout.write(`${JSON.stringify(imported)}\n`)
