/**
 * Parses a health export in a confined process, which gets the open file and nothing else. Its output is
 * checked as untrusted input. Must not read the content of the file here: it is hostile. Called by
 * import-file.ts for `pfar health import` and for the watched folder.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import type { HealthMonth } from '../../integrations/tools/health/health-port.ts'
import { parseJson } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type Confined, type ConfinedLimits, createConfined, type probeSandbox } from '../confined/sandbox.ts'
import { codeOf } from '../folders/open-inside.ts'
import type { AppleExport } from './apple-export.ts'
import { monthSchema } from './health-store.ts'

export interface ExportTask {
  /** Epoch milliseconds. */
  readonly now: number
}

export interface ExportReading extends ExportTask {
  /** Bytes of the XML that were read, and their total. */
  readonly progress: (read: number, of: number) => void
  /** Ends the process. */
  readonly signal: AbortSignal
}

/**
 * Refusals: those of `readHealthExport`; sandbox_missing; internal_fault if the process died, of its limits
 * as well; task_stopped. The file stays open.
 */
export type ExportReader = (
  file: Pick<FileHandle, 'fd'>,
  reading: ExportReading,
) => Promise<Result<AppleExport>>

export type ExportReaderInput = Partial<
  ConfinedLimits & {
    readonly withoutSandbox: boolean
    readonly sandbox: typeof probeSandbox
    readonly run: Confined
  }
>

/**
 * Limits of the process: an hour, and the memory for thirty years of several devices. A file that needs more
 * only ends its own process.
 */
const LIMITS: ConfinedLimits = Object.freeze({ longest: 3_600_000, memory: 536_870_912, heap: 256 })
/** Maximum UTF-16 units of its output: thirty years take about ten million. */
const MOST_PRINTED = 33_554_432
/** The month before the first possible record. With `AHEAD` it bounds the months of one import. */
const FIRST = '1999-12'
/**
 * Milliseconds that a month may lie in the future: the tolerance of the parser plus the offset of other
 * zones.
 */
const AHEAD = 2 * 86_400_000

const bytes = z.int().check(z.minimum(0))
const line = z.union([z.strictObject({ read: bytes, of: bytes }), z.strictObject({ month: monthSchema })])
const counts = z.strictObject({ taken: bytes, odd: bytes })

/**
 * `withoutSandbox`: on a system without a sandbox the owner allows parsing with only Node's permission model.
 */
export function createExportReader({
  withoutSandbox = false,
  sandbox,
  run = createConfined({ script: SCRIPT, reads: READS, withoutSandbox }, sandbox),
  ...limits
}: ExportReaderInput = {}): ExportReader {
  return async ({ fd }, { now, progress, signal }) => {
    const months: HealthMonth[] = []
    let malformed = false
    const last = new Date(now + AHEAD).toISOString().slice(0, 7)
    const each = (text: string): boolean => {
      const { success, data } = z.safeParse(line, parseJson(text))
      if (!success) malformed = true
      else if ('read' in data) progress(data.read, data.of)
      else {
        const month = data.month as HealthMonth
        if (follows(month, months.at(-1)?.month ?? '', last)) months.push(month)
        else malformed = true
      }
      return !malformed
    }
    const task: ExportTask = { now }
    const done = await run(
      task,
      { ...LIMITS, ...limits, descriptor: fd, lines: { each, most: MOST_PRINTED } },
      signal,
    )
    if (malformed) return err('health_malformed')
    if (!done.ok) return done
    const { success, data } = z.safeParse(counts, done.value)
    return success ? ok({ months, ...data }) : err('internal_fault')
  }
}

/** Checks the months: each once, oldest first, within the bounds, and with days of that month only. */
function follows({ month, days, workouts }: HealthMonth, before: string, last: string): boolean {
  const all = [...Object.keys(days), ...workouts.map(({ day }) => day)]
  return month >= FIRST && month <= last && month > before && all.every((day) => day.startsWith(`${month}-`))
}

/** O_NONBLOCK: opening a FIFO would block until somebody writes. */
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * A file that the owner named, who may have named a link: from there on none is followed. Refusals:
 * folder_gone if there is none, file_denied, health_malformed for what is no file.
 */
export async function openExport(path: string): Promise<Result<FileHandle>> {
  let handle: FileHandle | null = null
  try {
    handle = await open(await realpath(path), FILE)
    if ((await handle.stat()).isFile()) return ok(handle)
    await handle.close()
    return err('health_malformed')
  } catch (error) {
    await handle?.close()
    return err(['ENOENT', 'ENOTDIR', 'ELOOP'].includes(codeOf(error)) ? 'folder_gone' : 'file_denied')
  }
}

const SCRIPT = fileURLToPath(new URL('export-child.ts', import.meta.url))
/** Permission of the process: reading its own code. */
const READS: readonly string[] = [
  '.',
  '../../kernel/flow/verdict.ts',
  '../../integrations/tools/health/measures.ts',
  '../../package.json',
].map((path) => fileURLToPath(new URL(path, import.meta.url)))
