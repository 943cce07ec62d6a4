/**
 * Sends one copy of home to the edge (DESIGN §6, E-12, T-12): copies each store consistently, splits it into chunks,
 * seals and sends those the edge lacks, and sends the manifest last. Needs no passphrase. A failure leaves the edge's
 * newest generation as it was. Must not run concurrently: the job ensures it. Called by child.ts.
 */
import { copyFile, type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { CHUNK_BYTES, MAX_CHUNKS } from '../../kernel/tunnel/copies.ts'
import { readBlock } from '../backup/chunks.ts'
import { type HomeFile, snapshotStore, storesIn } from '../backup/stores.ts'
import { softwareVersion } from '../process/version.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { withStorage } from '../store/storage-trouble.ts'
import {
  type CopyFile,
  type CopyKeys,
  chunkPlace,
  chunksOf,
  readCopyNote,
  sealManifest,
  writeCopyNote,
} from './copy-format.ts'
import type { CopyLine } from './copy-line.ts'

/** Folder in the private state folder for plain copies until they are sent. */
const COPIES = 'copy-tmp'
/** Concurrent uploads of chunks. */
const PARALLEL = 4
/** Not copied: a recovered home gets its own device key, and the old enrolment ends. */
const LEFT_OUT: readonly string[] = ['device.key']

export interface MakeCopyInput {
  readonly folder: StateFolder
  readonly keys: CopyKeys
  readonly line: CopyLine
  /** Public half of the recovery key, base64url. */
  readonly recoveryKey: string
  /** Public key of the edge, as pinned. */
  readonly edgeKey: string | null
  readonly now: number
}

export interface MadeCopy {
  readonly number: number
  /** Newest generation that the edge should have but does not: it lost or hides it. Null if nothing is missing. */
  readonly lost: number | null
}

/** Refusals: storage_failed, storage_full, record_malformed (a store is damaged), field_too_large, those of the line. */
export async function makeCopy(input: MakeCopyInput): Promise<Result<MadeCopy>> {
  const { folder } = input
  const copies = folder.file(COPIES)
  return withStorage('the copy', async () => {
    try {
      // Removes the copies of a killed run.
      await rm(copies, { recursive: true, force: true })
      await mkdir(copies, { mode: 0o700 })
      const files: CopyFile[] = []
      for (const store of storesIn(folder).filter(({ name }) => !LEFT_OUT.includes(name)))
        files.push(await copyOne({ folder, copies }, store))
      return await send(input, { copies, files })
    } finally {
      await rm(copies, { recursive: true, force: true })
    }
  })
}

interface Copied {
  readonly copies: string
  readonly files: readonly CopyFile[]
}

async function copyOne(
  { folder, copies }: { readonly folder: StateFolder; readonly copies: string },
  { name, kind }: HomeFile,
): Promise<CopyFile> {
  const to = join(copies, name)
  if (kind === 'sqlite') await snapshotStore(folder.file(name), to, name)
  else await copyFile(folder.file(name), to)
  const file = await open(to, 'r')
  try {
    return { name, kind, size: (await file.stat()).size }
  } finally {
    await file.close()
  }
}

async function send(input: MakeCopyInput, copied: Copied): Promise<Result<MadeCopy>> {
  const { keys, line, folder, now, recoveryKey, edgeKey } = input
  const { files } = copied
  const size = files.reduce((sum, file) => sum + chunksOf(file.size), 0)
  if (size > MAX_CHUNKS) return err('field_too_large', { chunks: size, most: MAX_CHUNKS })
  const state = await line.state()
  if (!state.ok) return state
  const chunks: string[] = []
  await eachChunk(copied, async (plain) => void chunks.push(keys.nameOf(plain)))
  const missing = await line.announce([...new Set(chunks)])
  if (!missing.ok) return missing
  const sent = await sendMissing(input, copied, new Set(missing.value))
  if (!sent.ok) return sent
  // Above every number that this home has sent: the number of a generation that the edge lost or hides is not reused.
  const there = state.value.generations[0]?.number ?? 0
  const given = readCopyNote(folder)?.number ?? 0
  const number = Math.max(there, given) + 1
  const manifest = sealManifest(
    keys,
    { format: 1, version: softwareVersion(), at: now, edgeKey, files: [...files] },
    { number, chunks },
  )
  const committed = await line.commit({ number, at: now, chunks, manifest, recoveryKey })
  if (!committed.ok) return committed
  const noted = writeCopyNote(folder, { number, at: now })
  return noted.ok ? ok({ number, lost: there < given ? given : null }) : noted
}

/** Reads the plain copies a second time instead of holding them all in memory; few chunks are usually missing. */
async function sendMissing(
  { keys, line }: MakeCopyInput,
  copied: Copied,
  missing: Set<string>,
): Promise<Result<true>> {
  let failed: Result<unknown> = ok(true)
  const running = new Set<Promise<void>>()
  await eachChunk(copied, async (plain) => {
    const name = keys.nameOf(plain)
    if (!failed.ok || !missing.delete(name)) return
    const put = line.put(name, keys.seal(chunkPlace(name), plain)).then((done) => {
      if (!done.ok) failed = done
      running.delete(put)
    })
    running.add(put)
    if (running.size >= PARALLEL) await Promise.race(running)
  })
  await Promise.all(running)
  return failed.ok ? ok(true) : failed
}

async function eachChunk(
  { copies, files }: Copied,
  turn: (plain: Uint8Array) => Promise<void>,
): Promise<void> {
  for (const { name, size } of files) {
    const file: FileHandle = await open(join(copies, name), 'r')
    try {
      for (let at = 0; at < size; at += CHUNK_BYTES)
        await turn(new Uint8Array(await readBlock(file, Math.min(CHUNK_BYTES, size - at))))
    } finally {
      await file.close()
    }
  }
}
