/** An empty temporary folder, which is deleted at the end of the test or its file. Called by tests. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './stop.ts'

/** `name`: part of the folder's name, to identify what a killed run left behind. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `pfar-${name}-`))
  // A process that was just killed may still write into it.
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}
