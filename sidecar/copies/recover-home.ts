/**
 * Replaces a lost home with the recovery phrase alone (DESIGN §6): the phrase yields the keys, the keys open the copies at the
 * edge, and the edge enrols the new device. Checks everything before the old device is revoked; a hostile edge can only
 * withhold data or offer an older generation. Must not run beside home. Called by `pfar recover`.
 */

import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { recoverySeed, storeKey } from '../../kernel/vault/key-ring.ts'
import { flushFolder } from '../backup/archive.ts'
import { alone, checkFree, putInPlace, withStaged } from '../backup/restore.ts'
import { inspectStore, unknownMigration } from '../backup/stores.ts'
import { type ChosenCustody, recoverKey } from '../keys/change-key.ts'
import type { AskPassphrase } from '../keys/custody.ts'
import { randomOfNode } from '../keys/home-keys.ts'
import { withKeyStore } from '../keys/key-store.ts'
import { custodyOpener } from '../keys/open-custody.ts'
import { masterOf } from '../keys/recovery-phrase.ts'
import { openStateFolder, type StateFolder } from '../store/state-folder.ts'
import { BackupTrouble, withStorage } from '../store/storage-trouble.ts'
import { type DeviceKey, loadDeviceKey } from '../tunnel/device-key.ts'
import { openEdgePins } from '../tunnel/pairing.ts'
import {
  type CopyFile,
  type CopyKeys,
  type CopyManifest,
  chunkPlace,
  chunksOf,
  createCopyKeys,
  openManifest,
  recoverySigner,
  writeCopyNote,
} from './copy-format.ts'
import { createRecoveryLine, type RecoveryLine } from './copy-line.ts'

/** Concurrent requests for chunks. */
const PARALLEL = 8

export interface FoundCopy {
  readonly number: number
  readonly manifest: CopyManifest
  /** In the order of the manifest's files. */
  readonly chunks: readonly string[]
}

interface FetchParts {
  readonly line: RecoveryLine
  readonly keys: CopyKeys
}

/** The newest generation that the edge offers. Refusals: nothing_found, those of `openManifest` and of the line. */
export async function findCopy({ line, keys }: FetchParts): Promise<Result<FoundCopy>> {
  const state = await line.state()
  if (!state.ok) return state
  const newest = state.value.generations[0]
  if (newest === undefined) return err('nothing_found', { file: 'the edge', problem: 'it has no copy' })
  const generation = await line.generation(newest.number)
  if (!generation.ok) return generation
  const { number, chunks } = generation.value
  const manifest = openManifest(keys, generation.value)
  return manifest.ok ? ok({ number, chunks, manifest: manifest.value }) : manifest
}

/** Writes every file into `into`, which must be empty and private. Refusals: those of the line, record_unreadable, record_malformed, version_incompatible, storage_full. */
export async function fetchCopy(
  parts: FetchParts,
  { manifest, chunks }: FoundCopy,
  into: string,
): Promise<Result<true>> {
  return withStorage('the copy at the edge', async () => {
    let from = 0
    for (const file of manifest.files) {
      const names = chunks.slice(from, from + chunksOf(file.size))
      from += names.length
      const written = await fetchFile({ ...parts, file, names, into })
      if (!written.ok) return written
      if (file.kind === 'sqlite') checkStore(join(into, file.name), file.name)
    }
    return ok(true)
  })
}

interface Fetching extends FetchParts {
  readonly file: CopyFile
  readonly names: readonly string[]
  readonly into: string
}

async function fetchFile({ line, keys, file, names, into }: Fetching): Promise<Result<true>> {
  const target = await open(join(into, file.name), 'wx', 0o600)
  try {
    let size = 0
    for (let at = 0; at < names.length; at += PARALLEL) {
      const some = names.slice(at, at + PARALLEL)
      const sealed = await Promise.all(some.map((name) => line.chunk(name)))
      for (const [index, piece] of sealed.entries()) {
        if (!piece.ok) return piece
        const name = some[index] ?? ''
        const plain = keys.open(chunkPlace(name), piece.value)
        if (plain === null) return damaged('record_unreadable', file.name)
        await target.write(plain)
        size += plain.length
      }
    }
    if (size !== file.size) return damaged('record_malformed', file.name)
    await target.sync()
    return ok(true)
  } finally {
    await target.close()
  }
}

function damaged(code: 'record_unreadable' | 'record_malformed', file: string): Result<never> {
  return err(code, { file, problem: 'what the edge has of it was altered or is damaged' })
}

function checkStore(path: string, name: string): void {
  if (unknownMigration(inspectStore(path, name).schema) === null) return
  throw new BackupTrouble('version_incompatible', name, 'a newer PFAR wrote it; update PFAR, then recover')
}

