/**
 * Keys of one backup: a random data key, sealed to the backup key (X25519, HKDF-SHA-256, AES-256-GCM), and one derived
 * key per file, so that a file of another backup or under another name does not open. Must not touch files. Called by
 * make.ts and open-backup.ts.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

export const DATA_KEY_BYTES = 32
const TAG_BYTES = 16
/** A constant nonce is safe: the key is used once, since each backup has a new ephemeral key. */
const ZERO_NONCE = Buffer.alloc(12)

export interface Envelope {
  /** Raw X25519 public key, base64url. */
  readonly ephemeral: string
  /** Data key and tag, base64url. */
  readonly sealed: string
}

export function sealDataKey(dataKey: Uint8Array, sealTo: string, backup: string): Envelope {
  const pair = generateKeyPairSync('x25519')
  const ephemeral = pair.publicKey.export({ format: 'jwk' }).x ?? ''
  const shared = diffieHellman({ privateKey: pair.privateKey, publicKey: publicOf(sealTo) })
  const cipher = createCipheriv('aes-256-gcm', sealingKey(shared, ephemeral, sealTo), ZERO_NONCE)
  cipher.setAAD(Buffer.from(backup))
  const sealed = Buffer.concat([cipher.update(dataKey), cipher.final(), cipher.getAuthTag()])
  return { ephemeral, sealed: sealed.toString('base64url') }
}

/** Refusal: record_unreadable, if it was sealed to another key or for another backup. */
export function openDataKey(
  envelope: Envelope,
  key: { readonly secret: KeyObject; readonly sealTo: string },
  backup: string,
): Result<Uint8Array> {
  try {
    const { ephemeral } = envelope
    const shared = diffieHellman({ privateKey: key.secret, publicKey: publicOf(ephemeral) })
    const bytes = Buffer.from(envelope.sealed, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', sealingKey(shared, ephemeral, key.sealTo), ZERO_NONCE)
    decipher.setAAD(Buffer.from(backup))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    const dataKey = Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()])
    return ok(new Uint8Array(dataKey))
  } catch {
    return err('record_unreadable', {
      file: 'manifest.json',
      problem: 'its key was sealed to another key',
    })
  }
}

/** Key for one file of one backup and one `purpose`. */
export function fileKey(
  dataKey: Uint8Array,
  purpose: 'content' | 'digest',
  file: { readonly backup: string; readonly name: string },
): Uint8Array {
  const info = `pfar/backup/1/${purpose}/${file.backup}/${file.name}`
  return new Uint8Array(hkdfSync('sha256', dataKey, '', info, DATA_KEY_BYTES))
}

function sealingKey(shared: Buffer, ephemeral: string, sealTo: string): Uint8Array {
  const salt = Buffer.from(`${ephemeral}.${sealTo}`)
  return new Uint8Array(hkdfSync('sha256', shared, salt, 'pfar/backup/1/seal', DATA_KEY_BYTES))
}

function publicOf(raw: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: raw }, format: 'jwk' })
}
