/**
 * Format of the copies at the edge (DESIGN §6): keys for naming, sealing and signing, all derived from the master key, so that
 * the recovery phrase alone restores them; the sealed manifest of a generation; and the note of the newest one sent. Called
 * by make-copy.ts, recover-home.ts and job.ts.
 */

import { createHash, createHmac, createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { parseJson } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { CHUNK_BYTES, type CopyGeneration, RECOVERY_ID } from '../../kernel/tunnel/copies.ts'
import { NONCE_BYTES, openBox, type Random, sealBox } from '../../kernel/vault/cipher.ts'
import { encodeText } from '../../kernel/vault/text.ts'
import { isBackedUp } from '../backup/stores.ts'
import { readJson } from '../store/json.ts'
import { replacePrivateFile, type StateFolder } from '../store/state-folder.ts'
import type { DeviceKey } from '../tunnel/device-key.ts'

export interface CopyKeys {
  /** Keyed hash: equal bytes have equal names, and without the key a name reveals nothing about them. */
  nameOf(plain: Uint8Array): string
  seal(what: string, plain: Uint8Array): Uint8Array
  /** Null if it is not exactly what was sealed as `what`. */
  open(what: string, sealed: Uint8Array): Uint8Array | null
}

const KEY_BYTES = 32
/** Hex characters of a name: 128 bits. */
const NAME_LENGTH = 32
/** PKCS8 header of an Ed25519 seed (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** `replica`: key of the store `replica` from the key ring. */
export function createCopyKeys(replica: Uint8Array, random: Random): CopyKeys {
  const keyFor = (purpose: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', replica, '', purpose, KEY_BYTES))
  const naming = keyFor('pfar/copies/1/name')
  const sealing = keyFor('pfar/copies/1/seal')
  return {
    nameOf: (plain) => createHmac('sha256', naming).update(plain).digest('hex').slice(0, NAME_LENGTH),
    seal: (what, plain) => sealBox(sealing, { nonce: random(NONCE_BYTES), bound: copyBound(what) }, plain),
    open: (what, sealed) => openBox(sealing, copyBound(what), sealed),
  }
}

/** Additional authenticated data of a seal. `what`: the place of a chunk or a manifest. */
export function copyBound(what: string): Uint8Array {
  return encodeText(`pfar/copies/1/${what}`)
}

/** Binds a sealed chunk to its name: under another name it does not open. */
export function chunkPlace(name: string): string {
  return `chunk/${name}`
}

/** Binds a sealed manifest to its number and the ordered list of chunks. */
export function manifestPlace(number: number, chunks: readonly string[]): string {
  return `manifest/${number}/${createHash('sha256').update(chunks.join('\n')).digest('hex')}`
}

/** Signs with the recovery key. `seed`: from the key ring. */
export function recoverySigner(seed: Uint8Array): DeviceKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  if (x === undefined) throw new TypeError('not Ed25519')
  return { id: RECOVERY_ID, publicKey: x, sign: (data) => new Uint8Array(sign(null, data, key)) }
}

const MAX_FILES = 64

const count = z.int().check(z.nonnegative())
const file = z
  .strictObject({
    name: z.string().check(z.minLength(1), z.maxLength(100)),
    kind: z.enum(['sqlite', 'file']),
    /** Bytes. */
    size: count,
  })
  .check(z.refine(isBackedUp))

const manifestSchema = z.strictObject({
  format: z.literal(1),
  version: z.string().check(z.maxLength(100)),
  at: count,
  /** Raw Ed25519 public key of the edge, base64url; null if home had not pinned it. */
  edgeKey: z.nullable(z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/))),
  /** In the order of the generation's chunks. */
  files: z.array(file).check(z.maxLength(MAX_FILES)),
})

export type CopyManifest = z.output<typeof manifestSchema>
export type CopyFile = CopyManifest['files'][number]

export function chunksOf(size: number): number {
  return Math.ceil(size / CHUNK_BYTES)
}

export function sealManifest(
  keys: CopyKeys,
  manifest: CopyManifest,
  at: { readonly number: number; readonly chunks: readonly string[] },
): string {
  const plain = Buffer.from(JSON.stringify(manifest))
  return Buffer.from(keys.seal(manifestPlace(at.number, at.chunks), plain)).toString('base64url')
}

/** Refusals: record_unreadable (another master key, or altered), record_malformed, version_incompatible. */
export function openManifest(
  keys: CopyKeys,
  { number, chunks, manifest }: Pick<CopyGeneration, 'number' | 'chunks' | 'manifest'>,
): Result<CopyManifest> {
  const opened = keys.open(manifestPlace(number, chunks), Buffer.from(manifest, 'base64url'))
  if (opened === null)
    return problem('record_unreadable', 'it was sealed under another master key, or was altered')
  const document = parseJson(Buffer.from(opened).toString())
  const { data } = z.looseObject({ format: z.int() }).safeParse(document)
  if (data !== undefined && data.format > 1)
    return problem('version_incompatible', 'a newer PFAR wrote it; update PFAR first')
  const parsed = manifestSchema.safeParse(document)
  if (!parsed.success) return problem('record_malformed', 'it is damaged')
  const named = parsed.data.files.reduce((sum, { size }) => sum + chunksOf(size), 0)
  return named === chunks.length ? ok(parsed.data) : problem('record_malformed', 'it is damaged')
}

function problem(code: 'record_unreadable' | 'record_malformed' | 'version_incompatible', what: string) {
  return err(code, { file: 'the copy at the edge', problem: what })
}

const FILE = 'copies.json'

const noteSchema = z.strictObject({
  number: z.int().check(z.nonnegative()),
  /** When that copy was started (epoch milliseconds). */
  at: z.int().check(z.nonnegative()),
})

type CopyNote = z.output<typeof noteSchema>

/** Null before the first copy. A damaged note counts as missing, and the next copy rewrites it. */
export function readCopyNote(folder: StateFolder): CopyNote | null {
  try {
    return readJson(noteSchema, readFileSync(folder.file(FILE), 'utf8'))
  } catch {
    return null
  }
}

/** Refusal: storage_failed. */
export function writeCopyNote(folder: StateFolder, note: CopyNote): Result<null> {
  return replacePrivateFile(folder, FILE, `${JSON.stringify(note)}\n`)
}
