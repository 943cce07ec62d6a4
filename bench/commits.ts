/**
 * Counts the commits and pages that SQLite wrote to the databases of a folder, from their write-ahead logs: a commit's frame
 * states the size of the database, any other frame has 0 there. Must not open a database. Called by bench/rows.ts and
 * test/e2e/chaos-jobs-pair.ts.
 */
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes: header of the log, and of each frame (https://www.sqlite.org/fileformat2.html#walformat). */
const LOG_HEADER = 32
const FRAME_HEADER = 24

export interface Logged {
  readonly commits: number
  readonly pages: number
}

/** Counts by name of the database, for the frames of the current pass of each log. */
export function loggedIn(folder: string): ReadonlyMap<string, Logged> {
  if (!existsSync(folder)) return new Map()
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('-wal'),
  )
  return new Map(logs.map((file) => [file.slice(0, -'-wal'.length), framesIn(join(folder, file))]))
}

/** The difference between two counts. A log that was restarted in between counts from its beginning. */
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
    // Frames of an earlier pass may follow; their salts differ.
    if (!log.subarray(at + 8, at + 16).equals(salts)) break
    pages += 1
    if (log.readUInt32BE(at + 4) > 0) commits += 1
  }
  return { commits, pages }
}

/**
 * Returns a function that counts the commits to one log since this call; it reads only what was added. A log that does not
 * exist yet has 0.
 */
export function followCommits(path: string): () => number {
  let [at, salts, commits] = [LOG_HEADER, '', 0]
  const header = Buffer.alloc(LOG_HEADER)
  const frame = Buffer.alloc(FRAME_HEADER)
  const look = (): void => {
    const log = openSync(path, 'r')
    try {
      if (readSync(log, header, 0, LOG_HEADER, 0) < LOG_HEADER) return
      const now = header.toString('hex', 16, 24)
      if (now !== salts) [at, salts] = [LOG_HEADER, now]
      const size = FRAME_HEADER + header.readUInt32BE(8)
      while (readSync(log, frame, 0, FRAME_HEADER, at) === FRAME_HEADER) {
        if (frame.toString('hex', 8, 16) !== salts) return
        if (frame.readUInt32BE(4) > 0) commits += 1
        at += size
      }
    } finally {
      closeSync(log)
    }
  }
  if (existsSync(path)) look()
  const before = commits
  return () => {
    if (existsSync(path)) look()
    return commits - before
  }
}
