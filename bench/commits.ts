/**
 * Commits and pages that SQLite wrote to the databases of a folder, read from their write-ahead logs: a frame of a commit names the
 * size of the database, any other frame a zero. Must not open a database. Called by bench/rows.ts and bench/growth.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes: header of the log, and of each frame (https://www.sqlite.org/fileformat2.html#walformat). */
const LOG_HEADER = 32
const FRAME_HEADER = 24

export interface Logged {
  readonly commits: number
  readonly pages: number
}

/** By name of the database; frames of the current pass of each log. */
export function loggedIn(folder: string): ReadonlyMap<string, Logged> {
  if (!existsSync(folder)) return new Map()
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('-wal'),
  )
  return new Map(logs.map((file) => [file.slice(0, -'-wal'.length), framesIn(join(folder, file))]))
}

/** What was added between two looks. A log that began anew in between counts from its beginning. */
export function addedSince(
  before: ReadonlyMap<string, Logged>,
  after: ReadonlyMap<string, Logged>,
): ReadonlyMap<string, Logged> {
  return new Map(
    [...after].map(([name, { commits, pages }]) => {
      const known = before.get(name)
      const isSame = known !== undefined && known.pages <= pages
      return [
        name,
        isSame ? { commits: commits - known.commits, pages: pages - known.pages } : { commits, pages },
      ]
    }),
  )
}

function framesIn(path: string): Logged {
  const log = readFileSync(path)
  if (log.length < LOG_HEADER) return { commits: 0, pages: 0 }
  const size = FRAME_HEADER + log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let [commits, pages] = [0, 0]
  for (let at = LOG_HEADER; at + size <= log.length; at += size) {
    // Frames of an earlier pass stay behind those of this one.
    if (!log.subarray(at + 8, at + 16).equals(salts)) break
    pages += 1
    if (log.readUInt32BE(at + 4) > 0) commits += 1
  }
  return { commits, pages }
}
