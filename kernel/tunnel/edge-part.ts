/**
 * What the edge holds, on its way into home's backup and back into an empty edge (E-13, E-16): what is said over HTTP
 * about stores and their rows, and how much of both there may be. Rows travel as they lie, sealed; their key travels in
 * a box of its own. Pure; must not open or close a box. Called by the Worker's routes and by home's backup.
 */
import * as z from 'zod/mini'
import { canonicalJson } from '../flow/json.ts'
import { encodeText } from '../vault/text.ts'

/** Bytes of rows after which a page ends: what a request may cost in memory. The row that passes it is in the page. */
export const PAGE_BYTES = 262_144
/** Bytes of a page: one row of a million bytes, as base64, and what was there before it. */
export const MAX_PAGE_BYTES = 2_097_152
/** Stores of one edge: a person and whoever writes to him. */
export const MAX_EDGE_STORES = 2_000
/** Bytes of one store: an edge that was taken over must not fill home's disk. */
export const MAX_STORE_BYTES = 536_870_912

/** The store of devices and of the link's audit; every other one is named by its object, a keyed hash. */
export const REGISTRY = 'registry'

/** Boxes made for the one do not open as the other. */
export const EXPORT_PURPOSE = 'pfar/edge-export/1'
export const IMPORT_PURPOSE = 'pfar/edge-import/1'

const storeName = z.string().check(z.regex(/^(?:registry|[0-9a-f]{64})$/))
const word = z.string().check(z.regex(/^[a-z][a-z0-9_]{0,63}$/))
const key = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))
const box = z.string().check(z.regex(/^[A-Za-z0-9_-]{64,200}$/))
const partId = z.string().check(z.regex(/^[0-9a-f]{32}$/))
const principal = z.string().check(z.minLength(1), z.maxLength(200))
const count = z.int().check(z.nonnegative())
const deviceId = z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/))

/** One value of a row; bytes as base64. */
const cell = z.union([
  z.null(),
  z.number(),
  z.string(),
  z.strictObject({ bytes: z.string().check(z.regex(/^[A-Za-z0-9+/]*={0,2}$/)) }),
])
export type Cell = z.output<typeof cell>

const rows = {
  table: word,
  columns: z.array(word).check(z.maxLength(64)),
  rows: z.array(z.array(cell)),
}

export const storeListSchema = z.strictObject({
  stores: z.array(storeName).check(z.maxLength(MAX_EDGE_STORES)),
})

const registry = z.strictObject({
  /** Those that were paired; what is configured comes with a deployment. */
  devices: z.array(z.strictObject({ id: deviceId, publicKey: key })).check(z.maxLength(64)),
  /** Their signatures must not count again. */
  revoked: z.array(deviceId).check(z.maxLength(1_000)),
  timezone: z.nullable(z.string().check(z.maxLength(64))),
})
export type RegistryPart = z.output<typeof registry>

/** What is told of a store before its rows. */
export const partHeadSchema = z.strictObject({
  /** Random: putting the same part in twice is doing so once. */
  id: partId,
  /** Whose store it is; null for the registry. */
  principal: z.nullable(principal),
  /** Every page must be of this moment: a store that changes in between is read anew. */
  moment: z.string().check(z.minLength(1), z.maxLength(100)),
  /** Migrations that it had applied. */
  schema: z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.maxLength(1_000)),
  /** The key of its rows, in a box for home's key of this name; null when it has none. */
  sealed: z.nullable(z.strictObject({ key: z.string().check(z.regex(/^[0-9a-f]{32}$/)), box })),
  registry: z.nullable(registry),
})
export type PartHead = z.output<typeof partHeadSchema>

/** Where a page begins: rows of a table after this one. */
export const cursorSchema = z.strictObject({ table: word, after: count })
export type Cursor = z.output<typeof cursorSchema>

export const pageSchema = z.strictObject({ ...rows, next: z.nullable(cursorSchema) })
export type Page = z.output<typeof pageSchema>

/** An import names its part and its owner; the edge finds the object. */
const part = { id: partId, principal }
export const importBeginSchema = z.strictObject({ ...part, schema: partHeadSchema.shape.schema })
/** `done`: this very part is there already; `sealTo`: for whom the key of its rows is to be closed. */
export const importBegunSchema = z.strictObject({ done: z.boolean(), sealTo: key })
export const importPageSchema = z.strictObject({ ...part, page: z.strictObject(rows) })
export type ImportRows = z.output<typeof importPageSchema>['page']
export const importEndSchema = z.strictObject({
  ...part,
  /** How many rows there must be by now, of all tables. */
  rows: count,
  box: z.nullable(box),
})
export const importRegistrySchema = z.strictObject({ id: partId, registry })

/** Additional data of either box: moved to another part or person it does not open. */
export function partBound({
  id,
  principal,
}: {
  readonly id: string
  readonly principal: string | null
}): Uint8Array {
  return encodeText(canonicalJson(['edge-part', 1, id, principal]))
}
