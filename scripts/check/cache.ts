/**
 * Which checks passed on exactly these bytes, under node_modules/.cache. A key covers every file of the tree, the installed packages and Node's
 * version, so that a check which passed on anything else runs again. Must not remember a failure. Called by run.ts.
 */
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Look {
  /** Of the paths and bytes of all files. */
  readonly digest: string
  /** Of when each was last changed: a file that was changed and changed back meanwhile shows here. */
  readonly stamp: string
}

export interface CheckCache {
  passed(check: string, digest: string): boolean
  pass(check: string, digest: string): void
}

/** No check reads in them, but in what is installed, which has a key of its own. */
const SKIPPED = new Set(['node_modules', '.git', '.wrangler', '.pfar'])

/** The whole tree as it is now; configuration and lock file are files of it. */
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

/** The cache's folder for the packages that are installed, and no other's beside it; null where nobody can say which these are. */
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

/** A file for each check, with the digest that it passed on. Without a folder nothing is remembered. */
export function createCheckCache(folder: string | null): CheckCache {
  const fileOf = (check: string): string => join(folder ?? '', `${slugOf(check)}.passed`)
  return {
    passed: (check, digest) => folder !== null && readOr(fileOf(check)) === digest,
    pass(check, digest) {
      if (folder !== null) writeFileSync(fileOf(check), digest)
    },
  }
}

/** As a name of a file. */
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
