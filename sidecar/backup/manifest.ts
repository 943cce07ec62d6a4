/**
 * The signed manifest of one backup: its list of files. Written last; a folder without one is no backup. The signature
 * prevents a holder of the disk from combining files of different backups. Must not read the files it names. Called by
 * make.ts and open-backup.ts.
 */
import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import * as z from 'zod/mini'
import { canonicalJson } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { MAX_EDGE_STORES } from '../../kernel/tunnel/edge-part.ts'
import { isBackedUp } from './stores.ts'

export const MANIFEST_FILE = 'manifest.json'
/** Bytes. A manifest is about a page; one without end must not fill memory. */
export const MAX_MANIFEST_BYTES = 4_194_304
/** Home's few files, and one for each principal with an object at the edge. */
const MAX_FILES = MAX_EDGE_STORES + 64
/** Format 2 added the edge's stores; format 3 the master key of the rows. */
const FORMAT = 3
const MAX_MIGRATIONS = 1_000

const count = z.int().check(z.nonnegative())
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
const encoded = z.string().check(z.regex(/^[A-Za-z0-9_-]{16,128}$/))
const word = z.string().check(z.minLength(1), z.maxLength(100))

const fileSchema = z
  .strictObject({
    name: word,
    kind: z.enum(['sqlite', 'file', 'edge']),
    /** Bytes before encryption. */
    size: count,
    /** HMAC-SHA-256 of the plaintext under this backup's key, hex. */
    digest: hash,
    /** SHA-256 of the encrypted file, hex. */
    sha256: hash,
    /** All migrations that the store had applied. */
    schema: z.array(z.strictObject({ set: word, tag: word })).check(z.maxLength(MAX_MIGRATIONS)),
  })
  .check(z.refine(isBackedUp))

const manifestSchema = z.strictObject({
  format: z.union([z.literal(1), z.literal(2), z.literal(FORMAT)]),
  /** Random id; part of the derivation of every file's key. */
  backup: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  /** Version of the program. */
  version: word,
  createdAt: count,
  envelope: z.strictObject({ ephemeral: encoded, sealed: encoded }),
  /** The master key that opens the rows. No backup contains the key itself (`MasterNote`). */
  masterKey: z.optional(z.strictObject({ number: count, development: z.boolean() })),
  files: z.array(fileSchema).check(z.maxLength(MAX_FILES)),
})

const signedSchema = z.strictObject({ manifest: manifestSchema, signature: encoded })

export type Manifest = z.output<typeof manifestSchema>
export type ManifestFile = Manifest['files'][number]

/** Returns the text of `manifest.json`. `signing`: Ed25519. */
export function signManifest(manifest: Manifest, signing: KeyObject): string {
  const signature = sign(null, signedBytes(manifest), signing).toString('base64url')
  return `${JSON.stringify({ manifest, signature }, null, 2)}\n`
}

/**
 * Parses the manifest and checks its signature with `verifyKey` (raw Ed25519, base64url). Refusals:
 * version_incompatible (format of a newer program), record_malformed, signature_invalid.
 */
export function readManifest(content: string, verifyKey: string): Result<Manifest> {
  const document = decoded(content)
  const format = z.safeParse(z.object({ manifest: z.object({ format: z.int() }) }), document)
  if (format.success && format.data.manifest.format > FORMAT) {
    return refusal('version_incompatible', 'a newer PFAR wrote it; update PFAR first')
  }
  const parsed = z.safeParse(signedSchema, document)
  if (!parsed.success) return refusal('record_malformed', 'it is damaged')
  const { manifest, signature } = parsed.data
  if (new Set(manifest.files.map(({ name }) => name)).size !== manifest.files.length) {
    return refusal('record_malformed', 'it names a file twice')
  }
  if (isSigned(manifest, signature, verifyKey)) return ok(manifest)
  return refusal('signature_invalid', 'it was altered, or belongs to another home')
}

function isSigned(manifest: Manifest, signature: string, verifyKey: string): boolean {
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: verifyKey }, format: 'jwk' })
    return verify(null, signedBytes(manifest), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

function signedBytes(manifest: Manifest): Buffer {
  const { masterKey, ...rest } = manifest
  const signed = masterKey === undefined ? rest : { ...rest, masterKey }
  return Buffer.from(`pfar/backup/1/manifest\n${canonicalJson(signed)}`)
}

function decoded(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    return null
  }
}

function refusal(code: 'version_incompatible' | 'record_malformed' | 'signature_invalid', problem: string) {
  return err(code, { file: MANIFEST_FILE, problem })
}
