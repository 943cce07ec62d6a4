/**
 * Loads a program from files that hold all it imports, made when a source has changed: Node takes a tenth of the time that a thousand
 * files of TypeScript take. Must not change what a program does, nor fail: without a bundle the sources run. Called by each `main.js`.
 */
import { isAscii } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire, enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { Script, constants as vm } from 'node:vm'
import { crc32 } from 'node:zlib'

// In JavaScript, as the entry points are: to read the first TypeScript takes Node a tenth of a second, before anything runs.

export const ROOT = join(import.meta.dirname, '../..')
export const CACHE = join(ROOT, 'node_modules/.cache/pfar')
const MAKER = join(import.meta.dirname, 'make-bundle.ts')

/** Made together: they share most of their sources, so all take little longer than one. */
const PROGRAMS = [
  'sidecar/home.ts',
  'sidecar/cli/pfar.ts',
  'scripts/start/run.ts',
  'scripts/start/edge-process.ts',
  'scripts/demo/demo.ts',
]

/**
 * V8 takes compiled code only under the flags that it was kept under, and home changes them while it runs (heap.ts): what earlier runs
 * loaded is compiled before it does.
 */
const COMPILED_FIRST = 'sidecar/home.ts'

/** Milliseconds to make them; then the sources run. */
const TIMEOUT = 20_000

/**
 * A bundle in the cache: what runs at once, and the open file of what a program loads later. That file stays readable when another is
 * made in its place, so a running home loads what belongs to it.
 * @typedef {{ entry: string, path: string, bytes: Buffer, note: import('./make-bundle.ts').Note, parts: { path: string, file: number } }} Bundle
 */

/**
 * Runs a program, a path from the root. `sources` loads it where no bundle is to be had: someone looks at single modules
 * (NODE_OPTIONS without PFAR_BUNDLE=yes, a debugger), the installation is not ours to write to, or a source has a typo, of which Node then says what is wrong.
 * @param {string} entry
 * @param {() => Promise<unknown>} sources
 * @returns {Promise<void>}
 */
export async function loadProgram(entry, sources) {
  const bundle = isWatched() ? null : (known(entry) ?? made(entry))
  if (bundle === null) await sources()
  else run(bundle)
}

/** Makes what is missing or has changed of all programs, before the first of them runs. */
export function makePrograms() {
  for (const entry of PROGRAMS) if (known(entry) === null && made(entry) === null) return
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
  const isOptions = (env['NODE_OPTIONS'] ?? '') !== '' && env['PFAR_BUNDLE'] !== 'yes'
  return isOptions || execArgv.some((option) => option.startsWith('--inspect'))
}

/**
 * The bundle in the cache, if none of its sources has changed.
 * @param {string} entry
 * @returns {Bundle | null}
 */
function known(entry) {
  try {
    const name = join(CACHE, nameOf(entry))
    /** @type {import('./make-bundle.ts').Note} */
    const note = JSON.parse(readFileSync(`${name}.json`, 'utf8'))
    const isSame = note.sources.every(([path, changed, bytes]) => {
      const now = statSync(join(ROOT, path))
      return now.mtimeMs === changed && now.size === bytes
    })
    if (!isSame) return null
    const path = `${name}.cjs`
    const parts = join(CACHE, note.parts)
    return {
      entry,
      path,
      bytes: readFileSync(path),
      note,
      parts: { path: parts, file: openSync(parts, 'r') },
    }
  } catch {
    return null
  }
}

/**
 * @param {string} entry
 * @returns {Bundle | null}
 */
function made(entry) {
  try {
    accessSync(join(ROOT, 'node_modules'), constants.W_OK)
    const { PATH = '' } = process.env
    const entries = new Set([...PROGRAMS.filter((program) => existsSync(join(ROOT, program))), entry])
    execFileSync(process.execPath, [MAKER, ...entries], { env: { PATH }, stdio: 'ignore', timeout: TIMEOUT })
    return known(entry)
  } catch {
    return null
  }
}

/**
 * Runs the modules of a bundle, each once, in the order in which they ask for each other.
 * @param {Bundle} bundle
 */
function run({ entry, path, bytes, note, parts }) {
  // For packages that are not in it.
  enableCompileCache(join(CACHE, 'compiled'))
  const packages = createRequire(join(ROOT, 'package.json'))
  const first = compile(path, bytes)
  /** @param {string} name */
  const later = (name) => {
    const [start, length] = note.later[name] ?? [0, 0]
    const part = Buffer.alloc(length)
    readSync(parts.file, part, 0, length, start)
    return compile(`${parts.path}.${start}`, part)
  }
  const early = entry === COMPILED_FIRST ? compiledFirst(`${path}.used`, note, later) : new Map()
  /** @type {Map<string, { exports: unknown }>} */
  const modules = new Map()
  /** @param {string} name */
  const load = (name) => {
    if (!name.startsWith('./')) return packages(name)
    const before = modules.get(name)
    if (before !== undefined) return before.exports
    const module = { exports: {} }
    modules.set(name, module)
    const code = first[name] ?? early.get(name) ?? later(name)
    if (first[name] === undefined) early.set(name, code)
    code(load, module.exports, module, loadLater)
    return module.exports
  }
  /** @param {string} name */
  const loadLater = async (name) => load(name)
  load(note.first)
}

/**
 * The modules that earlier runs of a program loaded; a run that loads more adds them.
 * @param {string} path
 * @param {import('./make-bundle.ts').Note} note
 * @param {(name: string) => Function} later
 */
function compiledFirst(path, note, later) {
  const lines = bytesOf(path)?.toString().split('\n') ?? []
  const used = lines.filter((name) => Object.hasOwn(note.later, name))
  const early = new Map(used.map((name) => [name, later(name)]))
  process.once('exit', () => {
    if (early.size > used.length) put(path, [...early.keys()].join('\n'))
  })
  return early
}

/** @type {(readonly [path: string, script: Script])[]} */
const compiledNow = []

/**
 * As a script: V8 accepts code that an earlier run compiled, and Node does not search a script for exports.
 * @param {string} path
 * @param {Buffer} bytes
 */
function compile(path, bytes) {
  const source = `(${bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')}\n)`
  // V8 itself compares lengths alone.
  const compiled = `${path}.${crc32(bytes).toString(16)}`
  const cachedData = bytesOf(compiled)
  const importModuleDynamically = vm.USE_MAIN_CONTEXT_DEFAULT_LOADER
  const script = new Script(source, {
    filename: path,
    importModuleDynamically,
    ...(cachedData && { cachedData }),
  })
  if (cachedData === undefined || script.cachedDataRejected === true) {
    if (compiledNow.length === 0) process.once('exit', keepCompiled)
    compiledNow.push([compiled, script])
  }
  return script.runInThisContext()
}

/** With what has been compiled in this run. */
function keepCompiled() {
  for (const [path, script] of compiledNow) put(path, () => script.createCachedData())
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
 * Whole or not at all, whoever else writes it; the next start does without.
 * @param {string} path
 * @param {string | (() => Buffer)} contents
 */
function put(path, contents) {
  try {
    const draft = `${path}.${process.pid}.draft`
    writeFileSync(draft, typeof contents === 'string' ? contents : contents())
    renameSync(draft, path)
  } catch {}
}
