/**
 * Transfers the edge's stores to home's backup and, after a loss, into a new edge, each store separately (E-13, E-16).
 * Content is ciphertext; its key is in a box that only home's key opens. Must not trust names from the edge. Called by make.ts
 * and doors.ts.
 */

import { readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { closeBox } from '../../integrations/sealing/sealed-box.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import {
  type Cursor,
  IMPORT_PURPOSE,
  type ImportRows,
  importBegunSchema,
  MAX_PAGE_BYTES,
  MAX_STORE_BYTES,
  type Page,
  type PartHead,
  pageSchema,
  partBound,
  partHeadSchema,
  type RegistryPart,
  storeListSchema,
} from '../../kernel/tunnel/edge-part.ts'
import { type Methods, method } from '../line/method.ts'
import type { SealingKey } from '../secrets/sealing-key.ts'
import { readJson } from '../store/json.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { withStorage } from '../store/storage-trouble.ts'
import { type DeviceKey, loadDeviceKey } from '../tunnel/device-key.ts'
import { callEdge, type EdgeCall, fetchEdge } from '../tunnel/edge-call.ts'
import { createEdgeStore, type EdgeStoreReader, type EdgeStoreWriter, openEdgeStore } from './edge-store.ts'
import { edgeFile, isEdgeFile } from './stores.ts'

interface PartName {
  readonly id: string
  readonly principal: string
}

/** Each method refuses as `callEdge` does, and with the edge's own codes. */
export type EdgeLine = ReturnType<typeof createEdgeLine>

const anything = z.looseObject({})

/** `device`: device key of home. */
export function createEdgeLine(edge: string, device: DeviceKey) {
  const call = <T>(path: string, body: EdgeCall['body'], schema: z.ZodMiniType<T>) =>
    callEdge({ url: `${edge}/parts${path}`, body, device }, schema)
  const post = (path: string, body: object): Promise<Result<unknown>> =>
    call(path, JSON.stringify(body), anything)
  return {
    async stores(): Promise<Result<readonly string[]>> {
      const answer = await call('', null, storeListSchema)
      return answer.ok ? ok(answer.value.stores) : answer
    },
    head: (store: string) => call(`/${store}`, null, partHeadSchema),
    async page(store: string, moment: string, cursor: Cursor | null): Promise<Result<Page>> {
      const query = new URLSearchParams({ moment })
      if (cursor !== null) query.set('table', cursor.table)
      if (cursor !== null) query.set('after', String(cursor.after))
      const url = `${edge}/parts/${store}/rows?${query}`
      const answer = await fetchEdge({ url, body: null, device }, MAX_PAGE_BYTES)
      return answer.ok ? parsePage(answer.value) : answer
    },
    begin: (part: PartName & { readonly schema: readonly string[] }) =>
      call('/begin', JSON.stringify(part), importBegunSchema),
    add: (part: PartName, page: ImportRows) => post('/rows', { ...part, page }),
    end: (part: PartName & { readonly rows: number; readonly box: string | null }) => post('/end', part),
    registry: (part: { readonly id: string; readonly registry: RegistryPart }) => post('/registry', part),
  }
}

/** For a backup; null without an edge. Refusal: that of loading the device key. */
export function edgeLineOf(folder: StateFolder, edge: string | null): Result<EdgeLine | null> {
  if (edge === null) return ok(null)
  const device = loadDeviceKey(folder)
  return device.ok ? ok(createEdgeLine(edge, device.value)) : device
}

/** Refusal: frame_malformed. */
export function parsePage(bytes: Uint8Array): Result<Page> {
  const page = readJson(pageSchema, bytes)
  return page === null ? err('frame_malformed') : ok(page)
}

/** Attempts per store. It may be in use at night and change while it is read, but attempts must end. */
const TRIES = 10

interface EdgeExport {
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

interface RestoredStore {
  readonly file: string
  readonly rows: number
  /** Why the store was not restored; null if it was. */
  readonly trouble: ReasonCode | null
}

interface EdgeImportInput {
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

/** Folder in the private state folder for the files that `pfar restore --edge` decrypted. */
export const EDGE_RESTORE = 'edge-restore'

interface RestoreMethodsInput {
  readonly folder: StateFolder
  readonly edge: string | null
  readonly device: DeviceKey
  readonly sealing: Pick<SealingKey, 'openPart'>
}

export function createRestoreMethods(input: RestoreMethodsInput): Methods {
  const { folder, edge, device, sealing } = input
  return {
    restore_edge: method(z.strictObject({}), async () => {
      if (edge === null) return err('remote_unavailable')
      const line = createEdgeLine(edge, device)
      const restored = await importEdge({ from: folder.file(EDGE_RESTORE), line, sealing })
      return restored.ok ? ok({ edge, stores: restored.value }) : restored
    }),
  }
}
