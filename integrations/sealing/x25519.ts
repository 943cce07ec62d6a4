/**
 * X25519 over WebCrypto (RFC 7748), the same code at the edge and at home: both platforms provide it, so noble stays out of the
 * Worker's own code. Must not derive keys from the shared secret. Called by sealed-box.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'

/** A WebCrypto key: each platform's types name it differently. */
export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** WebCrypto accepts only bytes that are not shared with another thread. */
export type Bytes = Uint8Array<ArrayBuffer>

/** Bytes of a public key, of a private key, and of a shared secret. */
export const POINT_BYTES = 32

const ALGORITHM = { name: 'X25519' } as const

/** PKCS8 prefix of a private key (RFC 8410): WebCrypto imports one in no rawer form. */
const PKCS8_PREFIX = new Uint8Array([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 110, 4, 34, 4, 32])

export interface EphemeralKey {
  readonly privateKey: Key
  /** 32 raw bytes. */
  readonly publicKey: Bytes
}

export async function newEphemeralKey(): Promise<EphemeralKey> {
  const pair = (await crypto.subtle.generateKey(ALGORITHM, false, ['deriveBits'])) as {
    readonly privateKey: Key
    readonly publicKey: Key
  }
  return { privateKey: pair.privateKey, publicKey: await rawOf(pair.publicKey) }
}

/** Imports a private key from its 32 bytes, with its public half. */
export async function keyFrom(secret: Uint8Array): Promise<EphemeralKey> {
  const pkcs8 = new Uint8Array(PKCS8_PREFIX.length + POINT_BYTES)
  pkcs8.set(PKCS8_PREFIX)
  pkcs8.set(secret, PKCS8_PREFIX.length)
  // Extractable only for its public half: WebCrypto derives none from a private key that is not.
  const whole = await crypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, true, ['deriveBits'])
  const { x = '' } = (await crypto.subtle.exportKey('jwk', whole)) as { readonly x?: string }
  const privateKey = await crypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, false, ['deriveBits'])
  pkcs8.fill(0)
  return { privateKey, publicKey: fromBase64Url(x) }
}

/**
 * The shared secret. Refusal: key_wrong, for an invalid point and for points of low order, whose shared secret is always zero (RFC
 * 9180 §7.1.4). WebCrypto itself refuses zeros; the test vectors check that on both platforms.
 */
export async function agree(privateKey: Key, publicKey: Uint8Array): Promise<Result<Bytes>> {
  try {
    const peer = await crypto.subtle.importKey('raw', new Uint8Array(publicKey), ALGORITHM, false, [])
    // In a variable of its own, because one platform's published types name this member differently.
    const exchange = { ...ALGORITHM, public: peer }
    const bits = await crypto.subtle.deriveBits(exchange, privateKey, 256)
    return ok(new Uint8Array(bits))
  } catch {
    return err('key_wrong', { why: 'point' })
  }
}

async function rawOf(key: Key): Promise<Bytes> {
  return new Uint8Array((await crypto.subtle.exportKey('raw', key)) as ArrayBuffer)
}

function fromBase64Url(text: string): Bytes {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  )
}
