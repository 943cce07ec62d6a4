/**
 * Public key of each edge that home was paired with, by origin, in `edges.json` (0600) of the state folder (T-02). Home
 * sends nothing to an edge without a pinned key. Must not trust on first use. Written by `pfar pair` and `npm start`;
 * read by the tunnel client.
 */
import { createPublicKey, verify } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { FrameOf } from '../../kernel/tunnel/frame.ts'
import { proofBytes } from '../../kernel/tunnel/proof.ts'
import type { StateFolder } from '../store/state-folder.ts'

export interface EdgePin {
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
  pin(pin: EdgePin): Result<true>
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
      try {
        const draft = `${path}.${process.pid}`
        const text = JSON.stringify([...others, pin].slice(-MAX_PINS), null, 2)
        writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true })
        renameSync(draft, path)
        return ok(true)
      } catch {
        return err('storage_failed', { file: FILE, problem: 'it cannot be written' })
      }
    },
  }
}

/** A damaged file counts as empty: nothing is sent until the owner pairs again. */
function readPins(path: string): readonly EdgePin[] {
  try {
    const parsed = z.safeParse(schema, JSON.parse(readFileSync(path, 'utf8')))
    return parsed.success ? parsed.data : []
  } catch {
    return []
  }
}

export interface ProofToCheck {
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
