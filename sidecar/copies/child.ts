/**
 * Entry point of the process that sends one copy to the edge: checking and sealing a large store would delay home's
 * messages. Reads a task with its keys from stdin, because arguments are readable by others, and prints the `Result` of
 * `makeCopy` as one line. Must not print anything else. Started by job.ts.
 */
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { err, type Result } from '../../kernel/flow/verdict.ts'
import { randomOfNode } from '../keys/home-keys.ts'
import { loadDeviceKey } from '../tunnel/device-key.ts'
import { openEdgePins } from '../tunnel/pairing.ts'
import { createCopyKeys, recoverySigner } from './copy-format.ts'
import { createCopyLine } from './copy-line.ts'
import { copyTaskSchema } from './job.ts'
import { type MadeCopy, makeCopy } from './make-copy.ts'

process.removeAllListeners('warning')

async function work(): Promise<Result<MadeCopy>> {
  const task = copyTaskSchema.parse(JSON.parse(await text(process.stdin)))
  const folder = { path: task.state, file: (name: string) => join(task.state, name) }
  const device = loadDeviceKey(folder)
  if (!device.ok) return device
  const bytes = (encoded: string): Uint8Array => new Uint8Array(Buffer.from(encoded, 'base64url'))
  return makeCopy({
    folder,
    keys: createCopyKeys(bytes(task.replica), randomOfNode),
    line: createCopyLine(task.edge, device.value),
    recoveryKey: recoverySigner(bytes(task.recovery)).publicKey,
    edgeKey: openEdgePins(folder).pinOf(task.edge)?.publicKey ?? null,
    now: task.now,
  })
}

const made = await work().catch(() => err('internal_fault'))
process.stdout.write(`${JSON.stringify(made)}\n`)
