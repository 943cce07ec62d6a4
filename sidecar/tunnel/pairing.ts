/**
 * Home's side of pairing (T-02): introduces this device to an edge by a one-time code, and pins the edge's key in `edges.json`
 * (0600) after the edge has proved that it knows the code. Home sends nothing to an edge without a pinned key. Must not trust
 * on first use. Called by `pfar pair`, `npm start` and the tunnel client.
 */

import { createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { FrameOf } from '../../kernel/tunnel/frame.ts'
import { codeKey, pairAnswerSchema, pairMac, proofBytes, sameMac } from '../../kernel/tunnel/pairing.ts'
import { readJson } from '../store/json.ts'
import { replacePrivateFile, type StateFolder } from '../store/state-folder.ts'
import type { DeviceKey } from './device-key.ts'
import { callEdge, newNonce } from './edge-call.ts'

interface EdgePin {
  /** Origin, without a trailing slash. */
  readonly url: string
  /** Raw Ed25519 public key, base64url. */
  readonly publicKey: string
  /** Highest protocol version that this edge has ever proved. A lower one is a downgrade (T-11). */
  readonly version: number
}

export interface EdgePins {
  /** Null if home was not paired with this edge. Reads the file each time, because `pfar pair` may have changed it. */
  pinOf(url: string): EdgePin | null
  /** Replaces the pin of this edge. Refusal: storage_failed. */
  pin(pin: EdgePin): Result<null>
}

const FILE = 'edges.json'
/** Most pins, the newest last: a local edge on changing ports must not grow the file without end. */
const MAX_PINS = 16

const schema = z.array(
  z.strictObject({
    url: z.string().check(z.regex(/^https?:\/\/[^/?#@\s]{1,255}$/)),
    publicKey: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)),
    version: z.int().check(z.nonnegative()),
  }),
)

export function openEdgePins(folder: StateFolder): EdgePins {
  const path = folder.file(FILE)
  return {
    pinOf: (url) => readPins(path).find((pin) => pin.url === url) ?? null,
    pin(pin) {
      const others = readPins(path).filter(({ url }) => url !== pin.url)
      return replacePrivateFile(
        folder,
        FILE,
        `${JSON.stringify([...others, pin].slice(-MAX_PINS), null, 2)}\n`,
      )
    },
  }
}

/** A damaged file counts as empty: nothing is sent until the owner pairs again. */
function readPins(path: string): readonly EdgePin[] {
  try {
    return readJson(schema, readFileSync(path, 'utf8')) ?? []
  } catch {
    return []
  }
}

interface ProofToCheck {
  readonly pin: EdgePin | null
  /** First frame of the connection. */
  readonly hello: FrameOf<'hello'>
  readonly homeNonce: string
  readonly device: string
}

/** Refusals: edge_not_pinned (no pin, no proof, another key or another connection), version_downgraded. */
export function checkEdgeProof({ pin, hello, homeNonce, device }: ProofToCheck): Result<EdgePin> {
  const { proof } = hello
  if (pin === null) return err('edge_not_pinned', { why: 'unknown' })
  if (proof === null) return err('edge_not_pinned', { why: 'silent' })
  const bytes = proofBytes({ homeNonce, edgeNonce: proof.nonce, device, hello })
  const signature = Buffer.from(proof.signature, 'base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: pin.publicKey }, format: 'jwk' })
  if (!verify(null, bytes, key, signature)) return err('edge_not_pinned', { why: 'mismatch' })
  return hello.version < pin.version
    ? err('version_downgraded', { theirs: hello.version, seen: pin.version })
    : ok({ ...pin, version: hello.version })
}

const introduced = z.strictObject({ publicKey: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)) })

interface PairInput {
  /** Origin, without a trailing slash. */
  readonly edge: string
  /** As the owner typed it. */
  readonly code: string
  readonly device: Pick<DeviceKey, 'publicKey'>
  readonly pins: EdgePins
}

/** Refusals: pairing_refused, edge_not_pinned (the edge does not know the code), those of `callEdge`, storage_failed. */
export async function pairWithEdge({ edge, code, device, pins }: PairInput): Promise<Result<null>> {
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

export type DeviceService = ReturnType<typeof createDeviceService>

const list = z.object({ devices: z.array(z.object({ id: z.string(), asking: z.boolean() })) })
const anything = z.looseObject({})

export function createDeviceService(edge: string, device: DeviceKey) {
  const call = <T>(path: string, body: object | null, schema: z.ZodMiniType<T>): Promise<Result<T>> =>
    callEdge(
      { url: `${edge}/devices${path}`, body: body === null ? null : JSON.stringify(body), device },
      schema,
    )
  return {
    async list() {
      const found = await call('', null, list)
      return found.ok ? ok(found.value.devices) : found
    },
    /** Opens a code for one more device. */
    async open(code: string): Promise<Result<unknown>> {
      const key = codeKey(code)
      if (key === null) return err('pairing_refused', { why: 'form' })
      return call('/codes', { key: Buffer.from(key).toString('base64url') }, anything)
    },
    /** Refusal: nothing_found. */
    revoke: (id: string): Promise<Result<unknown>> => call('/revoke', { id }, anything),
  }
}
