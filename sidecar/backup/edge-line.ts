/**
 * Client for the edge's backup routes: signs each request and validates each response (E-13, E-16). Must not open or
 * store what it transfers. Called by edge-export.ts and edge-import.ts.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import {
  type Cursor,
  type ImportRows,
  importBegunSchema,
  MAX_PAGE_BYTES,
  type Page,
  type PartHead,
  pageSchema,
  partHeadSchema,
  type RegistryPart,
  storeListSchema,
} from '../../kernel/tunnel/edge-part.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { type DeviceKey, loadDeviceKey } from '../tunnel/device-key.ts'
import { callEdge, type EdgeCall, fetchEdge } from '../tunnel/edge-call.ts'

interface PartName {
  readonly id: string
  readonly principal: string
}

/** Each method refuses as `callEdge` does, and with the edge's own codes. */
export interface EdgeLine {
  stores(): Promise<Result<readonly string[]>>
  head(store: string): Promise<Result<PartHead>>
  page(store: string, moment: string, cursor: Cursor | null): Promise<Result<Page>>
  begin(
    part: PartName & { readonly schema: readonly string[] },
  ): Promise<Result<z.output<typeof importBegunSchema>>>
  add(part: PartName, page: ImportRows): Promise<Result<unknown>>
  end(part: PartName & { readonly rows: number; readonly box: string | null }): Promise<Result<unknown>>
  registry(part: { readonly id: string; readonly registry: RegistryPart }): Promise<Result<unknown>>
}

const anything = z.looseObject({})

/** `device`: device key of home. */
export function createEdgeLine(edge: string, device: DeviceKey): EdgeLine {
  const call = <T>(path: string, body: EdgeCall['body'], schema: z.ZodMiniType<T>) =>
    callEdge({ url: `${edge}/parts${path}`, body, device }, schema)
  const post = (path: string, body: object) => call(path, JSON.stringify(body), anything)
  return {
    async stores() {
      const answer = await call('', null, storeListSchema)
      return answer.ok ? ok(answer.value.stores) : answer
    },
    head: (store) => call(`/${store}`, null, partHeadSchema),
    async page(store, moment, cursor) {
      const query = new URLSearchParams({ moment })
      if (cursor !== null) query.set('table', cursor.table)
      if (cursor !== null) query.set('after', String(cursor.after))
      const url = `${edge}/parts/${store}/rows?${query}`
      const answer = await fetchEdge({ url, body: null, device }, MAX_PAGE_BYTES)
      return answer.ok ? parsePage(answer.value) : answer
    },
    begin: (part) => call('/begin', JSON.stringify(part), importBegunSchema),
    add: (part, page) => post('/rows', { ...part, page }),
    end: (part) => post('/end', part),
    registry: (part) => post('/registry', part),
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
  try {
    const parsed = z.safeParse(pageSchema, JSON.parse(Buffer.from(bytes).toString()))
    return parsed.success ? ok(parsed.data) : err('frame_malformed')
  } catch {
    return err('frame_malformed')
  }
}
