/** Reads `config.toml` as text, and replaces it atomically. Must not judge its content. Called by `pfar deploy` and `pfar init`. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** Empty if the file does not exist; null if it cannot be read. */
export function readConfigText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : null
  }
}

/** Returns whether the file was replaced. After a crash it holds either the old text or the new one. */
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
