/**
 * One import of a health export: has an open file read and hands its days on to be kept, month by month. What ends in the middle has changed nothing, or whole
 * months: the same file again does the rest. Must not print, or keep a value. Called by `pfar health import` and home-jobs.ts.
 */
import type { HealthMonth } from '../../integrations/tools/health/health-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { type Saying, tell } from '../../kernel/wording/words.ts'
import type { AppleExport } from './apple-export.ts'
import { MOST_MONTHS } from './health-methods.ts'

/** Bytes of one call, well below what the line takes. */
const MOST_BYTES = 600_000
/** Counts and months; no value. */
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
  /** Bytes of the file, then months at home. */
  readonly progress: (what: 'reading' | 'keeping', done: number, of: number) => void
}

/** Refusals: those of `read` and `keep`, and health_empty for an export without anything that is known. */
export async function importHealthFile({
  read: reading,
  keep,
  progress,
}: ImportWays): Promise<Result<ImportedFile>> {
  // Asked first: nobody should wait for a long reading to learn that home is not there.
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

/** What came in, a line each. */
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

/** What is wrong with the file; null for a refusal that is not about it. */
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
