/**
 * HTTP messages and limits for exporting the edge's stores into home's backup and importing them into an empty edge (E-13,
 * E-16). Rows travel as stored, sealed; their key travels in a separate sealed box. Pure; must not open or close a box. Called
 * by the Worker's routes and by home's backup.
 */
import * as z from 'zod/mini'
import { canonicalJson } from '../flow/json.ts'
import { encodeText } from '../vault/text.ts'

/**
 * A page ends once its rows reach this many bytes; the row that crosses the limit is included. Limits the memory of a request.
 */
export const PAGE_BYTES = 262_144
/** Maximum bytes of a page: one row of a million bytes as base64, plus the rows before it. */
export const MAX_PAGE_BYTES = 2_097_152
/** Maximum number of stores of one edge: one for the owner and one for each sender. */
export const MAX_EDGE_STORES = 2_000
/** Maximum bytes of one store: a compromised edge must not fill home's disk. */
export const MAX_STORE_BYTES = 536_870_912

/** The store of devices and of the link's audit. Every other store is named by its object, a keyed hash. */
export const REGISTRY = 'registry'

/** Purposes of the boxes: a box sealed for the export does not open as one for the import, and the reverse. */
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

/** One value of a row; bytes are base64. */
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
  /** Paired devices only. Configured devices come with a deployment. */
  devices: z.array(z.strictObject({ id: deviceId, publicKey: key })).check(z.maxLength(64)),
  /** Revoked devices, whose signatures must stay invalid after an import. */
  revoked: z.array(deviceId).check(z.maxLength(1_000)),
  timezone: z.nullable(z.string().check(z.maxLength(64))),
})
export type RegistryPart = z.output<typeof registry>

/** Header of a store, sent before its rows. */
export const partHeadSchema = z.strictObject({
  /** Random id. Importing the same part twice has the effect of importing it once. */
  id: partId,
  /** Principal that the store belongs to; null for the registry. */
  principal: z.nullable(principal),
  /** Every page must carry this value. A store that changes during the export is read again from the start. */
  moment: z.string().check(z.minLength(1), z.maxLength(100)),
  /** Applied migrations. */
  schema: z.array(z.string().check(z.minLength(1), z.maxLength(100))).check(z.maxLength(1_000)),
  /** Key of the store's rows, sealed to the home key of this name; null when the store has none. */
  sealed: z.nullable(z.strictObject({ key: z.string().check(z.regex(/^[0-9a-f]{32}$/)), box })),
  registry: z.nullable(registry),
})
export type PartHead = z.output<typeof partHeadSchema>

/** Start of a page: rows of this table after this one. */
export const cursorSchema = z.strictObject({ table: word, after: count })
export type Cursor = z.output<typeof cursorSchema>

export const pageSchema = z.strictObject({ ...rows, next: z.nullable(cursorSchema) })
export type Page = z.output<typeof pageSchema>

/** An import names the part and its principal; the edge finds the object. */
const part = { id: partId, principal }
export const importBeginSchema = z.strictObject({ ...part, schema: partHeadSchema.shape.schema })
/** `done`: this part was imported before. `sealTo`: public key to which the key of its rows must be sealed. */
export const importBegunSchema = z.strictObject({ done: z.boolean(), sealTo: key })
export const importPageSchema = z.strictObject({ ...part, page: z.strictObject(rows) })
export type ImportRows = z.output<typeof importPageSchema>['page']
export const importEndSchema = z.strictObject({
  ...part,
  /** Total number of rows that must have arrived by now, over all tables. */
  rows: count,
  box: z.nullable(box),
})
export const importRegistrySchema = z.strictObject({ id: partId, registry })

/** Additional data of either box. A box moved to another part or principal does not open. */
export function partBound({
  id,
  principal,
}: {
  readonly id: string
  readonly principal: string | null
}): Uint8Array {
  return encodeText(canonicalJson(['edge-part', 1, id, principal]))
}
