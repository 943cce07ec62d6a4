/**
 * One backup on disk: its signed list of files, written last, and the encrypted files. Nothing is trusted
 * before the signature is verified, and only the passphrase proves whose signature it is. Must not write
 * outside the given folder. Called by make.ts, archive.ts, restore.ts and `pfar backup`.
 */

import { createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod/mini'
import { canonicalJson, parseJson } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { MAX_EDGE_STORES } from '../../kernel/tunnel/edge-part.ts'
import { BackupTrouble, withStorage } from '../store/storage-trouble.ts'
import {
  type BackupKey,
  fileKey,
  KEY_FILE,
  openDataKey,
  parseBackupKey,
  unwrapBackupKey,
} from './backup-key.ts'
import { decryptFile, hashFile } from './chunks.ts'
import { inspectStore, isBackedUp, unknownMigration } from './stores.ts'

export const MANIFEST_FILE = 'manifest.json'
/** Bytes. A manifest is about a page; one without end must not fill memory. */
const MAX_MANIFEST_BYTES = 4_194_304
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
    schema: z.array(z.strictObject({ set: word, tag: word })).check(z.maxLength(MAX_MIGRATIONS)),
  })
  .check(z.refine(isBackedUp))

const manifestSchema = z.strictObject({
  format: z.union([z.literal(1), z.literal(2), z.literal(FORMAT)]),
  /** Random id; part of the derivation of every file's key. */
  backup: z.string().check(z.regex(/^[0-9a-f]{32}$/)),
  version: word,
  createdAt: count,
  envelope: z.strictObject({ ephemeral: encoded, sealed: encoded }),
  /** The master key that opens the rows. No backup contains the key itself (`MasterNote`). */
  masterKey: z.optional(z.strictObject({ number: count, development: z.boolean() })),
  files: z.array(fileSchema).check(z.maxLength(MAX_FILES)),
})

const signedSchema = z.strictObject({ manifest: manifestSchema, signature: encoded })

type Manifest = z.output<typeof manifestSchema>
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
  const document = parseJson(content)
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

function refusal(code: 'version_incompatible' | 'record_malformed' | 'signature_invalid', problem: string) {
  return err(code, { file: MANIFEST_FILE, problem })
}

export interface Backup {
  /** Name of its folder: the local day. */
  readonly name: string
  readonly path: string
  readonly key: BackupKey
  readonly manifest: Manifest
}

/** File name of an encrypted store. */
export function sealedName(name: string): string {
  return `${name}.enc`
}

/** Refusals: storage_failed, record_malformed, version_incompatible, signature_invalid. */
export function readBackup(path: string): Promise<Result<Backup>> {
  const name = basename(path)
  return withStorage(name, async () => {
    const key = parseBackupKey(await readSmall(join(path, KEY_FILE)))
    if (!key.ok) return key
    const manifest = readManifest(await readSmall(join(path, MANIFEST_FILE)), key.value.verify)
    if (!manifest.ok) return manifest
    return ok({ name, path, key: key.value, manifest: manifest.value })
  })
}

/**
 * Home and each store of the edge are restored separately, so that damage to one does not prevent the others.
 */
type Part = (file: ManifestFile) => boolean
export const WHOLE: Part = () => true
export const HOME_PART: Part = ({ kind }) => kind !== 'edge'
export const EDGE_PART: Part = ({ kind }) => kind === 'edge'

/** Verifies that every file exists with its recorded hash. Refusals: storage_failed, record_malformed. */
export function verifyFiles(backup: Backup, part: Part = WHOLE): Promise<Result<true>> {
  return withStorage(backup.name, async () => {
    for (const { name, sha256 } of backup.manifest.files.filter(part)) {
      if ((await hashFile(join(backup.path, sealedName(name)))) !== sha256) {
        const problem = 'it was altered or is damaged; take another backup (pfar backup list)'
        return err('record_malformed', { file: `${backup.name}/${name}`, problem })
      }
    }
    return ok(true)
  })
}

/**
 * Decrypts every file into `into` and checks each store. `into` must be empty and private. Refusals: those of
 * `verifyFiles`, credential_mismatch, record_unreadable, version_incompatible, storage_full.
 */
export async function openBackup(
  backup: Backup,
  passphrase: string,
  to: { readonly into: string; readonly part: Part },
): Promise<Result<true>> {
  const whole = await verifyFiles(backup, to.part)
  if (!whole.ok) return whole
  const dataKey = dataKeyOf(backup, passphrase)
  if (!dataKey.ok) return dataKey
  const opening = { backup, dataKey: dataKey.value, into: to.into }
  return withStorage(backup.name, async () => {
    for (const file of backup.manifest.files.filter(to.part)) await openFile(opening, file)
    return ok(true)
  })
}

/**
 * Like `openBackup`, for each store of the edge on its own. Refusals: those of the key; nothing_found if
 * there is none.
 */
export async function openEdgeStores(
  backup: Backup,
  passphrase: string,
  into: string,
): Promise<Result<readonly { readonly file: string; readonly opened: Result<true> }[]>> {
  const files = backup.manifest.files.filter(EDGE_PART)
  const problem = 'nothing of the edge is in this backup'
  if (files.length === 0) return err('nothing_found', { file: backup.name, problem })
  const dataKey = dataKeyOf(backup, passphrase)
  if (!dataKey.ok) return dataKey
  const opened = []
  for (const file of files) opened.push({ file: file.name, opened: await openOne(file) })
  return ok(opened)

  async function openOne(file: ManifestFile): Promise<Result<true>> {
    const whole = await verifyFiles(backup, ({ name }) => name === file.name)
    if (!whole.ok || !dataKey.ok) return whole
    const opening = { backup, dataKey: dataKey.value, into }
    return withStorage(backup.name, () => openFile(opening, file).then(() => ok(true)))
  }
}

function dataKeyOf(backup: Backup, passphrase: string): Result<Uint8Array> {
  const secret = unwrapBackupKey(backup.key, passphrase)
  if (!secret.ok) return secret
  const { envelope, backup: id } = backup.manifest
  return openDataKey(envelope, { secret: secret.value, sealTo: backup.key.sealTo }, id)
}

interface Opening {
  readonly backup: Backup
  readonly dataKey: Uint8Array
  readonly into: string
}

async function openFile({ backup, dataKey, into }: Opening, file: ManifestFile): Promise<void> {
  const { name } = file
  const at = { backup: backup.manifest.backup, name }
  const keys = { content: fileKey(dataKey, 'content', at), digest: fileKey(dataKey, 'digest', at) }
  const to = join(into, name)
  const found = await decryptFile({ from: join(backup.path, sealedName(name)), to, keys, name })
  if (found.size !== file.size || found.digest !== file.digest) {
    throw new BackupTrouble('record_malformed', name, 'it is not what was backed up')
  }
  if (file.kind === 'file') return
  const newer = unknownMigration(inspectStore(to, name).schema)
  if (newer === null) return
  const problem = 'a newer PFAR wrote it; update PFAR, then restore'
  throw new BackupTrouble('version_incompatible', name, problem)
}

async function readSmall(path: string): Promise<string> {
  if ((await stat(path)).size > MAX_MANIFEST_BYTES) {
    throw new BackupTrouble('record_malformed', basename(path), 'it is too large')
  }
  return readFile(path, 'utf8')
}
