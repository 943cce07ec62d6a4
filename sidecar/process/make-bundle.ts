/**
 * Makes the bundle of a program: `node make-bundle.ts sidecar/home.ts`. In a process of its own, because esbuild has no business where
 * keys are. Must not run what it makes. Called by load-bundle.js.
 */
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
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { CACHE, nameOf, ROOT } from './load-bundle.js'

/** Path from the root, time of the last change in milliseconds, and bytes. */
type Source = readonly [path: string, changed: number, bytes: number]

/** Of a bundle in the cache: the folder for which it was made, and the files of which. */
export interface Made {
  readonly root: string
  readonly sources: readonly Source[]
}

/** What npm last wrote: it stands for every package. */
const INSTALLED = 'node_modules/.package-lock.json'

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

async function make(entry: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  const started = Date.now()
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: OUTSIDE,
    plugins: [IN_PLACE],
    metafile: true,
    write: false,
    logLevel: 'silent',
    // The text stays in memory; names stay, for a stack that can be read. Not split: a running home may load a part much later.
    minifyWhitespace: true,
    legalComments: 'none',
  })
  const [output] = outputFiles
  if (output === undefined) throw new Error('esbuild made no file')
  const paths = Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/'))
  const sources = [...paths, INSTALLED].map((path): Source => {
    const { mtimeMs, size } = statSync(join(ROOT, path))
    return [path, mtimeMs, size]
  })
  const name = nameOf(entry)
  for (const compiled of namesOf(`${name}.cjs.`)) rmSync(join(CACHE, compiled), { force: true })
  put(`${name}.cjs`, inAscii(output.text))
  // One that was saved meanwhile may be in the bundle as it was before: the next start makes another.
  if (sources.every(([, changed]) => changed < started))
    put(`${name}.json`, JSON.stringify({ root: ROOT, sources } satisfies Made))
}

/**
 * What is left of other letters stands in regular expressions, where an escape is the same; a file in ASCII is read ten times as fast.
 */
function inAscii(text: string): string {
  if (/String\.raw`[^`]*[^\0-\x7f]/.test(text)) return text
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Removes what was made for copies of the tree that are gone. */
function tidy(): void {
  for (const note of readdirSync(CACHE).filter((name) => name.endsWith('.json'))) {
    const { root } = JSON.parse(readFileSync(join(CACHE, note), 'utf8')) as Made
    if (existsSync(root)) continue
    for (const name of namesOf(note.slice(0, -'.json'.length))) rmSync(join(CACHE, name), { force: true })
  }
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

await make(process.argv[2] ?? '')
tidy()