interface RecoverInput {
  /** Path of the state folder; it need not exist. */
  readonly state: string
  readonly edge: string
  /** Recovery phrase as typed. */
  readonly words: string
  /** Custody of the master key from now on. */
  readonly custody: ChosenCustody
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ask: AskPassphrase
  /** The owner confirms the generation: only the owner can tell that a newer one should exist. */
  readonly confirm: (found: FoundCopy) => Promise<boolean>
  readonly replace: boolean
  /** Do everything that changes nothing. */
  readonly dryRun: boolean
  readonly now: number
}

export interface Recovered {
  readonly found: FoundCopy
  /** Where the former state folder is now, or null. */
  readonly aside: string | null
  /** The new device and the one it replaced; null in a dry run. */
  readonly device: string | null
  readonly revoked: string | null
}

/** Refusals: those of `findCopy` and `fetchCopy`, key_wrong (other words), those of the custody, approval_denied, storage_failed. */
export async function recoverHome(input: RecoverInput): Promise<Result<Recovered>> {
  return alone(input.state, () => recoverAlone(input))
}

async function recoverAlone(input: RecoverInput): Promise<Result<Recovered>> {
  const free = await checkFree(input)
  if (!free.ok) return free
  const master = masterOf(input.words)
  if (!master.ok) return master
  const keys = createCopyKeys(storeKey(master.value, 'replica'), randomOfNode)
  const line = createRecoveryLine(input.edge, recoverySigner(recoverySeed(master.value)))
  const found = await findCopy({ line, keys })
  if (!found.ok)
    return found.reason.code === 'signature_invalid'
      ? err('key_wrong', {
          file: 'recovery phrase',
          problem:
            'these words do not open this edge: they are of another master key, or home never sent a copy there',
        })
      : found
  if (!(await input.confirm(found.value)))
    return err('approval_denied', { file: 'pfar recover', problem: 'nothing was changed' })
  return withStaged(input.state, async (path) => {
    const fetched = await fetchCopy({ line, keys }, found.value, path)
    if (!fetched.ok) return fetched
    if (input.dryRun) return ok({ found: found.value, aside: null, device: null, revoked: null })
    return takePlace(input, { line, found: found.value, path })
  })
}

interface Staged {
  readonly line: RecoveryLine
  readonly found: FoundCopy
  /** Folder of the fetched files. */
  readonly path: string
}

/** What asks or may fail comes before the old device is revoked, the rename after it. Interrupted, it can be run again. */
async function takePlace(input: RecoverInput, { line, found, path }: Staged): Promise<Result<Recovered>> {
  const folder = openStateFolder(path)
  if (!folder.ok) return folder
  const held = await holdKey(input, folder.value)
  if (!held.ok) return held
  const device = loadDeviceKey(folder.value)
  if (!device.ok) return device
  const noted = noteEdge(input, { folder: folder.value, found })
  if (!noted.ok) return noted
  const enrolled = await enrol(line, { device: device.value, found })
  if (!enrolled.ok) return enrolled
  await flushFolder(path)
  const aside = await putInPlace(input, path)
  return ok({ found, aside, device: device.value.id, revoked: enrolled.value.revoked })
}

/** Writes the master key into its custody only if it opens the key store of the copy. */
function holdKey({ env, ask, words, custody }: RecoverInput, folder: StateFolder): Promise<Result<unknown>> {
  return withKeyStore(folder, async (store) => {
    const openCustody = custodyOpener({ folder, env, ask, mayCreate: false, epoch: store.epoch() })
    return recoverKey({ folder, store, openCustody, random: randomOfNode }, words, custody)
  })
}

/** Pins the edge key from the sealed manifest, which the old home had verified; who answers now has not been. */
function noteEdge(
  { edge }: RecoverInput,
  { folder, found }: { readonly folder: StateFolder; readonly found: FoundCopy },
): Result<null> {
  const { number, manifest } = found
  const noted = writeCopyNote(folder, { number, at: manifest.at })
  if (!noted.ok || manifest.edgeKey === null) return noted
  return openEdgePins(folder).pin({ url: edge, publicKey: manifest.edgeKey, version: 0 })
}

async function enrol(
  line: RecoveryLine,
  { device, found }: { readonly device: DeviceKey; readonly found: FoundCopy },
): Promise<Result<{ readonly revoked: string | null }>> {
  const enrolled = await line.enrol(device.publicKey)
  if (!enrolled.ok || enrolled.value.newest === found.number) return enrolled
  const problem =
    'the old box made another copy meanwhile and is shut out now; run this again to get that one'
  return err('record_stale', { file: 'the copy at the edge', problem })
}
