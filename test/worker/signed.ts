/** Signed requests as the owner's terminal makes them; every part can be replaced by a wrong one. */
import { appendSignature, createSignature } from 'http-message-sig'
import { DEVICE, type TestDevice } from './device.ts'

export const EDGE = 'https://edge.test'

export interface SignOptions {
  readonly method?: string
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly device?: TestDevice
  /** Milliseconds by which the signature's date differs from now. */
  readonly shift?: number
  readonly nonce?: string
  readonly components?: readonly string[]
  /** Leaves the date out. */
  readonly undated?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

export async function signed(path: string, options: SignOptions = {}): Promise<Request> {
  const { method = options.body === undefined ? 'GET' : 'POST', body, device = DEVICE } = options
  const headers = new Headers(options.headers)
  if (body !== undefined) headers.set('content-digest', await digestOf(body))
  const request = new Request(EDGE + path, { method, headers, ...(body === undefined ? {} : { body }) })
  const covered = [
    '@method',
    '@authority',
    '@path',
    '@query',
    ...(body === undefined ? [] : ['content-digest']),
  ]
  const fields = await createSignature(request, {
    components: options.components ?? covered,
    parameters: {
      ...(options.undated !== true && {
        created: Math.floor((Date.now() + (options.shift ?? 0)) / 1_000),
      }),
      nonce: options.nonce ?? crypto.randomUUID(),
      keyid: device.id,
      alg: 'ed25519',
    },
    signer: { algorithm: 'ed25519', sign: device.sign },
  })
  return new Request(request, { headers: appendSignature(request.headers, fields) })
}

async function digestOf(body: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const digest = await crypto.subtle.digest('SHA-256', bytes)
  return `sha-256=:${btoa(String.fromCharCode(...new Uint8Array(digest)))}:`
}
