/**
 * The keys of the copies at the edge (DESIGN §6): what names a chunk, what seals it, and what a new home signs with. All
 * come from the master key, so the recovery phrase alone gives them back. Must not do I/O. Called by make-copy.ts and
 * fetch-copy.ts.
 */
import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto'
import { RECOVERY_ID } from '../../kernel/tunnel/copies.ts'
import { NONCE_BYTES, openBox, type Random, sealBox } from '../../kernel/vault/cipher.ts'
import { encodeText } from '../../kernel/vault/text.ts'
import type { DeviceKey } from '../device-key.ts'

export interface CopyKeys {
  /** The same bytes have the same name, and nobody without the key can tell which bytes. */
  nameOf(plain: Uint8Array): string
  seal(what: string, plain: Uint8Array): Uint8Array
  /** Null when it is not exactly what was sealed as `what`. */
  open(what: string, sealed: Uint8Array): Uint8Array | null
}

const KEY_BYTES = 32
/** Hex characters of a name: 128 bits. */
const NAME_LENGTH = 32
/** What stands before an Ed25519 seed in PKCS8 (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** `replica`: the key ring's key of that store. */
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

/** Additional data of a seal. `what`: the place of a chunk or a manifest. */
export function copyBound(what: string): Uint8Array {
  return encodeText(`pfar/copies/1/${what}`)
}

/** What a sealed chunk is bound to: one that is handed out under another name does not open. */
export function chunkPlace(name: string): string {
  return `chunk/${name}`
}

/** What a sealed manifest is bound to: its number, and every chunk in order. */
export function manifestPlace(number: number, chunks: readonly string[]): string {
  return `manifest/${number}/${createHash('sha256').update(chunks.join('\n')).digest('hex')}`
}

/** Signs as the recovery key. `seed`: the key ring's. */
export function recoverySigner(seed: Uint8Array): DeviceKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  if (x === undefined) throw new TypeError('not Ed25519')
  return { id: RECOVERY_ID, publicKey: x, sign: (data) => new Uint8Array(sign(null, data, key)) }
}
