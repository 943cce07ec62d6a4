/** An empty folder of a test, which is gone when the test or its file is over. Called by tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './stop.ts'

/** `name`: for whoever looks at what a killed run left behind. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `pfar-${name}-`))
  // A process that was killed a moment ago may still write into it.
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}
