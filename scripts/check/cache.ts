/**
 * Remembers which checks passed on the present tree, under node_modules/.cache. The key covers every file of the tree,
 * the installed packages and Node's version, so that any change runs a check again. Must not remember a failure. Called
 * by run.ts.
 */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Look {
  /** Hash of the paths and bytes of all files. */
  readonly digest: string
  /** Hash of their change times, which reveals a file that was changed and changed back in the meantime. */
  readonly stamp: string
}

export interface CheckCache {
  passed(check: string, digest: string): boolean
  pass(check: string, digest: string): void
}

/** Checks read none of these except installed packages, which the folder's key covers. */
const SKIPPED = new Set(['node_modules', '.git', '.wrangler', '.pfar'])

/** Hashes the whole tree, including configuration and lock file. */
export function lookAt(root: string): Look {
  const [digest, stamp] = [createHash('sha256'), createHash('sha256')]
  const walk = (folder: string): void => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true })
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (SKIPPED.has(entry.name)) continue
      const path = join(folder, entry.name)
      const at = join(root, path)
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile() || entry.isSymbolicLink()) {
        const { ctimeNs, ino } = lstatSync(at, { bigint: true })
        const bytes = entry.isFile() ? readFileSync(at) : Buffer.from(readlinkSync(at))
        stamp.update(`${path}\0${ino}\0${ctimeNs}\0`)
        digest.update(`${path}\0${entry.isFile()}\0${bytes.length}\0`).update(bytes)
      }
    }
  }
  walk('')
  return { digest: digest.digest('hex'), stamp: stamp.digest('hex') }
}

/**
 * Folder of the cache for the installed packages; deletes those for others. Null if the installed packages are unknown.
 */
export function cacheFolder(root: string): string | null {
  const installed = readOr(join(root, 'node_modules/.package-lock.json'))
  if (installed === null) return null
  const key = createHash('sha256').update(`${process.version}\0${process.arch}\0${installed}`).digest('hex')
  const all = join(root, 'node_modules/.cache/pfar/check')
  const folder = join(all, key)
  mkdirSync(folder, { recursive: true })
  for (const other of readdirSync(all)) if (other !== key) rmSync(join(all, other), { recursive: true })
  return folder
}

/** One file per check, with the digest that it passed on. Without a folder nothing is remembered. */
export function createCheckCache(folder: string | null): CheckCache {
  const fileOf = (check: string): string => join(folder ?? '', `${slugOf(check)}.passed`)
  return {
    passed: (check, digest) => folder !== null && readOr(fileOf(check)) === digest,
    pass(check, digest) {
      if (folder !== null) writeFileSync(fileOf(check), digest)
    },
  }
}

/** The name of a check in a form for file names. */
export function slugOf(check: string): string {
  return check.replaceAll(/[^a-z]+/g, '-')
}

function readOr(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
