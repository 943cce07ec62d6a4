/**
 * Reads one backup: verifies hashes and signature without the passphrase, and decrypts with it. Nothing is trusted
 * before the signature is verified, and only the passphrase proves whose signature it is. Must not write outside the
 * given folder. Called by shelf.ts, restore.ts and `pfar backup verify`.
 */
import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type BackupKey, KEY_FILE, parseBackupKey, unwrapBackupKey } from './backup-key.ts'
import { decryptFile, hashFile } from './chunks.ts'
import { fileKey, openDataKey } from './envelope.ts'
import {
  MANIFEST_FILE,
  MAX_MANIFEST_BYTES,
  type Manifest,
  type ManifestFile,
  readManifest,
} from './manifest.ts'
import { inspectStore } from './snapshot.ts'
import { BackupTrouble, withStorage } from './storage-trouble.ts'
import { unknownMigration } from './stores.ts'

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

/** Home and each store of the edge are restored separately, so that damage to one does not prevent the others. */
export type Part = (file: ManifestFile) => boolean
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
 * Like `openBackup`, for each store of the edge separately. Refusals: those of the key; nothing_found if there is none.
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
