/**
 * Watches the folder that the owner named for health exports. A completely written file is imported once, in
 * a confined process, and the owner is told the result. A file that is no export or keeps failing is reported
 * once and tried again after it changed. Must not follow links, look into subfolders, or change a file.
 * Called by home-jobs.ts.
 */
import { createHash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { type FileHandle, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Labeled } from '../../kernel/flow/labeled.ts'
import { receive, selfFacts } from '../../kernel/flow/provenance.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { tell, wordsFor } from '../../kernel/wording/words.ts'
import { openFile, openRoot } from '../folders/open-inside.ts'
import { failedWords, type ImportedFile, importedLines } from './import-file.ts'

/** Milliseconds until an aborted import is tried again: its cause often persists for a while. */
const RETRY_AFTER = 600_000
/** Maximum attempts per version of a file. Stops a file that crashes its parser from being read forever. */
const MOST_FAILURES = 3
/** Maximum files that are examined. A folder with more is probably no folder for exports. */
const MOST_FILES = 200
/** Maximum digests of imported files that are kept: years of monthly exports. */
const MOST_KNOWN = 200
/** Maximum bytes of a file. An export of thirty years is smaller. */
const MOST_BYTES = 32 * 1024 ** 3
/** Bytes that are read at once. */
const PIECE = 1_048_576
const NAME = /^[^.].*\.(?:zip|xml)$/i

export interface HealthFolderInput {
  /** Absolute path. */
  readonly folder: string
  /** SHA-256 of files that were imported or rejected. */
  readonly known: { read(): readonly string[]; write(digests: readonly string[]): void }
  /** The open file whose digest was taken. Its name may refer to another file by now. */
  readonly read: (file: FileHandle, signal: AbortSignal) => Promise<Result<ImportedFile>>
  /** Sends a notice on the owner's private line. A notice with a known id is not repeated. */
  readonly tell: (notice: {
    readonly id: string
    readonly code: ReasonCode
    readonly text: Labeled<string>
  }) => Promise<unknown>
  readonly now: () => number
}

interface Look {
  /** Size and times of the last change. */
  readonly seen: string
  /** Next attempt, epoch milliseconds; Infinity: not before the file changes. */
  readonly next: number
  /** Failed attempts since the last change of the file. */
  readonly failures: number
}

/**
 * One pass over the folder. A file whose size and times did not change since the last pass is completely
 * written.
 */
export function createHealthFolder(input: HealthFolderInput): (signal: AbortSignal) => Promise<void> {
  const { folder, now } = input
  let looks: ReadonlyMap<string, Look> = new Map()
  return async (signal) => {
    const current = new Map<string, Look>()
    for (const [name, seen] of await filesIn(folder)) {
      const before = looks.get(name)
      if (before?.seen !== seen) current.set(name, { seen, next: 0, failures: 0 })
      else if (before.next > now() || signal.aborted) current.set(name, before)
      else current.set(name, await lookInto(input, name, { before, signal }))
    }
    looks = current
  }
}

/** Names, sizes and times of the files. Empty if the folder does not exist: its disk may be absent. */
async function filesIn(folder: string): Promise<readonly (readonly [name: string, seen: string])[]> {
  const names = await readdir(folder).catch(() => [])
  const found: (readonly [string, string])[] = []
  for (const name of names.filter((one) => NAME.test(one)).sort()) {
    const stats = await lstat(join(folder, name)).catch(() => null)
    if (stats?.isFile() === true && stats.size > 0 && stats.size <= MOST_BYTES)
      found.push([name, seenOf(stats)])
    if (found.length === MOST_FILES) break
  }
  return found
}

/** Includes ctime, since mtime can be set back. */
function seenOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`
}

interface OneFile {
  readonly before: Look
  readonly signal: AbortSignal
}

/** `digest`: under which the result is recorded; null if the file could not be read. */
type Looked =
  | { readonly is: 'done' | 'changed' | 'later' }
  | { readonly is: 'failed'; readonly code: ReasonCode; readonly digest: string | null }

async function lookInto(input: HealthFolderInput, name: string, { before, signal }: OneFile): Promise<Look> {
  const { seen } = before
  const looked = await readOne(input, name, { before, signal })
  switch (looked.is) {
    case 'done':
      return { seen, next: Number.POSITIVE_INFINITY, failures: 0 }
    case 'changed':
      return { seen: '', next: 0, failures: 0 }
    case 'later':
      return { ...before, next: input.now() + RETRY_AFTER }
    case 'failed': {
      const failures = before.failures + 1
      if (failures < MOST_FAILURES) return { seen, next: input.now() + RETRY_AFTER, failures }
      const id = looked.digest ?? unnamed(name, seen)
      await input.tell({ id: noticeId(id), code: looked.code, text: notice([tell('health.file_failed')]) })
      if (looked.digest !== null) note(input, looked.digest)
      return { seen, next: Number.POSITIVE_INFINITY, failures }
    }
  }
}

async function readOne(
  input: HealthFolderInput,
  name: string,
  { before: { seen }, signal }: OneFile,
): Promise<Looked> {
  const file = await openIn(input.folder, name)
  if (!file.ok) {
    // Deleted, or replaced by a link.
    if (file.reason.code !== 'file_denied') return { is: 'later' }
    await input.tell({ id: noticeId(unnamed(name, seen)), code: 'file_denied', text: failed('file_denied') })
    return { is: 'done' }
  }
  try {
    const isSame = async (): Promise<boolean> => seenOf(await file.value.stat()) === seen
    return (await isSame()) ? await takeIn(input, file.value, { signal, isSame }) : { is: 'changed' }
  } finally {
    await file.value.close()
  }
}

/**
 * Opens a file directly in the opened folder, by its name. Refusals: folder_gone, remote_not_found,
 * file_denied.
 */
async function openIn(folder: string, name: string): Promise<Result<FileHandle>> {
  const root = await openRoot(folder, [])
  if (!root.ok) return root
  try {
    const file = await openFile(root.value, name)
    return file.ok ? ok(file.value.handle) : file
  } finally {
    await root.value.handle.close()
  }
}

interface Taking {
  readonly signal: AbortSignal
  /** Whether the file is unchanged since it was opened. */
  readonly isSame: () => Promise<boolean>
}

async function takeIn(
  input: HealthFolderInput,
  file: FileHandle,
  { signal, isSame }: Taking,
): Promise<Looked> {
  const digest = await digestOf(file, signal)
  if (!digest.ok)
    return signal.aborted ? { is: 'later' } : { is: 'failed', code: digest.reason.code, digest: null }
  if (input.known.read().includes(digest.value)) return { is: 'done' }
  const done = await input.read(file, signal)
  const code = done.ok ? 'health_imported' : done.reason.code
  const id = noticeId(digest.value)
  if (!done.ok && failedWords(code) === null) {
    if (signal.aborted || code === 'task_stopped') return { is: 'later' }
    if (code !== 'sandbox_missing') return { is: 'failed', code, digest: digest.value }
    // The file is not at fault: it is imported once this machine has a sandbox.
    await input.tell({ id: `${id}:sandbox`, code, text: notice([wordsFor(code)]) })
    return { is: 'later' }
  }
  // The content changed after the digest was taken.
  if (!(await isSame())) return { is: 'changed' }
  await input.tell({ id, code, text: done.ok ? notice(importedLines(done.value)) : failed(code) })
  note(input, digest.value)
  return { is: 'done' }
}

function note({ known }: HealthFolderInput, digest: string): void {
  known.write([...known.read(), digest].slice(-MOST_KNOWN))
}

function noticeId(file: string): string {
  return `health-file:${file}`
}

function unnamed(name: string, seen: string): string {
  return createHash('sha256').update(`${name} ${seen}`).digest('hex')
}

function failed(code: ReasonCode): Labeled<string> {
  return notice([failedWords(code) ?? ''])
}

/** The notice has no counts, which are private, and no file name, which others may have chosen. */
function notice(lines: readonly string[]): Labeled<string> {
  return receive([tell('health.found_file'), ...lines].join('\n'), selfFacts('health_export', 'sensitive'))
}

/** Refusals: file_denied on a read error; task_stopped. */
async function digestOf(file: FileHandle, signal: AbortSignal): Promise<Result<string>> {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(PIECE)
  try {
    for (let at = 0; at <= MOST_BYTES; ) {
      if (signal.aborted) return err('task_stopped')
      const { bytesRead } = await file.read(piece, 0, PIECE, at)
      if (bytesRead === 0) return ok(hash.digest('hex'))
      hash.update(piece.subarray(0, bytesRead))
      at += bytesRead
    }
  } catch {
    return err('file_denied')
  }
  return err('file_denied')
}
