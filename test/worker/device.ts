/** The test device: a fixed Ed25519 key, so that configuration and tests agree on it. Not a secret of anyone. */
import { ed25519 } from '@noble/curves/ed25519.js'

export interface TestDevice {
  readonly id: string
  readonly publicKey: Uint8Array
  readonly sign: (data: Uint8Array) => Uint8Array
}

export function testDevice(id: string, fill: number): TestDevice {
  const secret = new Uint8Array(32).fill(fill)
  return { id, publicKey: ed25519.getPublicKey(secret), sign: (data) => ed25519.sign(data, secret) }
}

/** Enrolled in `bindings.ts`. */
export const DEVICE: TestDevice = testDevice('laptop', 7)
/** Not enrolled anywhere. */
export const STRANGER: TestDevice = testDevice('laptop', 8)

export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export function fromBase64Url(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
}
