/**
 * `npm run check`: types of every folder, lint and format, import rule, prompt texts, dead code (STYLE 14). Writes
 * nothing. Runs every check even if one fails; the exit code is 0 only if all passed. Called by people and CI.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { readPrompts, repeatedDirectives } from './prompt-lines.ts'
import { checkTree, describeViolation, readTree } from './source-check.ts'
import { staleTables } from './tables.ts'

const ROOT = join(import.meta.dirname, '..')

/** Concurrent checks: each compiler uses a core and about 300 MB. */
const PARALLEL = 2

/**
 * One TypeScript project per folder, because each has its own globals: the kernel none, the edge Cloudflare's, home
 * Node's.
 */
const TYPED = ['kernel', 'integrations', 'worker', 'sidecar', 'test', 'test/worker']

interface Check {
  readonly name: string
  readonly run: () => Promise<{ readonly ok: boolean; readonly output: string }>
}

const CHECKS: readonly Check[] = [
  { name: 'lint and format', run: tool('@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']) },
  { name: 'import rule', run: checkSources },
  { name: 'prompt texts', run: checkPrompts },
  { name: 'generated tables', run: checkTables },
  ...TYPED.map((folder) => ({
    name: `types of ${folder}`,
    run: tool('typescript/bin/tsc', ['-p', `${folder}/tsconfig.json`]),
  })),
  { name: 'dead code', run: tool('knip/bin/knip.js', ['--no-progress']) },
]

/** Runs a development tool by its file, without a shell or a network lookup. */
function tool(file: string, args: readonly string[]): Check['run'] {
  return () =>
    new Promise((done) => {
      const path = join(ROOT, 'node_modules', file)
      const child = spawn(process.execPath, [path, ...args], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
      child.on('error', (error) => done({ ok: false, output: error.message }))
      child.on('close', (code) => done({ ok: code === 0, output }))
    })
}

async function checkPrompts(): Promise<{ ok: boolean; output: string }> {
  const found = repeatedDirectives(readPrompts())
  return { ok: found.length === 0, output: found.join('\n') }
}

async function checkTables(): Promise<{ ok: boolean; output: string }> {
  const found = (await staleTables()).map((path) => `${path} does not fit what it is made of: npm run tables`)
  return { ok: found.length === 0, output: found.join('\n') }
}

async function checkSources(): Promise<{ ok: boolean; output: string }> {
  const found = checkTree(readTree()).map(describeViolation)
  return { ok: found.length === 0, output: found.join('\n') }
}

async function report(check: Check): Promise<boolean> {
  const started = performance.now()
  const { ok, output } = await check.run().catch((error) => ({ ok: false, output: String(error) }))
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${check.name} (${seconds} s)`)
  if (!ok) console.log(output.trimEnd().replaceAll(/^/gm, '     '))
  return ok
}

const waiting = [...CHECKS]
const failed: string[] = []
async function work(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift())
    if (!(await report(check))) failed.push(check.name)
}
await Promise.all(Array.from({ length: PARALLEL }, work))
console.log(failed.length === 0 ? `${CHECKS.length} checks passed` : `failed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
