/**
 * Makes one backup: copies each store consistently, encrypts it to the backup key, and names the folder by its date
 * only when everything is on disk (E-13, E-14). Needs no passphrase. A failure leaves the backup folder as it was.
 * Holds a lock against concurrent runs. Called by `pfar backup now` and by child.ts, the scheduled run.
 */
import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type MasterNote, masterNote, masterNumberIn } from '../keys/key-status.ts'
import { KEY_STORE_FILE } from '../keys/key-store.ts'
import { tell } from '../language/wording.ts'
import { softwareVersion } from '../process/version.ts'
import { acquireInstanceLock, BACKUP_LOCK } from '../store/instance-lock.ts'
import { readKeyFile, type StateFolder } from '../store/state-folder.ts'
import { about, withStorage } from '../store/storage-trouble.ts'
import {
  type Archive,
  dayOf,
  flushFolder,
  namesOn,
  nextName,
  openArchive,
  PARTIAL,
  tidyArchive,
} from './archive.ts'
import { MANIFEST_FILE, type ManifestFile, sealedName, signManifest } from './backup.ts'
import {
  type BackupKey,
  DATA_KEY_BYTES,
  fileKey,
  KEY_FILE,
  parseBackupKey,
  SIGN_FILE,
  sealDataKey,
} from './backup-key.ts'
import { encryptFile } from './chunks.ts'
import { type EdgeLine, exportEdge } from './edge-transfer.ts'
import {
  type BackedUp,
  brokenAuditIn,
  type HomeFile,
  inspectStore,
  type StoreFacts,
  snapshotStore,
  storesIn,
} from './stores.ts'

/** Folder in the private state folder for plain copies before encryption, one at a time. */
const COPIES = 'backup-tmp'

export interface MakeInput {
  readonly folder: StateFolder
  readonly archive: Archive
  /** IANA time zone: the backup is named by the owner's local day. */
  readonly timezone: string
  readonly now: number
  /** For the edge's part; null without an edge. */
  readonly edge: EdgeLine | null
}

export interface Made {
  readonly name: string
  readonly files: readonly { readonly name: string; readonly size: number }[]
  /** Why the edge's part, or a store of it, is missing. Home's part is complete all the same. */
  readonly edgeTrouble: ReasonCode | null
  /** Stores whose audit chain is broken. They are backed up as they are. */
  readonly brokenAudits: readonly string[]
  /** The master key that the backup needs. With a development key it opens on no other machine (E-14). */
  readonly masterKey: MasterNote
  /** Older backups that were deleted. */
  readonly gone: readonly string[]
}

/** Refusals: credential_missing (no backup key), storage_failed, storage_full, record_malformed (a damaged store). */
export async function makeBackup(input: MakeInput): Promise<Result<Made>> {
  const keys = loadKeys(input.folder)
  if (!keys.ok) return keys
  const lock = acquireInstanceLock(input.folder, BACKUP_LOCK)
  if (!lock.ok) return lock
  try {
    const opened = await openArchive(input.archive)
    if (!opened.ok) return opened
    const made = await withStorage('the backup', () => write(input, keys.value))
    if (!made.ok) return made
    const gone = await tidyArchive(input.archive, made.value.name)
    return gone.ok ? ok({ ...made.value, gone: gone.value }) : gone
  } finally {
    lock.value.release()
  }
}

/** The public key that backups are sealed to. Refusals: credential_missing, storage_failed, record_malformed. */
export function loadBackupKey(folder: StateFolder): Result<BackupKey> {
  const content = readKeyFile(folder, KEY_FILE, null)
  if (!content.ok) return content
  if (content.value !== '') return parseBackupKey(content.value)
  return err('credential_missing', { problem: tell('backup_setup.not_set_up') })
}

interface Keys {
  readonly key: BackupKey
  readonly signing: KeyObject
}

function loadKeys(folder: StateFolder): Result<Keys> {
  const key = loadBackupKey(folder)
  if (!key.ok) return key
  const pem = readKeyFile(folder, SIGN_FILE, null)
  if (!pem.ok) return pem
  try {
    return ok({ key: key.value, signing: createPrivateKey(pem.value) })
  } catch {
    return err('credential_missing', { file: SIGN_FILE, problem: tell('backup_setup.sign_damaged') })
  }
}

