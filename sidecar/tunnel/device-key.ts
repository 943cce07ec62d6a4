/**
 * The device key: an Ed25519 key that identifies this home and its owner's terminal to the edge (T-02, B-09). Created at the
 * first start. The private key never leaves the closure in this file. Called by foundation.ts, the start script and the CLI.
 */
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { readKeyFile, type StateFolder } from '../store/state-folder.ts'

export interface DeviceKey {
  /** Fingerprint: the first 16 bytes of SHA-256 over the raw public key, hex. */
  readonly id: string
  /** Raw Ed25519 public key, base64url. */
  readonly publicKey: string
  /** Ed25519 signature, 64 bytes. */
  sign(data: Uint8Array): Uint8Array
}

const FILE = 'device.key'
const FINGERPRINT_HEX = 32

/** Refusals: storage_failed (mode, owner, unreadable), record_malformed (not an Ed25519 key). */
export function loadDeviceKey(folder: StateFolder): Result<DeviceKey> {
  const pem = readKeyFile(folder, FILE, () =>
    generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  )
  if (!pem.ok) return pem
  try {
    return ok(deviceKeyFrom(pem.value))
  } catch {
    return err('record_malformed', { file: FILE, problem: 'it is not an Ed25519 key in PKCS8' })
  }
}

function deviceKeyFrom(pem: string): DeviceKey {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('not Ed25519')
  const publicKey = createPublicKey(key).export({ format: 'jwk' }).x
  if (publicKey === undefined) throw new TypeError('not Ed25519')
  const digest = createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('hex')
  return Object.freeze({
    id: digest.slice(0, FINGERPRINT_HEX),
    publicKey,
    sign: (data: Uint8Array) => new Uint8Array(sign(null, data, key)),
  })
}
