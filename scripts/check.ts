/**
 * `npm run check`: types of every folder, lint and format, import rule, prompt texts, dead code (STYLE 14). Writes
 * nothing but its cache. Runs every check even if one fails; the exit code is 0 only if all passed. Called by people
 * and CI.
 */
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { cacheFolder, createCheckCache, slugOf } from './check/cache.ts'
import { type Check, type Outcome, runChecks } from './check/run.ts'
import { readPrompts, repeatedDirectives } from './prompt-lines.ts'
import { staleTables } from './tables.ts'

const ROOT = join(import.meta.dirname, '..')

/** Concurrent checks: each uses a core and about 300 MB. */
const PARALLEL = Math.min(Math.max(availableParallelism(), 2), 6)

/**
 * One TypeScript project per folder, because each has its own globals: the kernel none, the edge Cloudflare's, home
 * Node's. Largest first, because the run ends with the check that was started last.
 */
const TYPED = ['test', 'sidecar', 'test/worker', 'worker', 'integrations', 'kernel']

const CACHE = cacheFolder(ROOT)

const CHECKS: readonly Check[] = [
  ...TYPED.map((folder) => ({ name: `types of ${folder}`, run: typesOf(folder) })),
  { name: 'lint and format', run: tool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']) },
  { name: 'dead code', run: tool('knip/bin/knip.js', ['--no-progress']) },
  { name: 'import rule', run: script(join(ROOT, 'scripts/source-check.ts'), []) },
  { name: 'generated tables', run: checkTables },
  { name: 'prompt texts', run: checkPrompts },
]

/**
 * Stores the compiler's incremental state beside the cache, which compares files by their bytes and keeps their errors. One
 * thread per compiler, because more would slow the other checks.
 */
function typesOf(folder: string): Check['run'] {
  const learned = CACHE === null ? [] : ['--incremental', '--tsBuildInfoFile', join(CACHE, slugOf(folder))]
  return tool('typescript/bin/tsc', ['-p', `${folder}/tsconfig.json`, '--singleThreaded', ...learned])
}

function tool(file: string, args: readonly string[]): Check['run'] {
  return script(join(ROOT, 'node_modules', file), args)
}

/** Runs a script by its file, without a shell or a network lookup. */
function script(path: string, args: readonly string[]): Check['run'] {
  return () =>
    new Promise<Outcome>((done) => {
      const child = spawn(process.execPath, [path, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
      child.on('error', (error) => done({ ok: false, output: error.message }))
      child.on('close', (code) => done({ ok: code === 0, output }))
    })
}

async function checkPrompts(): Promise<Outcome> {
  const found = repeatedDirectives(readPrompts())
  return { ok: found.length === 0, output: found.join('\n') }
}

async function checkTables(): Promise<Outcome> {
  const found = (await staleTables()).map((path) => `${path} does not fit what it is made of: npm run tables`)
  return { ok: found.length === 0, output: found.join('\n') }
}

const failed = await runChecks(CHECKS, {
  root: ROOT,
  cache: createCheckCache(CACHE),
  parallel: PARALLEL,
  print: (line) => console.log(line),
})
process.exitCode = failed.length === 0 ? 0 : 1
