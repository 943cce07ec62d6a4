/**
 * Restores the edge's part of a backup into an empty edge (E-16), each store separately. The key of the rows is moved
 * from the box that home's key opens into one for the new edge. A refused store does not stop the others. Must not
 * change content except to migrate the schema. Called by the method `restore_edge`.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { closeBox } from '../../integrations/sealing/sealed-box.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { IMPORT_PURPOSE, type PartHead, partBound } from '../../kernel/tunnel/edge-part.ts'
import type { SealingKey } from '../secrets/sealing-key.ts'
import type { EdgeLine } from './edge-line.ts'
import { type EdgeStoreReader, openEdgeStore } from './edge-store.ts'
import { withStorage } from './storage-trouble.ts'
import { isEdgeFile } from './stores.ts'

export interface RestoredStore {
  readonly file: string
  readonly rows: number
  /** Why the store was not restored; null if it was. */
  readonly trouble: ReasonCode | null
}

export interface EdgeImportInput {
  /** Folder of the decrypted files. */
  readonly from: string
  readonly line: EdgeLine
  readonly sealing: Pick<SealingKey, 'openPart'>
}

/** Refusals: nothing_found, if the folder holds no such file; storage_failed. */
export async function importEdge(input: EdgeImportInput): Promise<Result<readonly RestoredStore[]>> {
  return withStorage('the edge', async () => {
    const files = readdirSync(input.from).filter(isEdgeFile).sort()
    if (files.length === 0)
      return err('nothing_found', { file: 'the edge', problem: 'it is in no such backup' })
    const restored: RestoredStore[] = []
    for (const file of files) {
      const done = await importFile(input, join(input.from, file))
      restored.push(
        done.ok ? { file, rows: done.value, trouble: null } : { file, rows: 0, trouble: done.reason.code },
      )
    }
    return ok(restored)
  })
}

async function importFile(input: EdgeImportInput, path: string): Promise<Result<number>> {
  const store = openEdgeStore(path)
  if (!store.ok) return store
  try {
    const { id, registry, principal } = store.value.head
    if (principal !== null) return await importStore(input, store.value, { id, principal })
    if (registry === null) return err('record_malformed', { of: 'edge' })
    // The rows of the registry are the audit of a link that no longer exists. They stay in the backup, because the
    // new registry has begun its own chain.
    const done = await input.line.registry({ id, registry })
    return done.ok ? ok(registry.devices.length) : done
  } finally {
    store.value.close()
  }
}

interface PartName {
  readonly id: string
  readonly principal: string
}

async function importStore(
  { line, sealing }: EdgeImportInput,
  store: EdgeStoreReader,
  part: PartName,
): Promise<Result<number>> {
  const begun = await line.begin({ ...part, schema: store.schema })
  if (!begun.ok) return begun
  const rows = store.rows()
  if (begun.value.done) return ok(rows)
  const box = await reseal(sealing, store.head, { part, sealTo: begun.value.sealTo })
  if (!box.ok) return box
  for (const page of store.pages()) {
    const added = await line.add(part, page)
    if (!added.ok) return added
  }
  const ended = await line.end({ ...part, rows, box: box.value })
  return ended.ok ? ok(rows) : ended
}

/** Refusals: those of `SealingKey.openPart`, key_wrong (no edge has this key). */
async function reseal(
  sealing: EdgeImportInput['sealing'],
  head: PartHead,
  to: { readonly part: PartName; readonly sealTo: string },
): Promise<Result<string | null>> {
  if (head.sealed === null) return ok(null)
  const opened = await sealing.openPart(to.part, head.sealed)
  if (!opened.ok) return opened
  const address = { purpose: IMPORT_PURPOSE, bound: partBound(to.part) }
  const closed = await closeBox(new Uint8Array(Buffer.from(to.sealTo, 'base64url')), address, opened.value)
  opened.value.fill(0)
  return closed.ok ? ok(Buffer.from(closed.value).toString('base64url')) : closed
}
