/**
 * Export and import of one principal's object for home's backup: its rows, and its data key sealed for home (E-13, E-16). An
 * incomplete import is invisible: until its end the object does nothing else, and a new start clears it. Must not decide who may
 * ask. Called by PrincipalObject.
 */
import { closeBox } from '../../integrations/sealing/sealed-box.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import {
  type Cursor,
  EXPORT_PURPOSE,
  type ImportRows,
  type Page,
  type PartHead,
  partBound,
} from '../../kernel/tunnel/edge-part.ts'
import { sealKeyId } from '../../kernel/vault/secret-offer.ts'
import { createImportKey } from '../import-key.ts'
import type { StorePart } from '../store-part.ts'
import { type DataKeyPlace, unwrapDataKey, wrapDataKey } from './edge-sealer.ts'

export interface PartName {
  readonly id: string
  readonly principal: string
}

export interface PartEnd extends PartName {
  readonly rows: number
  readonly box: string | null
}

export interface ObjectPart {
  /** `sealTo`: home's public key, 32 bytes. Refusal: seal_key_missing, for an invalid key. */
  head(principal: string, sealTo: Uint8Array): Promise<Result<PartHead>>
  /** Refusals: record_stale (the object changed since `moment`), nothing_found. */
  page(moment: string, cursor: Cursor | null): Result<Page>
  /** True while an import is incomplete: nothing else may run here. */
  isHalf(): boolean
  isDone(id: string): boolean
  /** Refusals: edge_not_empty, version_incompatible (rows of another schema). */
  begin(part: PartName & { readonly schema: readonly string[] }): Result<true>
  /** Refusals: event_stale (another import has begun), those of `StorePart.add`. */
  add(part: PartName, page: ImportRows): Result<true>
  /** The object must restart afterwards. Refusals: event_stale, copy_incomplete, record_unreadable. */
  end(part: PartEnd): Promise<Result<true>>
}

export interface ObjectPartInput extends DataKeyPlace {
  readonly kv: SyncKvStorage
  readonly store: StorePart
}

const HALF = 'import:half'
const DONE = 'import:done'

export function createObjectPart(input: ObjectPartInput): ObjectPart {
  const { kv, store, wrappingKey } = input
  const isHalf = (): boolean => kv.get(HALF) !== undefined
  const isDone = (id: string): boolean => kv.get(DONE) === id
  const isThis = ({ id }: PartName): boolean => kv.get(HALF) === id
  return {
    async head(principal, sealTo) {
      const id = crypto.randomUUID().replaceAll('-', '')
      const key = await unwrapDataKey(input)
      const sealed = key === null ? ok(null) : await boxed({ id, principal }, sealTo, key)
      if (!sealed.ok) return sealed
      // Read last and without a wait in between: the first page belongs to this moment.
      const [moment, schema] = [store.moment(), [...store.schema()]]
      return ok({ id, principal, moment, schema, sealed: sealed.value, registry: null })
    },
    page: (moment, cursor) => (moment === store.moment() ? store.page(cursor) : err('record_stale')),
    isHalf,
    isDone,
    begin({ id, schema }) {
      if (!isHalf() && store.rows() > 0) return err('edge_not_empty', { rows: store.rows() })
      if (schema.join() !== store.schema().join()) return err('version_incompatible')
      kv.put(HALF, id)
      store.clear()
      return ok(true)
    },
    add: (part, page) => (isThis(part) ? store.add(part.principal, page) : err('event_stale')),
    async end(part) {
      if (!isThis(part)) return isDone(part.id) ? ok(true) : err('event_stale')
      if (store.rows() !== part.rows) return err('copy_incomplete', { rows: store.rows(), of: part.rows })
      const opened = part.box === null ? ok(null) : await createImportKey(wrappingKey).open(part, part.box)
      if (!opened.ok) return opened
      if (opened.value !== null) await wrapDataKey(input, opened.value)
      kv.put(DONE, part.id)
      kv.delete(HALF)
      return ok(true)
    },
  }
}

async function boxed(
  part: PartName,
  sealTo: Uint8Array,
  key: Uint8Array,
): Promise<Result<PartHead['sealed']>> {
  const box = await closeBox(sealTo, { purpose: EXPORT_PURPOSE, bound: partBound(part) }, key)
  if (!box.ok) return err('seal_key_missing', box.reason.facts)
  const text = box.value.toBase64({ alphabet: 'base64url', omitPadding: true })
  return ok({ key: sealKeyId(sealTo), box: text })
}
