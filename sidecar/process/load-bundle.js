/**
 * Loads a program from one file with all that it imports, made when a source has changed: Node takes a fifth of the time that a thousand
 * files of TypeScript take. Must not change what a program does, nor fail: without a bundle the sources run. Called by each `main.js`.
 */
import { isAscii } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { createRequire, enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { Script, constants as vm } from 'node:vm'
import { crc32 } from 'node:zlib'

// In JavaScript, as the entry points are: to read the first TypeScript takes Node a tenth of a second, before anything runs.

export const ROOT = join(import.meta.dirname, '../..')
export const CACHE = join(ROOT, 'node_modules/.cache/pfar')
const MAKER = join(import.meta.dirname, 'make-bundle.ts')

/** Milliseconds to make one; then the sources run. */
const TIMEOUT = 20_000

/**
 * Runs a program, a path from the root. `sources` loads it where no bundle is to be had: someone looks at single modules
 * (NODE_OPTIONS, a debugger), the installation is not ours to write to, or a source has a typo, of which Node then says what is wrong.
 * @param {string} entry
 * @param {() => Promise<unknown>} sources
 * @returns {Promise<void>}
 */
export async function loadProgram(entry, sources) {
  const bundle = isWatched() ? null : (known(entry) ?? made(entry))
  if (bundle === null) await sources()
  else run(bundle)
}

/**
 * Also of this folder: copies of a tree may share their packages.
 * @param {string} entry
 */
export function nameOf(entry) {
  const folder = createHash('sha256').update(ROOT).digest('hex').slice(0, 12)
  return `${entry.replaceAll('/', '-').replace(/\.ts$/, '')}-${folder}`
}

function isWatched() {
  const { execArgv, env } = process
  return (env['NODE_OPTIONS'] ?? '') !== '' || execArgv.some((option) => option.startsWith('--inspect'))
}

/**
 * The bundle in the cache, if none of its sources has changed.
 * @param {string} entry
 */
function known(entry) {
  try {
    /** @type {import('./make-bundle.ts').Made} */
    const { sources } = JSON.parse(readFileSync(join(CACHE, `${nameOf(entry)}.json`), 'utf8'))
    const isSame = sources.every(([path, changed, bytes]) => {
      const now = statSync(join(ROOT, path))
      return now.mtimeMs === changed && now.size === bytes
    })
    const bundle = join(CACHE, `${nameOf(entry)}.cjs`)
    accessSync(bundle)
    return isSame ? bundle : null
  } catch {
    return null
  }
}

/** @param {string} entry */
function made(entry) {
  try {
    accessSync(join(ROOT, 'node_modules'), constants.W_OK)
    const { PATH = '' } = process.env
    execFileSync(process.execPath, [MAKER, entry], { env: { PATH }, stdio: 'ignore', timeout: TIMEOUT })
    return known(entry)
  } catch {
    return null
  }
}

/**
 * Runs it as a script: V8 accepts code that an earlier run compiled, and Node does not search a script for exports.
 * @param {string} bundle
 */
function run(bundle) {
  // For packages that are not in it.
  enableCompileCache(join(CACHE, 'compiled'))
  const bytes = readFileSync(bundle)
  const source = `(function (require) {${bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')}\n})`
  // V8 itself compares lengths alone.
  const compiled = `${bundle}.${crc32(bytes).toString(16)}`
  const cachedData = bytesOf(compiled)
  const importModuleDynamically = vm.USE_MAIN_CONTEXT_DEFAULT_LOADER
  const script = new Script(source, {
    filename: bundle,
    importModuleDynamically,
    ...(cachedData && { cachedData }),
  })
  if (cachedData === undefined || script.cachedDataRejected === true)
    process.once('exit', () => put(compiled, script))
  script.runInThisContext()(createRequire(join(ROOT, 'package.json')))
}

/** @param {string} path */
function bytesOf(path) {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/**
 * With what has been compiled in this run. Whole or not at all, whoever else writes it; the next start does without.
 * @param {string} path
 * @param {Script} script
 */
function put(path, script) {
  try {
    const draft = `${path}.${process.pid}.draft`
    writeFileSync(draft, script.createCachedData())
    renameSync(draft, path)
  } catch {}
}
