/**
 * Export and import of one principal's object for home's backup: its rows, and its data key sealed for home (E-13, E-16). While
 * an import is incomplete the object does nothing else; a new import clears what an unfinished one wrote. Must not store what it
 * opens. Called by PrincipalObject, and by worker/edge-parts.ts.
 */

import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { closeBox, openClosedBox } from '../../integrations/sealing/sealed-box.ts'
import { keyFrom } from '../../integrations/sealing/x25519.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import {
  type Cursor,
  EXPORT_PURPOSE,
  IMPORT_PURPOSE,
  type ImportRows,
  type Page,
  type PartHead,
  partBound,
} from '../../kernel/tunnel/edge-part.ts'
import { sealKeyId } from '../../kernel/vault/secret-offer.ts'
import type { StorePart } from '../store-part.ts'
import { type KeyPlace, unwrapDataKey, wrapDataKey } from './edge-sealer.ts'
import { type Gate, IMPORTING } from './gate.ts'

export interface PartName {
  readonly id: string
  readonly principal: string
}

export interface PartEnd extends PartName {
  readonly rows: number
  readonly box: string | null
}

/** A part to import, with the schema of its rows. */
export type PartStart = PartName & { readonly schema: readonly string[] }

interface ObjectPartInput extends KeyPlace {
  readonly kv: SyncKvStorage
  readonly store: StorePart
  readonly gate: Gate
  /** Ends this instance once its rows are durable, so that no earlier state stays in memory. */
  readonly restart: () => Promise<void>
}

const DONE = 'import:done'

export type ObjectPart = ReturnType<typeof createObjectPart>

export function createObjectPart(input: ObjectPartInput) {
  const { kv, store, gate, wrappingKey, restart } = input
  const isDone = (id: string): boolean => kv.get(DONE) === id
  const isThis = ({ id }: PartName): boolean => kv.get(IMPORTING) === id
  const finish = async (part: PartEnd): Promise<Result<true>> => {
    if (!isThis(part)) return err('event_stale')
    if (store.rows() !== part.rows) return err('copy_incomplete', { rows: store.rows(), of: part.rows })
    const opened = part.box === null ? ok(null) : await createImportKey(wrappingKey).open(part, part.box)
    if (!opened.ok) return opened
    if (opened.value !== null) await wrapDataKey(input, opened.value)
    kv.put(DONE, part.id)
    kv.delete(IMPORTING)
    return ok(true)
  }
  return {
    /** `sealTo`: home's public key, 32 bytes. Refusals: nothing_found, edge_locked, seal_key_missing (not a valid key). */
    async head(sealTo: Uint8Array): Promise<Result<PartHead>> {
      const principal = gate.known()
      if (principal === undefined) return err('nothing_found')
      const own = await gate.open(principal)
      if (!own.ok) return own
      const id = crypto.randomUUID().replaceAll('-', '')
      const key = await unwrapDataKey(input)
      const sealed = key === null ? ok(null) : await boxed({ id, principal }, sealTo, key)
      if (!sealed.ok) return sealed
      // Read last and without a wait in between: the first page belongs to this moment.
      const [moment, schema] = [store.moment(), [...store.schema()]]
      return ok({ id, principal, moment, schema, sealed: sealed.value, registry: null })
    },
    /** Refusals: edge_locked, record_stale (the object changed since `moment`), nothing_found. */
    page(moment: string, cursor: Cursor | null): Result<Page> {
      if (gate.isLocked()) return err('edge_locked')
      return moment === store.moment() ? store.page(cursor) : err('record_stale')
    },
    /** True when this part was imported before. Refusals: edge_locked, edge_not_empty, version_incompatible (another schema). */
    async begin({ id, principal, schema }: PartStart): Promise<Result<boolean>> {
      const own = gate.own(principal)
      if (!own.ok) return own
      await gate.join()
      if (gate.isLocked()) return err('edge_locked')
      if (isDone(id)) return ok(true)
      if (kv.get(IMPORTING) === undefined && store.rows() > 0)
        return err('edge_not_empty', { rows: store.rows() })
      if (schema.join() !== store.schema().join()) return err('version_incompatible')
      kv.put(IMPORTING, id)
      store.clear()
      return ok(false)
    },
    /** Refusals: event_stale (another import has begun), those of `StorePart.add`. */
    add(part: PartName, page: ImportRows): Result<true> {
      const own = gate.own(part.principal)
      if (!own.ok) return own
      return isThis(part) ? store.add(part.principal, page) : err('event_stale')
    },
    /**
     * The object restarts at the end, so its caller sees an error and asks again. Refusals: event_stale, copy_incomplete,
     * record_unreadable.
     */
    async end(part: PartEnd): Promise<Result<true>> {
      const own = gate.own(part.principal)
      if (!own.ok || isDone(part.id)) return own
      const ended = await finish(part)
      if (ended.ok) await restart()
      return ended
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

const KEY_BYTES = 32

/** Key pair of the edge for restoring a backup: home seals the data key of returning rows to it. `sealKey`: 32 bytes, the Worker secret. */
export function createImportKey(sealKey: Uint8Array) {
  const secret = (): Uint8Array =>
    hkdf(sha256, sealKey, undefined, utf8ToBytes('pfar:edge-import'), KEY_BYTES)
  return {
    /** 32 bytes, base64url. */
    async publicKey(): Promise<string> {
      const { publicKey } = await keyFrom(secret())
      return publicKey.toBase64({ alphabet: 'base64url', omitPadding: true })
    },
    /** Refusal: record_unreadable (sealed for another part, principal or edge, or altered). */
    open(part: PartName, box: string): Promise<Result<Uint8Array>> {
      const address = { purpose: IMPORT_PURPOSE, bound: partBound(part) }
      return openClosedBox(secret(), address, Uint8Array.fromBase64(box, { alphabet: 'base64url' }))
    },
  }
}
