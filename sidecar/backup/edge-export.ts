/**
 * Copies the edge's stores into files of home's backup, each separately (E-13). Content arrives as ciphertext and its
 * key in a box that only home's key opens; a backup needs neither. A store that changes while it is read is read again.
 * Must not trust names from the edge. Called by make.ts.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type Cursor, MAX_STORE_BYTES, type PartHead } from '../../kernel/tunnel/edge-part.ts'
import type { EdgeLine } from './edge-line.ts'
import { createEdgeStore, type EdgeStoreWriter } from './edge-store.ts'
import { edgeFile } from './stores.ts'

/** Attempts per store. It may be in use at night and change while it is read, but attempts must end. */
const TRIES = 10

export interface EdgeExport {
  /** Names of the files that were written, in `into`. */
  readonly files: readonly string[]
  /** Why a store or the whole part is missing; null if complete. */
  readonly trouble: ReasonCode | null
}

/** Never refuses: exports what it can and reports the rest in `trouble`. */
export async function exportEdge(
  line: EdgeLine,
  into: string,
  taken: (file: string) => Promise<void>,
): Promise<EdgeExport> {
  const stores = await line.stores()
  if (!stores.ok) return { files: [], trouble: stores.reason.code }
  const files: string[] = []
  let trouble: ReasonCode | null = null
  for (const store of stores.value) {
    const file = edgeFile(store)
    const done = await exportStore(line, store, join(into, file))
    // An object that was named but never used holds nothing.
    if (!done.ok && done.reason.code === 'nothing_found') continue
    if (!done.ok) trouble ??= done.reason.code
    if (!done.ok) continue
    await taken(file)
    files.push(file)
  }
  return { files, trouble }
}

async function exportStore(line: EdgeLine, store: string, path: string): Promise<Result<true>> {
  let last: Result<true> = err('record_stale')
  for (let attempt = 1; attempt <= TRIES && !last.ok && last.reason.code === 'record_stale'; attempt += 1) {
    await rm(path, { force: true })
    last = await exportOnce(line, store, path)
  }
  if (!last.ok) await rm(path, { force: true })
  return last
}

async function exportOnce(line: EdgeLine, store: string, path: string): Promise<Result<true>> {
  const head = await line.head(store)
  if (!head.ok) return head
  const file = createEdgeStore(path, head.value)
  if (!file.ok) return file
  try {
    return await copyPages({ line, store, head: head.value, file: file.value })
  } finally {
    file.value.close()
  }
}

interface Copying {
  readonly line: EdgeLine
  readonly store: string
  readonly head: PartHead
  readonly file: EdgeStoreWriter
}

async function copyPages({ line, store, head, file }: Copying): Promise<Result<true>> {
  let size = 0
  let cursor: Cursor | null = null
  do {
    const page = await line.page(store, head.moment, cursor)
    if (!page.ok) return page
    const { next, ...rows } = page.value
    size += JSON.stringify(rows).length
    if (size > MAX_STORE_BYTES) return err('response_too_large', { most: MAX_STORE_BYTES })
    const added = rows.rows.length === 0 ? ok(true) : file.add(rows)
    if (!added.ok) return added
    // Each page must advance, or the edge could send pages forever. Rows that repeat fail on their key.
    if (next !== null && rows.rows.length === 0) return err('frame_malformed', { of: 'edge' })
    cursor = next
  } while (cursor !== null)
  return ok(true)
}
