/**
 * The folder that the owner named for health exports: a file that is whole is read in once, by a process of its own, and the owner is told what came in. A file
 * that is no export is told once, and looked at again when it has changed. Must not follow a link, look into folders, or change a file. Called by home-jobs.ts.
 */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import type { Labeled } from '../../kernel/flow/labeled.ts'
import { receive, selfFacts } from '../../kernel/flow/provenance.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { tell } from '../../kernel/wording/words.ts'
import { codeOf } from '../folders/open-inside.ts'
import { runChild } from '../process/run-child.ts'
import { failedWords, type ImportedFile, importedLines } from './import-file.ts'

export interface ImportTask {
  /** Of home's private line. */
  readonly socket: string
  readonly path: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** Milliseconds until an import that died is tried again: what ended it is often still there. */
const RETRY_AFTER = 600_000
/** Files that are looked at; a folder with more is another kind of folder. */
const MOST_FILES = 200
/** Digests that are remembered: years of monthly exports. */
const MOST_KNOWN = 200
/** Bytes of a file: an export of thirty years has fewer. */
const MOST_BYTES = 32 * 1024 ** 3
/** Milliseconds of one import. */
const LONGEST = 3_600_000
const NAME = /^[^.].*\.(?:zip|xml)$/i

export interface HealthFolderInput {
  /** Absolute path. */
  readonly folder: string
  /** SHA-256 of files that are done with. */
  readonly known: { read(): readonly string[]; write(digests: readonly string[]): void }
  readonly read: (path: string, signal: AbortSignal) => Promise<Result<ImportedFile>>
  /** On the owner's private line. A notice with the same id is not repeated. */
  readonly tell: (notice: {
    readonly id: string
    readonly code: ReasonCode
    readonly text: Labeled<string>
  }) => Promise<unknown>
  readonly now: () => number
}

interface Look {
  /** Size and time of the last change. */
  readonly seen: string
  /** When it is next looked into, epoch milliseconds; Infinity: not before it changes. */
  readonly next: number
}

/** One look at the folder. A file that is as large and as old as at the last one has been written. */
export function createHealthFolder(input: HealthFolderInput): (signal: AbortSignal) => Promise<void> {
  const { folder, now } = input
  let looks: ReadonlyMap<string, Look> = new Map()
  return async (signal) => {
    const current = new Map<string, Look>()
    for (const [name, seen] of await filesIn(folder)) {
      const before = looks.get(name)
      const isSettled = before?.seen === seen
      const isDue = isSettled && before.next <= now() && !signal.aborted
      const next = isDue ? await readOne(input, name, { seen, signal }) : isSettled ? before.next : 0
      current.set(name, { seen, next })
    }
    looks = current
  }
}

/** What it is called, and what says that it has changed. A folder that is gone has none: a disk may not be there. */
async function filesIn(folder: string): Promise<readonly (readonly [name: string, seen: string])[]> {
  const names = await readdir(folder).catch(() => [])
  const found: (readonly [string, string])[] = []
  for (const name of names.filter((one) => NAME.test(one)).sort()) {
    const stats = await lstat(join(folder, name)).catch(() => null)
    if (stats?.isFile() === true && stats.size > 0 && stats.size <= MOST_BYTES)
      found.push([name, `${stats.ino} ${stats.size} ${stats.mtimeMs}`])
    if (found.length === MOST_FILES) break
  }
  return found
}

interface OneFile {
  readonly seen: string
  readonly signal: AbortSignal
}

/** Returns when it is next looked into. */
async function readOne(input: HealthFolderInput, name: string, { seen, signal }: OneFile): Promise<number> {
  const { folder, known, now, read } = input
  const path = join(folder, name)
  const again = now() + RETRY_AFTER
  const digest = await digestOf(path, signal)
  if (!digest.ok) {
    if (digest.reason.code !== 'file_denied') return again
    const id = createHash('sha256').update(`${name} ${seen}`).digest('hex')
    await input.tell({ id: `health-file:${id}`, code: 'file_denied', text: failed('file_denied') })
    return Number.POSITIVE_INFINITY
  }
  const before = known.read()
  if (before.includes(digest.value)) return Number.POSITIVE_INFINITY
  const done = await read(path, signal)
  // Home stops, or the process died: nothing is known of the file.
  if (!done.ok && failedWords(done.reason.code) === null) return again
  const text = done.ok ? notice(importedLines(done.value)) : failed(done.reason.code)
  const code = done.ok ? 'health_imported' : done.reason.code
  await input.tell({ id: `health-file:${digest.value}`, code, text })
  known.write([...before, digest.value].slice(-MOST_KNOWN))
  return Number.POSITIVE_INFINITY
}

function failed(code: ReasonCode): Labeled<string> {
  return notice([failedWords(code) ?? ''])
}

/** How much of the owner there is to read is nobody else's business. The name of the file is not in it: it is whoever's who put it there. */
function notice(lines: readonly string[]): Labeled<string> {
  return receive([tell('health.found_file'), ...lines].join('\n'), selfFacts('health_export', 'sensitive'))
}

/** Refusals: file_denied; folder_gone if it went away, or became a link; task_stopped. */
async function digestOf(path: string, signal: AbortSignal): Promise<Result<string>> {
  let handle: FileHandle | null = null
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const hash = createHash('sha256')
    for await (const piece of handle.createReadStream({ autoClose: false, signal })) hash.update(piece)
    return ok(hash.digest('hex'))
  } catch (error) {
    if (signal.aborted) return err('task_stopped')
    return err(['EACCES', 'EPERM'].includes(codeOf(error)) ? 'file_denied' : 'folder_gone')
  } finally {
    await handle?.close()
  }
}

const SCRIPT = fileURLToPath(new URL('import-child.ts', import.meta.url))
const imported = z.strictObject({
  taken: z.int(),
  odd: z.int(),
  first: z.string().check(z.regex(/^\d{4}-\d\d$/)),
  last: z.string().check(z.regex(/^\d{4}-\d\d$/)),
})

/** Refusals: those of `importHealthFile` and `runChild`. */
export async function importInChild(task: ImportTask, signal: AbortSignal): Promise<Result<ImportedFile>> {
  const made = await runChild({ script: SCRIPT, task, longest: LONGEST }, signal)
  if (!made.ok) return made
  const { success, data } = z.safeParse(imported, made.value)
  return success ? ok(data) : err('internal_fault')
}