async function write(input: MakeInput, keys: Keys): Promise<Result<Omit<Made, 'gone'>>> {
  const { folder, archive, now } = input
  const backup = randomBytes(16).toString('hex')
  const partial = join(archive.path, `${PARTIAL}${backup}`)
  const copies = folder.file(COPIES)
  try {
    // Removes the copies of a killed run.
    await rm(copies, { recursive: true, force: true })
    await mkdir(copies, { mode: 0o700 })
    await mkdir(partial, { mode: 0o700 })
    const dataKey = new Uint8Array(randomBytes(DATA_KEY_BYTES))
    // Read before the keys are copied; if the key changes meanwhile, its number shows it.
    const noted = masterNote(folder)
    if (!noted.ok) return noted
    const files: ManifestFile[] = []
    const brokenAudits: string[] = []
    const to = { folder, copies, partial, backup, dataKey, brokenAudits }
    let { number } = noted.value
    const looked = (name: string): void => {
      if (name === KEY_STORE_FILE) number = masterNumberIn(join(copies, name))
    }
    for (const store of storesIn(folder))
      files.push(await about(store.name, () => addFile(to, store, looked)))
    const masterKey = { number, development: noted.value.development && number <= 1 }
    // Last, so that nothing the edge does can affect home's own part.
    const edge = await addEdge(input.edge, to, files)
    const envelope = sealDataKey(dataKey, keys.key.sealTo, backup)
    const manifest = {
      format: 3,
      backup,
      version: softwareVersion(),
      createdAt: now,
      envelope,
      masterKey,
      files,
    } as const
    await writeFlushed(join(partial, KEY_FILE), `${JSON.stringify(keys.key, null, 2)}\n`)
    await writeFlushed(join(partial, MANIFEST_FILE), signManifest({ ...manifest, files }, keys.signing))
    await flushFolder(partial)
    const name = nextName(await namesOn(archive.path), dayOf(now, input.timezone))
    await rename(partial, join(archive.path, name))
    await flushFolder(archive.path)
    const sizes = files.map(({ name, size }) => ({ name, size }))
    return ok({ name, files: sizes, edgeTrouble: edge, brokenAudits, masterKey })
  } finally {
    await rm(copies, { recursive: true, force: true })
    await rm(partial, { recursive: true, force: true })
  }
}

interface Adding {
  readonly folder: StateFolder
  readonly copies: string
  readonly partial: string
  readonly backup: string
  readonly dataKey: Uint8Array
  readonly brokenAudits: string[]
}

/** Adds the edge's stores as far as they can be read. Returns why any is missing. */
async function addEdge(line: EdgeLine | null, to: Adding, files: ManifestFile[]): Promise<ReasonCode | null> {
  if (line === null) return null
  const { trouble } = await exportEdge(line, to.copies, async (name) => {
    files.push(
      await about(name, () =>
        encryptCopy(to, { name, kind: 'edge' }, inspectStore(join(to.copies, name), name)),
      ),
    )
  })
  return trouble
}

async function addFile(to: Adding, file: HomeFile, looked: (copied: string) => void): Promise<ManifestFile> {
  const { name, kind } = file
  const copy = join(to.copies, name)
  const from = to.folder.file(name)
  const facts = kind === 'sqlite' ? await snapshotStore(from, copy, name) : null
  if (kind === 'file') await copyFile(from, copy)
  looked(name)
  return encryptCopy(to, file, facts)
}

/** Deletes the copy before the next is made, so that a backup needs free space for one store only. */
async function encryptCopy(
  to: Adding,
  { name, kind }: BackedUp,
  facts: StoreFacts | null,
): Promise<ManifestFile> {
  const copy = join(to.copies, name)
  if (kind !== 'file' && brokenAuditIn(copy) !== null) to.brokenAudits.push(name)
  const at = { backup: to.backup, name }
  const keys = { content: fileKey(to.dataKey, 'content', at), digest: fileKey(to.dataKey, 'digest', at) }
  const written = await encryptFile({ from: copy, to: join(to.partial, sealedName(name)), keys, name })
  await rm(copy)
  return { name, kind, ...written, schema: [...(facts?.schema ?? [])] }
}

async function writeFlushed(path: string, content: string): Promise<void> {
  await writeFile(path, content, { mode: 0o600, flag: 'wx', flush: true })
}
