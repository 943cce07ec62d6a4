/**
 * Home's side of pairing (T-02): introduces this device to an edge by a one-time code, and pins the edge's key after
 * the edge has proved that it knows the code. Must not pin earlier. Called by `pfar pair`.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { codeKey, pairAnswerSchema, pairMac, sameMac } from '../../kernel/tunnel/pairing.ts'
import type { DeviceKey } from './device-key.ts'
import { callEdge } from './edge-call.ts'
import type { EdgePins } from './edge-pins.ts'
import { newNonce } from './request-signature.ts'

const introduced = z.strictObject({ publicKey: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)) })

export interface PairInput {
  /** Origin, without a trailing slash. */
  readonly edge: string
  /** As the owner typed it. */
  readonly code: string
  readonly device: Pick<DeviceKey, 'publicKey'>
  readonly pins: EdgePins
}

/**
 * Refusals: pairing_refused, edge_not_pinned (the edge does not know the code), those of `callEdge`, storage_failed.
 */
export async function pairWithEdge({ edge, code, device, pins }: PairInput): Promise<Result<true>> {
  const key = codeKey(code)
  if (key === null) return err('pairing_refused', { why: 'form' })
  const own = await callEdge({ url: `${edge}/pair`, body: null }, introduced)
  if (!own.ok) return own
  const nonce = newNonce()
  const { publicKey: edgeKey } = own.value
  const claims = { host: new URL(edge).host, edgeKey, deviceKey: device.publicKey, nonce }
  const mac = Buffer.from(pairMac(key, { side: 'home', ...claims })).toString('hex')
  const body = JSON.stringify({ publicKey: device.publicKey, nonce, mac })
  const answer = await callEdge({ url: `${edge}/pair`, body }, pairAnswerSchema)
  if (!answer.ok) return answer
  const expected = pairMac(key, { side: 'edge', ...claims })
  if (!sameMac(expected, new Uint8Array(Buffer.from(answer.value.mac, 'hex'))))
    return err('edge_not_pinned', { why: 'code' })
  return pins.pin({ url: edge, publicKey: edgeKey, version: 0 })
}

/** Manages the devices of an edge, as one of them. */
export interface DeviceDesk {
  list(): Promise<Result<readonly { readonly id: string; readonly asking: boolean }[]>>
  /** Opens a code for one more device. */
  open(code: string): Promise<Result<true>>
  /** Refusal: nothing_found. */
  revoke(id: string): Promise<Result<true>>
}

const list = z.object({ devices: z.array(z.object({ id: z.string(), asking: z.boolean() })) })
const anything = z.looseObject({})

export function createDeviceDesk(edge: string, device: DeviceKey): DeviceDesk {
  const ask = <T>(path: string, body: unknown, schema: z.ZodMiniType<T>): Promise<Result<T>> =>
    callEdge(
      { url: `${edge}/devices${path}`, body: body === null ? null : JSON.stringify(body), device },
      schema,
    )
  return {
    async list() {
      const found = await ask('', null, list)
      return found.ok ? ok(found.value.devices) : found
    },
    async open(code) {
      const key = codeKey(code)
      if (key === null) return err('pairing_refused', { why: 'form' })
      const opened = await ask('/codes', { key: Buffer.from(key).toString('base64url') }, anything)
      return opened.ok ? ok(true) : opened
    },
    async revoke(id) {
      const revoked = await ask('/revoke', { id }, anything)
      return revoked.ok ? ok(true) : revoked
    },
  }
}
