/**
 * Edits a text in the owner's editor, in a temporary file of the state folder that only this account can read. Must not
 * keep a copy, or run anything but $VISUAL or $EDITOR. Called by brain-command.ts.
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { openStateFolder, stateFolderPath } from '../store/state-folder.ts'
import type { Environment } from './state-paths.ts'

/** Refusals: nothing_found if the editor could not run, failed or changed nothing; those of the state folder. */
export async function editText(environment: Environment, text: string): Promise<Result<string>> {
  const folder = openStateFolder(stateFolderPath(environment))
  if (!folder.ok) return folder
  const path = folder.value.file(`edit-${randomBytes(8).toString('hex')}.md`)
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' })
    const code = await runEditor(environment, path)
    const left = code === 0 ? readFileSync(path, 'utf8') : text
    return left === text ? err('nothing_found') : ok(left)
  } finally {
    rmSync(path, { force: true })
  }
}

/** Through a shell, as usual, because the variable may contain options. The path is an argument, not shell text. */
function runEditor(environment: Environment, path: string): Promise<number | null> {
  const editor = environment['VISUAL'] || environment['EDITOR'] || 'vi'
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', path], { stdio: 'inherit' })
    child.once('error', () => resolve(null))
    child.once('exit', resolve)
  })
}
