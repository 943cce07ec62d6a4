/**
 * Entry point of the scheduled backup's process: checking a large store would delay home's messages, and a process on a
 * hanging disk can be killed. Reads `ChildTask` as JSON from stdin and prints the `Result` of `makeBackup` as one line.
 * Must not print anything else. Started by job.ts.
 */
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { edgeLineOf } from './edge-transfer.ts'
import type { ChildTask, MadeByChild } from './job.ts'
import { makeBackup } from './make.ts'

process.removeAllListeners('warning')

const task = JSON.parse(await text(process.stdin)) as ChildTask
const folder = { path: task.state, file: (name: string) => join(task.state, name) }
async function work(): Promise<Result<MadeByChild>> {
  const edge = edgeLineOf(folder, task.edge)
  if (!edge.ok) return edge
  const made = await makeBackup({ ...task, folder, edge: edge.value })
  if (!made.ok) return made
  const { edgeTrouble, brokenAudits } = made.value
  return ok({ edgeTrouble, auditBroken: brokenAudits.length > 0 })
}

const made = await work().catch(() => err('internal_fault'))
process.stdout.write(`${JSON.stringify(made)}\n`)
