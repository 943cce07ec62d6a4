/**
 * A second implementation of RFC 9180 (base mode, X25519, HKDF-SHA-256, AES-256-GCM) with noble, to open what the code
 * under test has sealed. For the tests of sealing.
 */
import { gcm } from '@noble/ciphers/aes.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { expand, extract } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { BoxAddress } from '../../integrations/sealing/sealed-box.ts'

const VERSION = utf8ToBytes('HPKE-v1')
const KEM = concatBytes(utf8ToBytes('KEM'), Uint8Array.of(0, 32))
const HPKE = concatBytes(utf8ToBytes('HPKE'), Uint8Array.of(0, 32, 0, 1, 0, 2))

interface Labelled {
  readonly suite: Uint8Array
  readonly label: string
}

const labelledExtract = ({ suite, label }: Labelled, salt: Uint8Array, ikm: Uint8Array): Uint8Array =>
  extract(sha256, concatBytes(VERSION, suite, utf8ToBytes(label), ikm), salt)

const labelledExpand = (
  { suite, label }: Labelled,
  prk: Uint8Array,
  info: Uint8Array,
  length: number,
): Uint8Array =>
  expand(sha256, prk, concatBytes(Uint8Array.of(0, length), VERSION, suite, utf8ToBytes(label), info), length)

/** Throws if the box does not open. */
export function openBySecond(
  secret: Uint8Array,
  { purpose, bound }: BoxAddress,
  box: Uint8Array,
): Uint8Array {
  const none = new Uint8Array(0)
  const enc = box.slice(0, 32)
  const prk = labelledExtract({ suite: KEM, label: 'eae_prk' }, none, x25519.getSharedSecret(secret, enc))
  const both = concatBytes(enc, x25519.getPublicKey(secret))
  const shared = labelledExpand({ suite: KEM, label: 'shared_secret' }, prk, both, 32)
  const context = concatBytes(
    Uint8Array.of(0),
    labelledExtract({ suite: HPKE, label: 'psk_id_hash' }, none, none),
    labelledExtract({ suite: HPKE, label: 'info_hash' }, none, utf8ToBytes(purpose)),
  )
  const scheduled = labelledExtract({ suite: HPKE, label: 'secret' }, shared, none)
  const key = labelledExpand({ suite: HPKE, label: 'key' }, scheduled, context, 32)
  const nonce = labelledExpand({ suite: HPKE, label: 'base_nonce' }, scheduled, context, 12)
  return gcm(key, nonce, bound).decrypt(box.slice(32))
}
