/**
 * Keys and address of the local edge, in one file (0600), created at the first start. The edge's stored rows are sealed
 * with these keys. They must not leave the machine. Called by bring-up.ts and edge.ts.
 */
import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { type EdgeRecord, readEdgeRecord } from '../../sidecar/cli/line/own-edge.ts'
import { done, type Outcome, trouble } from './outcome.ts'

const KEY_BYTES = 32
/** PKCS8 header of an Ed25519 seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A record with all of its keys. */
export type LocalEdge = EdgeRecord & { readonly keys: { readonly sign: string } }

/** Public key of the local edge, which home pins: base64url of 32 bytes. */
export function publicKeyOf({ keys }: LocalEdge): string {
  const seed = Buffer.from(keys.sign, 'base64url')
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  if (x === undefined) throw new Error('no public key')
  return x
}

/** The record with this run's port. A damaged file is not replaced: its keys may still be recovered by hand. */
export function ensureEdgeRecord(path: string, port: number): Outcome<LocalEdge> {
  const found = readEdgeRecord(path)
  if (!found.ok) {
    return trouble(
      `${path} is damaged. Restore it, or delete it together with its folder to start the edge afresh.`,
    )
  }
  const known = found.value?.keys ?? { seal: newKey(), token: newKey(), name: newKey() }
  const keys = { ...known, sign: known.sign ?? newKey() }
  const record = { url: `http://127.0.0.1:${port}`, port, keys }
  const draft = `${path}.new`
  writeFileSync(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path)
  return done(record)
}

function newKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url')
}
