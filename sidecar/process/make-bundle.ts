/**
 * Makes the bundle of a program: `node make-bundle.ts sidecar/home.ts`. In a process of its own, because esbuild has no business where
 * keys are. Must not run what it makes. Called by load-bundle.ts.
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
import { CACHE, type Made, nameOf, ROOT, type Source } from './load-bundle.ts'

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

/** Packages in CommonJS ask for Node's modules by `require`. */
const BANNER = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${JSON.stringify(join(ROOT, 'package.json'))});`

async function make(entry: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true })
  const started = Date.now()
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: OUTSIDE,
    banner: { js: BANNER },
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
  put(`${name}.mjs`, output.contents)
  // One that was saved meanwhile may be in the bundle as it was before: the next start makes another.
  if (sources.every(([, changed]) => changed < started))
    put(`${name}.json`, JSON.stringify({ root: ROOT, sources } satisfies Made))
}

/** Removes what was made for copies of the tree that are gone. */
function tidy(): void {
  for (const note of readdirSync(CACHE).filter((name) => name.endsWith('.json'))) {
    const { root } = JSON.parse(readFileSync(join(CACHE, note), 'utf8')) as Made
    if (existsSync(root)) continue
    for (const end of ['.mjs', '.json']) rmSync(join(CACHE, note.replace('.json', end)), { force: true })
  }
}

/** Whole or not at all, whoever else writes it. */
function put(name: string, contents: string | Uint8Array): void {
  const draft = join(CACHE, `${name}.${process.pid}.draft`)
  writeFileSync(draft, contents)
  renameSync(draft, join(CACHE, name))
}

/** In a bundle, each source still finds the files beside it. */
const IN_PLACE: Plugin = {
  name: 'in-place',
  setup: (build) =>
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!relative(MODULES, path).startsWith('..')) return undefined
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
      return { contents, loader: 'ts' }
    }),
}

await make(process.argv[2] ?? '')
tidy()
