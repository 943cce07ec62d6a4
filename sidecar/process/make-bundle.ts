/**
 * Makes the bundles of programs: `node make-bundle.ts sidecar/home.ts …`. Runs in a separate process, because esbuild must not
 * run where keys are. Must not run what it makes. Called by load-bundle.js.
 */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Metafile, type Plugin, transform } from 'esbuild'
import { CACHE, nameOf, ROOT } from './load-bundle.js'

/** Path from the root, time of the last change in milliseconds, and bytes. */
type Source = readonly [path: string, changed: number, bytes: number]

/** Metadata of a program's bundle in the cache. Modules are named as imports name them: `./name.js`. */
export interface Note {
  /** Root of the source tree that it was made from. */
  readonly root: string
  readonly sources: readonly Source[]
  /** Name of the entry module. */
  readonly first: string
  /** File in the cache with the modules that are loaded on demand. */
  readonly parts: string
  /** Byte range in that file, by module. */
  readonly later: Readonly<Record<string, readonly [start: number, length: number]>>
}

/**
 * Further files that each bundle depends on: npm's lock file stands for all packages, and these two files for the format of the
 * bundle.
 */
const BESIDE = [
  'node_modules/.package-lock.json',
  'sidecar/process/load-bundle.js',
  'sidecar/process/make-bundle.ts',
]

const MODULES = join(ROOT, 'node_modules')

/** Packages that Node loads itself: native code, programs, and packages that locate their own files by path. */
const OUTSIDE = [
  '@napi-rs/keyring',
  'bufferutil',
  'canvas',
  'esbuild',
  'miniflare',
  'utf-8-validate',
  'workerd',
  'wrangler',
  '*.node',
]

type Outputs = Metafile['outputs']

/** A module of the bundles: the source of a function, and the modules that it imports. */
interface Module {
  readonly name: string
  readonly code: string
}

async function make(entries: readonly string[]): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  const started = Date.now()
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [...entries],
    bundle: true,
    platform: 'node',
    // Modules that are imported on demand are split off: a short command loads a seventh of its program.
    format: 'esm',
    splitting: true,
    outdir: ROOT,
    entryNames: '[name]',
    external: OUTSIDE,
    plugins: [IN_PLACE],
    metafile: true,
    write: false,
    logLevel: 'silent',
    // Only whitespace is minified, to save memory; names stay, so that stack traces are readable.
    minifyWhitespace: true,
    legalComments: 'none',
  })
  const modules = await Promise.all(
    outputFiles.map(({ path, text }) => asFunction(basename(path), text, metafile.outputs)),
  )
  const { parts, later } = putParts(modules)
  for (const entry of entries)
    putProgram(entry, { outputs: metafile.outputs, modules, parts, later, started })
}

/** As a function, because Node's own import of a module costs a millisecond and loads unused parts of Node. */
async function asFunction(name: string, text: string, outputs: Outputs): Promise<Module> {
  const onDemand = (outputs[name]?.imports ?? []).filter(
    ({ kind, path }) => kind === 'dynamic-import' && outputs[path] !== undefined,
  )
  const loading = onDemand.reduce(
    (source, { path }) => source.replaceAll(`import("./${path}")`, `loadLater("./${path}")`),
    text,
  )
  const { code } = await transform(loading, {
    format: 'cjs',
    platform: 'node',
    // Makes packages export their default as Node would.
    sourcefile: name.replace(/js$/, 'mjs'),
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
  })
  return { name, code: `function(require,exports,module,loadLater){${inAscii(code)}\n}` }
}

/**
 * Writes all modules into one file, each with its byte range. The file is named by its hash, so that no program reads another
 * version.
 */
function putParts(modules: readonly Module[]): Pick<Note, 'parts' | 'later'> {
  const texts = modules.map(({ code }) => Buffer.from(code))
  const starts = texts.map((_, at) => texts.slice(0, at).reduce((sum, { length }) => sum + length, 0))
  const whole = Buffer.concat(texts)
  const parts = `parts-${createHash('sha256').update(whole).digest('hex').slice(0, 24)}`
  if (!existsSync(join(CACHE, parts))) put(parts, whole)
  const later = modules.map(
    ({ name }, at) => [`./${name}`, [starts[at] ?? 0, texts[at]?.length ?? 0]] as const,
  )
  return { parts, later: Object.fromEntries(later) }
}

