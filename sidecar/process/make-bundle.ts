/**
 * Makes the bundles of programs: `node make-bundle.ts sidecar/home.ts …`. In a process of its own, because esbuild has no business where
 * keys are. Must not run what it makes. Called by load-bundle.js.
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

/** Of a program's bundle in the cache. A module is named as others ask for it: `./name.js`. */
export interface Note {
  /** The folder for which it was made. */
  readonly root: string
  readonly sources: readonly Source[]
  /** The module that is the program. */
  readonly first: string
  /** The file of the modules that it loads later, in the cache. */
  readonly parts: string
  /** Bytes in that file, by module. */
  readonly later: Readonly<Record<string, readonly [start: number, length: number]>>
}

/** What each bundle also depends on: what npm last wrote stands for every package, and these for its own form. */
const BESIDE = [
  'node_modules/.package-lock.json',
  'sidecar/process/load-bundle.js',
  'sidecar/process/make-bundle.ts',
]

const MODULES = join(ROOT, 'node_modules')

/** Loaded by Node itself: native code, programs, and what finds its own files by where it lies. */
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

/** A module of the bundles: the text of a function, and what it asks for. */
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
    // What is imported on demand becomes a module of its own: a short command reads a seventh of its program.
    format: 'esm',
    splitting: true,
    outdir: ROOT,
    entryNames: '[name]',
    external: OUTSIDE,
    plugins: [IN_PLACE],
    metafile: true,
    write: false,
    logLevel: 'silent',
    // The text stays in memory; names stay, for a stack that can be read.
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

/** Node's own import of a module costs a millisecond, and loads parts of Node that nobody uses. */
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
    // Packages then give their default export as Node would.
    sourcefile: name.replace(/js$/, 'mjs'),
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'silent',
  })
  return { name, code: `function(require,exports,module,loadLater){${inAscii(code)}\n}` }
}

/** All modules in one file, each with its place. Named by its text, so that no program reads the file of another time. */
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
  /** When it began, milliseconds. */
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
  // One that was saved meanwhile may be in the bundle as it was before: the next start makes another.
  if (sources.every(([, changed]) => changed < started)) put(`${name}.json`, JSON.stringify(note))
}

/** The modules that a module asks for, and it. */
function reached(outputs: Outputs, first: string, follows: (kind: string) => boolean): ReadonlySet<string> {
  const seen = new Set([first])
  for (const path of seen)
    for (const { kind, path: next } of outputs[path]?.imports ?? [])
      if (outputs[next] !== undefined && follows(kind)) seen.add(next)
  return seen
}

/**
 * What is left of other letters stands in regular expressions, where an escape is the same; a file in ASCII is read ten times as fast.
 */
function inAscii(text: string): string {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(text)) return text
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Removes what was made for copies of the tree that are gone, and what no program reads any more. */
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

/** Whole or not at all, whoever else writes it. */
function put(name: string, contents: string | Uint8Array): void {
  const draft = join(CACHE, `${name}.${process.pid}.draft`)
  writeFileSync(draft, contents)
  renameSync(draft, join(CACHE, name))
}

/** In a bundle, each source still finds the files beside it, and so do the files of these packages. */
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
