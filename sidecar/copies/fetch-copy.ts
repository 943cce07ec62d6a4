/**
 * Fetches a copy of home from the edge into a folder: requests each chunk by name, opens it, writes it in order, and
 * checks every store (DESIGN §6, E-16). A hostile edge can only withhold data or offer an older generation. Must not
 * write outside the given folder. Called by recover-home.ts.
 */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { inspectStore } from '../backup/snapshot.ts'
import { BackupTrouble, withStorage } from '../backup/storage-trouble.ts'
import { unknownMigration } from '../backup/stores.ts'
import { type CopyKeys, chunkPlace } from './copy-keys.ts'
import type { RecoveryLine } from './copy-line.ts'
import { type CopyFile, type CopyManifest, chunksOf, openManifest } from './copy-manifest.ts'

/** Concurrent requests for chunks. */
const PARALLEL = 8

export interface FoundCopy {
  readonly number: number
  readonly manifest: CopyManifest
  /** In the order of the manifest's files. */
  readonly chunks: readonly string[]
}

export interface FetchParts {
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