interface Making extends Pick<Note, 'parts' | 'later'> {
  readonly outputs: Outputs
  readonly modules: readonly Module[]
  /** Start of the build, epoch milliseconds. */
  readonly started: number
}

function putProgram(entry: string, { outputs, modules, parts, later, started }: Making): void {
  const first = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === entry)
  if (first === undefined) throw new Error('esbuild made no file')
  const all = reached(outputs, first, () => true)
  const inputs = [...all].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
  const paths = [...new Set(inputs)].filter((path) => !path.startsWith('node_modules/'))
  const sources = [...paths, ...BESIDE].map((path): Source => {
    const { mtimeMs, size } = statSync(join(ROOT, path))
    return [path, mtimeMs, size]
  })
  const atOnce = reached(outputs, first, (kind) => kind === 'import-statement')
  const code = modules
    .filter(({ name }) => atOnce.has(name))
    .map((module) => `${JSON.stringify(`./${module.name}`)}:${module.code}`)
  const name = nameOf(entry)
  remove(`${name}.cjs.`)
  put(`${name}.cjs`, `{${code.join(',')}}`)
  const own = [...all].filter((path) => !atOnce.has(path)).map((path) => `./${path}`)
  const note: Note = {
    root: ROOT,
    sources,
    first: `./${first}`,
    parts,
    later: Object.fromEntries(own.map((path) => [path, later[path] ?? [0, 0]])),
  }
  // A source saved during the build may be in the bundle in its former version; without the note, the next start builds again.
  if (sources.every(([, changed]) => changed < started)) put(`${name}.json`, JSON.stringify(note))
}

/** The module and all modules that it imports, directly or indirectly. */
function reached(outputs: Outputs, first: string, follows: (kind: string) => boolean): ReadonlySet<string> {
  const seen = new Set([first])
  for (const path of seen)
    for (const { kind, path: next } of outputs[path]?.imports ?? [])
      if (outputs[next] !== undefined && follows(kind)) seen.add(next)
  return seen
}

/**
 * Other letters remain only in regular expressions, where an escape is equivalent. Node reads an ASCII file ten times as fast.
 */
function inAscii(text: string): string {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(text)) return text
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Removes bundles of source trees that no longer exist, and module files that no program uses. */
function tidy(): void {
  const used = new Set<string>()
  for (const name of readdirSync(CACHE).filter((one) => one.endsWith('.json'))) {
    const { root, parts } = JSON.parse(readFileSync(join(CACHE, name), 'utf8')) as Note
    if (existsSync(root)) used.add(parts)
    else remove(name.slice(0, -'.json'.length))
  }
  for (const name of namesOf('parts-'))
    if (!used.has(name.split('.')[0] ?? '')) rmSync(join(CACHE, name), { force: true })
}

function remove(start: string): void {
  for (const name of namesOf(start)) rmSync(join(CACHE, name), { force: true })
}

function namesOf(start: string): readonly string[] {
  return readdirSync(CACHE).filter((name) => name.startsWith(start))
}

/** Writes the file atomically, also if other processes write it at the same time. */
function put(name: string, contents: string | Uint8Array): void {
  const draft = join(CACHE, `${name}.${process.pid}.draft`)
  writeFileSync(draft, contents)
  renameSync(draft, join(CACHE, name))
}

/** Sources that locate files beside themselves, also in a bundle, and packages that do so. */
const PLACED = /\.ts$|\/node_modules\/emulate\/.*\.js$/

const IN_PLACE: Plugin = {
  name: 'in-place',
  setup: (build) =>
    build.onLoad({ filter: PLACED }, ({ path }) => {
      const isOurs = relative(MODULES, path).startsWith('..')
      if (!isOurs && path.endsWith('.ts')) return undefined
      const source = readFileSync(path, 'utf8')
      const own = {
        dirname: dirname(path),
        filename: path,
        url: pathToFileURL(path).href,
      }
      const contents = source.replaceAll(
        /\bimport\.meta\.(dirname|filename|url)\b/g,
        (_whole, name: keyof typeof own) => JSON.stringify(own[name]),
      )
      return { contents, loader: isOurs ? 'ts' : 'js' }
    }),
}

await make(process.argv.slice(2))
tidy()
