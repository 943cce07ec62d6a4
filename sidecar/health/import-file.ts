/**
 * One import of a health export: parses an open file and stores its days month by month. An aborted import
 * has stored only whole months, and importing the same file again completes it. Must not print, or keep a
 * value. Called by `pfar health import` and home-jobs.ts.
 */
import type { HealthMonth } from '../../integrations/tools/health/health-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type Saying, tell } from '../../kernel/wording/words.ts'
import type { AppleExport } from './apple-export.ts'
import { MOST_MONTHS } from './health-methods.ts'

/** Maximum bytes of one call, well below the limit of the line. */
const MOST_BYTES = 600_000
/** The result: counts and months, no values. */
export interface ImportedFile {
  readonly taken: number
  readonly odd: number
  /** `2026-11` */
  readonly first: string
  readonly last: string
}

export interface ImportWays {
  readonly read: (progress: (read: number, of: number) => void) => Promise<Result<AppleExport>>
  readonly keep: (months: readonly HealthMonth[]) => Promise<Result<unknown>>
  /** Progress: bytes while the file is parsed, then months while they are stored. */
  readonly progress: (what: 'reading' | 'keeping', done: number, of: number) => void
}

/** Refusals: those of `read` and `keep`; health_empty for an export without known data. */
export async function importHealthFile({
  read: reading,
  keep,
  progress,
}: ImportWays): Promise<Result<ImportedFile>> {
  // Checks first that home runs, before the long parsing.
  const home = await keep([])
  if (!home.ok) return home
  const read = await reading((...bytes) => progress('reading', ...bytes))
  if (!read.ok) return read
  const { months, taken, odd } = read.value
  const [first, last] = [months[0], months.at(-1)]
  if (first === undefined || last === undefined) return err('health_empty')
  let done = 0
  for (const batch of batchesOf(months)) {
    const kept = await keep(batch)
    if (!kept.ok) return kept
    done += batch.length
    progress('keeping', done, months.length)
  }
  return ok({ taken, odd, first: first.month, last: last.month })
}

/** Lines for the owner about what was imported. */
export function importedLines({ taken, odd, first, last }: ImportedFile): readonly string[] {
  const counted = (count: number): string => count.toLocaleString('en-GB')
  return [
    tell('health.imported', { records: counted(taken), first, last }),
    ...(odd > 0 ? [tell('health.left_out', { odd: counted(odd) })] : []),
    tell('health.file_done'),
  ]
}

const FAILED: Readonly<Record<string, Saying>> = {
  folder_gone: 'health.file_gone',
  file_denied: 'health.file_denied',
  nothing_found: 'health.file_without',
  health_empty: 'health.file_empty',
  health_malformed: 'health.file_broken',
}

/** Sentence about a fault of the file; null for any other refusal. */
export function failedWords(code: string): string | null {
  const saying = Object.hasOwn(FAILED, code) ? FAILED[code] : undefined
  return saying === undefined ? null : tell(saying)
}

export function batchesOf(months: readonly HealthMonth[]): readonly (readonly HealthMonth[])[] {
  const batches: HealthMonth[][] = []
  let room = 0
  for (const month of months) {
    const bytes = Buffer.byteLength(JSON.stringify(month))
    const last = batches.at(-1)
    if (last === undefined || bytes > room || last.length === MOST_MONTHS) {
      batches.push([month])
      room = MOST_BYTES - bytes
    } else {
      last.push(month)
      room -= bytes
    }
  }
  return batches
}
