/**
 * The bytes of a sealed record: layout (1 byte, 2) | key generation (4 bytes, big endian) | a box bound to the whole address
 * (DESIGN §6). Layout 1, of the development sealer, never shipped. Must not find keys. Called by key-ring.ts.
 */
import { canonicalJson } from '../flow/json.ts'
import type { SealAddress } from './sealer.ts'
import { encodeText } from './text.ts'

const LAYOUT = 2
const HEADER_BYTES = 5

export interface RecordParts {
  readonly generation: number
  readonly box: Uint8Array
}

export function joinRecord({ generation, box }: RecordParts): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + box.length)
  const view = new DataView(bytes.buffer)
  view.setUint8(0, LAYOUT)
  view.setUint32(1, generation)
  bytes.set(box, HEADER_BYTES)
  return bytes
}

/** Null for another layout, or too few bytes. */
export function splitRecord(bytes: Uint8Array): RecordParts | null {
  if (bytes.length < HEADER_BYTES || bytes[0] !== LAYOUT) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return { generation: view.getUint32(1), box: bytes.subarray(HEADER_BYTES) }
}

/** Additional data of a record. Includes layout and generation, so that neither can be changed. */
export function recordBound(address: SealAddress, generation: number): Uint8Array {
  const { store, principal, record, label, version } = address
  return encodeText(canonicalJson([LAYOUT, generation, store, principal, record, label, version]))
}
