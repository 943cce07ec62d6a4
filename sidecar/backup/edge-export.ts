/**
 * What the edge holds, brought into files of home's backup, each store by itself (E-13). Content comes as ciphertext, its
 * key in a box that home's own key opens: a backup needs neither. A store that changes while it is read is read anew.
 * Must not believe the edge's names. Called by make.ts.
 */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type Cursor, MAX_STORE_BYTES, type PartHead } from '../../kernel/tunnel/edge-part.ts'
import type { EdgeLine } from './edge-line.ts'
import { createEdgeStore, type EdgeStoreWriter } from './edge-store.ts'
import { edgeFile } from './stores.ts'

/** Times that one store is begun: somebody may be talking to the edge at three in the morning, but not without end. */
const TRIES = 10

export interface EdgeExport {
  /** Names of the files that were written, in `into`. */
  readonly files: readonly string[]
  /** Why a store, or all of it, is missing; null when nothing is. */
  readonly trouble: ReasonCode | null
}

/** Never refuses: what could be had is there, and what could not is told. */
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
    // An object that was named and never used holds nothing.
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
    // Each page goes on, or the edge could hand out nothing for ever; rows that came before have their key already.
    if (next !== null && rows.rows.length === 0) return err('frame_malformed', { of: 'edge' })
    cursor = next
  } while (cursor !== null)
  return ok(true)
}
