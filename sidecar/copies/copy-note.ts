/**
 * `copies.json`: the newest generation that this home sent to the edge, to detect an edge that has an older one. Not
 * secret. Must not be backed up or copied: it applies to this home only. Called by make-copy.ts and job.ts.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { StateFolder } from '../store/state-folder.ts'

const FILE = 'copies.json'

const schema = z.strictObject({
  number: z.int().check(z.nonnegative()),
  /** When that copy was started (epoch milliseconds). */
  at: z.int().check(z.nonnegative()),
})

export type CopyNote = z.output<typeof schema>

/** Null before the first copy. A damaged note counts as missing, and the next copy rewrites it. */
export function readCopyNote(folder: StateFolder): CopyNote | null {
  try {
    const parsed = schema.safeParse(JSON.parse(readFileSync(folder.file(FILE), 'utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

/** Refusal: storage_failed. */
export function writeCopyNote(folder: StateFolder, note: CopyNote): Result<true> {
  try {
    const draft = folder.file(`${FILE}.new`)
    writeFileSync(draft, `${JSON.stringify(note)}\n`, { mode: 0o600, flush: true })
    renameSync(draft, folder.file(FILE))
    return ok(true)
  } catch {
    return err('storage_failed', { file: FILE, problem: 'it cannot be written' })
  }
}
