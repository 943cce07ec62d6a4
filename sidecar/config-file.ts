/**
 * `config.toml` as a file that its owner wrote: read whole, and replaced whole or not at all. Must not judge what is in it. Called by
 * `pfar deploy` and `pfar init`.
 */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Empty where there is none; null where it cannot be read. */
export function readConfigText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : null
  }
}

/** Whether it was: after a crash there is the old file or the new one. */
export function replaceConfig(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true })
    renameSync(draft, path)
    return true
  } catch {
    rmSync(draft, { force: true })
    return false
  }
}
