/**
 * Keys of the copies at the edge (DESIGN §6): for naming chunks, sealing them, and signing as a new home. All derive
 * from the master key, so the recovery phrase alone restores them. Must not do I/O. Called by make-copy.ts and
 * fetch-copy.ts.
 */
import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto'
import { RECOVERY_ID } from '../../kernel/tunnel/copies.ts'
import { NONCE_BYTES, openBox, type Random, sealBox } from '../../kernel/vault/cipher.ts'
import { encodeText } from '../../kernel/vault/text.ts'
import type { DeviceKey } from '../tunnel/device-key.ts'

export interface CopyKeys {
  /** Keyed hash: equal bytes have equal names, and without the key a name reveals nothing about them. */
  nameOf(plain: Uint8Array): string
  seal(what: string, plain: Uint8Array): Uint8Array
  /** Null if it is not exactly what was sealed as `what`. */
  open(what: string, sealed: Uint8Array): Uint8Array | null
}

const KEY_BYTES = 32
/** Hex characters of a name: 128 bits. */
const NAME_LENGTH = 32
/** PKCS8 header of an Ed25519 seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** `replica`: key of the store `replica` from the key ring. */
export function createCopyKeys(replica: Uint8Array, random: Random): CopyKeys {
  const keyFor = (purpose: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', replica, '', purpose, KEY_BYTES))
  const naming = keyFor('pfar/copies/1/name')
  const sealing = keyFor('pfar/copies/1/seal')
  return {
    nameOf: (plain) => createHmac('sha256', naming).update(plain).digest('hex').slice(0, NAME_LENGTH),
    seal: (what, plain) => sealBox(sealing, { nonce: random(NONCE_BYTES), bound: copyBound(what) }, plain),
    open: (what, sealed) => openBox(sealing, copyBound(what), sealed),
  }
}

/** Additional authenticated data of a seal. `what`: the place of a chunk or a manifest. */
export function copyBound(what: string): Uint8Array {
  return encodeText(`pfar/copies/1/${what}`)
}

/** Binds a sealed chunk to its name: under another name it does not open. */
export function chunkPlace(name: string): string {
  return `chunk/${name}`
}

/** Binds a sealed manifest to its number and the ordered list of chunks. */
export function manifestPlace(number: number, chunks: readonly string[]): string {
  return `manifest/${number}/${createHash('sha256').update(chunks.join('\n')).digest('hex')}`
}

/** Signs with the recovery key. `seed`: from the key ring. */
export function recoverySigner(seed: Uint8Array): DeviceKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  if (x === undefined) throw new TypeError('not Ed25519')
  return { id: RECOVERY_ID, publicKey: x, sign: (data) => new Uint8Array(sign(null, data, key)) }
}
