/**
 * The edge's cipher for rows at rest: AES-256-GCM under a random data key per object, which one Worker secret wraps (DESIGN §6,
 * B-13). The address is additional data, so a row that was moved, relabelled or rolled back does not open. Must not see anything
 * above `internal`: such tasks run at home. Called by PrincipalObject and object-part.ts, which exports an object's key.
 */
import { canonicalJson } from '../../kernel/flow/json.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { blindNumber, blindPurpose, type SealAddress, type Sealer } from '../../kernel/vault/sealer.ts'

/** Storage of one object's wrapped data key. */
export interface WrappedKeyStore {
  load(): Uint8Array | null
  save(wrapped: Uint8Array): void
}

/** What wraps one object's data key, and where it is stored. */
export interface KeyPlace {
  /** 32 bytes: the Worker secret. */
  readonly wrappingKey: Uint8Array
  /** Name of the object. It is bound into the wrapping, so a key copied into another object does not open there. */
  readonly object: string
  readonly wrappedKeys: WrappedKeyStore
}

export interface EdgeSealerInput extends KeyPlace {
  /** While true nothing is sealed or opened, and the data key is not unwrapped (T-10). */
  readonly locked: () => boolean
}

/** Bytes of a GCM nonce. Random nonces are safe for the 2^32 rows per key that NIST SP 800-38D allows. */
const NONCE_BYTES = 12
const KEY_BYTES = 32
const CIPHER = 'AES-GCM'
const DATA_KEY = 'data-key'
const HASH = 'SHA-256'
const MAC = { name: 'HMAC', hash: HASH, length: 256 } as const
const UTF8 = new TextEncoder()

export function keyPlace({ id, storage: { kv } }: DurableObjectState, wrappingKey: Uint8Array): KeyPlace {
  return {
    wrappingKey,
    object: id.toString(),
    wrappedKeys: {
      load: () => kv.get<Uint8Array>(DATA_KEY) ?? null,
      save: (wrapped) => kv.put(DATA_KEY, wrapped),
    },
  }
}

export function createEdgeSealer(input: EdgeSealerInput): Sealer {
  let unwrapped: Promise<ObjectKeys> | undefined
  const keys = (): Promise<ObjectKeys> => {
    unwrapped ??= openDataKey(input).catch((error: unknown) => {
      unwrapped = undefined
      throw error
    })
    return unwrapped
  }
  return {
    async seal(address, plaintext) {
      // Callers check the lock first; a code path that forgets to must fail here.
      if (input.locked()) throw new Error('the edge is locked')
      return encrypt((await keys()).rows, addressBytes(address), plaintext)
    },
    async open(address, sealed) {
      if (input.locked()) return err('edge_locked', { record: address.record })
      try {
        return ok(await decrypt((await keys()).rows, addressBytes(address), sealed))
      } catch {
        return err('record_unreadable', { record: address.record })
      }
    },
    async blind(scope, words) {
      if (input.locked()) throw new Error('the edge is locked')
      const info = UTF8.encode(blindPurpose(scope))
      const from = { name: 'HKDF', hash: HASH, salt: new Uint8Array(), info }
      const key = await crypto.subtle.deriveKey(from, (await keys()).words, MAC, false, ['sign'])
      const hashes = words.map((word) => crypto.subtle.sign('HMAC', key, UTF8.encode(word)))
      return (await Promise.all(hashes)).map((hash) => blindNumber(new Uint8Array(hash)))
    },
  }
}

/** Unwraps the object's key, or makes one when it has none. Throws when the key does not unwrap: it is never replaced. */
async function openDataKey(input: EdgeSealerInput): Promise<ObjectKeys> {
  const known = await unwrapDataKey(input)
  if (known !== null) return keysFrom(known)
  const fresh = crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  await wrapDataKey(input, fresh)
  return keysFrom(fresh)
}

/** What one data key is used for; neither use can read it out. */
interface ObjectKeys {
  readonly rows: CryptoKey
  /** What the keys of the word index derive from. */
  readonly words: CryptoKey
}

async function keysFrom(raw: Uint8Array): Promise<ObjectKeys> {
  const words = await crypto.subtle.importKey('raw', raw, 'HKDF', false, ['deriveKey'])
  return { rows: await importKey(raw), words }
}

/** The raw data key, to be sealed for home; null when the object has none yet. Throws for one that does not unwrap. */
export async function unwrapDataKey({
  wrappingKey,
  object,
  wrappedKeys,
}: KeyPlace): Promise<Uint8Array | null> {
  const wrapped = wrappedKeys.load()
  return wrapped === null ? null : decrypt(await importKey(wrappingKey), bindingOf(object), wrapped)
}

/** Stores a data key, for an object that has none or whose rows are sealed with it. */
export async function wrapDataKey(
  { wrappingKey, object, wrappedKeys }: KeyPlace,
  key: Uint8Array,
): Promise<void> {
  if (key.length !== KEY_BYTES) throw new RangeError('a key must have 32 bytes')
  wrappedKeys.save(await encrypt(await importKey(wrappingKey), bindingOf(object), key))
}

function bindingOf(object: string): Uint8Array {
  return UTF8.encode(`pfar:data-key:${object}`)
}

async function encrypt(
  key: CryptoKey,
  additionalData: Uint8Array,
  plaintext: Uint8Array,
): Promise<Uint8Array> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const sealed = await crypto.subtle.encrypt({ name: CIPHER, iv, additionalData }, key, plaintext)
  const whole = new Uint8Array(NONCE_BYTES + sealed.byteLength)
  whole.set(iv)
  whole.set(new Uint8Array(sealed), NONCE_BYTES)
  return whole
}

async function decrypt(key: CryptoKey, additionalData: Uint8Array, sealed: Uint8Array): Promise<Uint8Array> {
  const iv = sealed.subarray(0, NONCE_BYTES)
  const body = sealed.subarray(NONCE_BYTES)
  return new Uint8Array(await crypto.subtle.decrypt({ name: CIPHER, iv, additionalData }, key, body))
}

function importKey(raw: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', raw, CIPHER, false, ['encrypt', 'decrypt'])
}

function addressBytes({ store, principal, record, label, version }: SealAddress): Uint8Array {
  return UTF8.encode(canonicalJson([store, principal, record, label, version]))
}
