/**
 * Messages as people typed them, each with what it is of: the files `said.txt` beside the phrases of a package, one `action | message` a line. Read by
 * training alone. Must not change them. Called by table.ts.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SaidLine {
  /** An action, an intent, or another name that no package has. */
  readonly label: string
  readonly text: string
}

const ROOT = join(import.meta.dirname, '../..')
const MARK = ' | '

/** In the order of their paths. */
export function saidLines(): readonly SaidLine[] {
  return globSync('integrations/**/said.txt', { cwd: ROOT })
    .sort()
    .flatMap((path) => readFileSync(join(ROOT, path), 'utf8').split('\n'))
    .flatMap((line) => {
      const at = line.indexOf(MARK)
      return at < 0 || line.startsWith('#')
        ? []
        : [{ label: line.slice(0, at).trim(), text: line.slice(at + MARK.length).trim() }]
    })
}
