/**
 * The scheduled backup, in a process of its own: checking a large store would hold up home's messages, and a disk that
 * hangs can be killed. It reads `ChildTask` as JSON and prints one line, the `Result` of `makeBackup`. Must
 * not print anything else. Started by run-child.ts.
 */
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { refused } from '../../kernel/flow/verdict.ts'
import { makeBackup } from './make.ts'
import type { ChildTask } from './run-child.ts'

process.removeAllListeners('warning')

const task = JSON.parse(await text(process.stdin)) as ChildTask
const folder = { path: task.state, file: (name: string) => join(task.state, name) }
const made = await makeBackup({ ...task, folder }).catch(() => refused('internal_fault'))
process.stdout.write(`${JSON.stringify(made)}\n`)
