/**
 * Replaces key files atomically with mode 0600, durable before the call returns. state-folder.ts reads them and refuses
 * looser modes. Called by the custodies.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { StateFolder } from '../store/state-folder.ts'

/** After a crash the file has its old or its new content. Refusal: storage_failed. */
export function replacePrivateFile(
  folder: StateFolder,
  name: string,
  content: string | Uint8Array,
): Result<null> {
  const path = folder.file(name)
  const draft = `${path}.new`
  try {
    rmSync(draft, { force: true })
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(draft, path)
    syncFolder(folder)
    return ok(null)
  } catch {
    return err('storage_failed', { file: name, problem: 'it cannot be written' })
  }
}

export function removePrivateFile(folder: StateFolder, name: string): Result<null> {
  try {
    rmSync(folder.file(name), { force: true })
    syncFolder(folder)
    return ok(null)
  } catch {
    return err('storage_failed', { file: name, problem: 'it cannot be deleted' })
  }
}

/** The directory entry, too, must survive a power cut. */
function syncFolder(folder: StateFolder): void {
  const file = openSync(folder.path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
