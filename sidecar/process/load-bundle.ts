/**
 * Loads a program from one file with all that it imports, made when a source has changed: Node takes a third of the time that a
 * thousand files take. Must not change what a program does, nor fail: without a bundle the sources run. Called by each `main.ts`.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const ROOT = join(import.meta.dirname, '../..')
export const CACHE = join(ROOT, 'node_modules/.cache/pfar')
const MAKER = join(import.meta.dirname, 'make-bundle.ts')

/** Milliseconds to make one; then the sources run. */
const TIMEOUT = 20_000

/** Path from the root, time of the last change in milliseconds, and bytes. */
export type Source = readonly [path: string, changed: number, bytes: number]

/** Of a bundle in the cache: the folder for which it was made, and the files of which. */
export interface Made {
  readonly root: string
  readonly sources: readonly Source[]
}

/**
 * Runs a program, a path from the root. `sources` loads it where no bundle is to be had: someone looks at single modules
 * (NODE_OPTIONS, a debugger), the installation is not ours to write to, or a source has a typo, of which Node then says what is wrong.
 */
export async function loadProgram(entry: string, sources: () => Promise<unknown>): Promise<void> {
  const bundle = isWatched() ? null : (known(entry) ?? made(entry))
  if (bundle === null) {
    await sources()
    return
  }
  enableCompileCache(join(CACHE, 'compiled'))
  await import(pathToFileURL(bundle).href)
}

/** Also of this folder: copies of a tree may share their packages. */
export function nameOf(entry: string): string {
  const folder = createHash('sha256').update(ROOT).digest('hex').slice(0, 12)
  return `${entry.replaceAll('/', '-').replace(/\.ts$/, '')}-${folder}`
}

function isWatched(): boolean {
  const { execArgv, env } = process
  return (env['NODE_OPTIONS'] ?? '') !== '' || execArgv.some((option) => option.startsWith('--inspect'))
}

/** The bundle in the cache, if none of its sources has changed. */
function known(entry: string): string | null {
  try {
    // Written by make-bundle.ts.
    const { sources } = JSON.parse(readFileSync(join(CACHE, `${nameOf(entry)}.json`), 'utf8')) as Made
    const isSame = sources.every(([path, changed, bytes]) => {
      const now = statSync(join(ROOT, path))
      return now.mtimeMs === changed && now.size === bytes
    })
    const bundle = join(CACHE, `${nameOf(entry)}.mjs`)
    accessSync(bundle)
    return isSame ? bundle : null
  } catch {
    return null
  }
}

function made(entry: string): string | null {
  try {
    accessSync(join(ROOT, 'node_modules'), constants.W_OK)
    const { PATH = '' } = process.env
    execFileSync(process.execPath, [MAKER, entry], { env: { PATH }, stdio: 'ignore', timeout: TIMEOUT })
    return known(entry)
  } catch {
    return null
  }
}
