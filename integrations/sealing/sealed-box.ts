/**
 * A box sealed with home's public key, which only home opens: HPKE in base mode (RFC 9180), one message per box, with X25519,
 * HKDF-SHA-256 and AES-256-GCM in WebCrypto (DESIGN §1 "Custody is not clearance", §6). Must not store a key or a value. Called by
 * the Worker, which seals, and by home's sealing key, which opens.
 *
 * Layout: ephemeral public key (32 bytes) | ciphertext | tag (16). Key and nonce are derived from an exchange of this box alone and
 * used once, so no nonce is sent. Both public keys and the purpose enter the derivation.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { agree, type Bytes, type Key, keyFrom, newEphemeralKey, POINT_BYTES } from './x25519.ts'

export interface BoxAddress {
  /** Purpose of the box: one made for another purpose does not open. */
  readonly purpose: string
  /** Additional data: opening needs the same bytes. */
  readonly bound: Uint8Array
}

const TAG_BYTES = 16
const KEY_BYTES = 32
const NONCE_BYTES = 12
const HASH_BYTES = 32

/** Numbers of RFC 9180 §7: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. */
const KEM_SUITE = join(text('KEM'), [0x00, 0x20])
const SUITE = join(text('HPKE'), [0x00, 0x20, 0x00, 0x01, 0x00, 0x02])
const BASE_MODE = [0x00]
const NOTHING = new Uint8Array(0)

/** `publicKey`: 32 raw bytes. Refusal: key_wrong, for an invalid key. */
export async function closeBox(
  publicKey: Uint8Array,
  address: BoxAddress,
  plaintext: Uint8Array,
): Promise<Result<Uint8Array>> {
  const own = await newEphemeralKey()
  const shared = await agree(own.privateKey, publicKey)
  if (!shared.ok) return shared
  const { key, nonce } = await schedule(shared.value, join(own.publicKey, publicKey), address.purpose)
  const sealed = await crypto.subtle.encrypt(cipherOf(nonce, address), key, join(plaintext))
  return ok(join(own.publicKey, new Uint8Array(sealed)))
}

/**
 * `secret`: the 32 bytes of the private key. Refusal: record_unreadable, with `why`: `layout` (too short), `point` (its key is
 * invalid), `seal` (another key, purpose or additional data, or any changed bit).
 */
export async function openClosedBox(
  secret: Uint8Array,
  address: BoxAddress,
  box: Uint8Array,
): Promise<Result<Uint8Array>> {
  if (box.length < POINT_BYTES + TAG_BYTES) return unreadable('layout')
  const theirs = join(box.slice(0, POINT_BYTES))
  const own = await keyFrom(secret)
  const shared = await agree(own.privateKey, theirs)
  if (!shared.ok) return unreadable('point')
  const { key, nonce } = await schedule(shared.value, join(theirs, own.publicKey), address.purpose)
  try {
    const plain = await crypto.subtle.decrypt(cipherOf(nonce, address), key, join(box.slice(POINT_BYTES)))
    return ok(new Uint8Array(plain))
  } catch {
    return unreadable('seal')
  }
}

/** ExtractAndExpand and KeySchedule of RFC 9180 §4.1 and §5.1, without a pre-shared key. */
async function schedule(
  agreed: Bytes,
  bothKeys: Bytes,
  purpose: string,
): Promise<{ readonly key: Key; readonly nonce: Bytes }> {
  const extracted = await extract(KEM_SUITE, { label: 'eae_prk', salt: NOTHING, from: agreed })
  const shared = await expand(
    KEM_SUITE,
    { label: 'shared_secret', from: extracted, context: bothKeys },
    HASH_BYTES,
  )
  const noPsk = await extract(SUITE, { label: 'psk_id_hash', salt: NOTHING, from: NOTHING })
  const info = await extract(SUITE, { label: 'info_hash', salt: NOTHING, from: text(purpose) })
  const context = join(BASE_MODE, noPsk, info)
  const secret = await extract(SUITE, { label: 'secret', salt: shared, from: NOTHING })
  const key = await expand(SUITE, { label: 'key', from: secret, context }, KEY_BYTES)
  const nonce = await expand(SUITE, { label: 'base_nonce', from: secret, context }, NONCE_BYTES)
  const imported = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt'])
  return { key: imported, nonce }
}

interface Extraction {
  readonly label: string
  readonly salt: Bytes
  readonly from: Bytes
}

interface Expansion {
  readonly label: string
  readonly from: Bytes
  readonly context: Bytes
}

/** LabeledExtract (RFC 9180 §4). */
function extract(suite: Bytes, { label, salt, from }: Extraction): Promise<Bytes> {
  return hmac(salt, join(text('HPKE-v1'), suite, text(label), from))
}

/** LabeledExpand (RFC 9180 §4) for `length` up to one hash: a single round of HKDF-Expand (RFC 5869 §2.3). */
async function expand(suite: Bytes, { label, from, context }: Expansion, length: number): Promise<Bytes> {
  const info = join([0, length], text('HPKE-v1'), suite, text(label), context)
  return (await hmac(from, join(info, [1]))).slice(0, length)
}

/** HMAC-SHA-256. An empty key, which WebCrypto rejects, equals one of zeros (RFC 5869 §2.2). */
async function hmac(key: Bytes, data: Bytes): Promise<Bytes> {
  const raw = key.length === 0 ? new Uint8Array(HASH_BYTES) : key
  const imported = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data))
}

function cipherOf(iv: Bytes, { bound }: BoxAddress) {
  return { name: 'AES-GCM', iv, additionalData: join(bound) }
}

function unreadable(why: 'layout' | 'point' | 'seal'): Result<never> {
  return err('record_unreadable', { why })
}

function join(...parts: readonly (Uint8Array | readonly number[])[]): Bytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

function text(input: string): Bytes {
  return new Uint8Array(new TextEncoder().encode(input))
}
