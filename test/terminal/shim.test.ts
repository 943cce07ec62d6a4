/** The `pfar` shim, run as a user runs it. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { newFolder } from '../kit/folder.ts'

const SHIM = fileURLToPath(new URL('../../scripts/pfar.mjs', import.meta.url))

function run(shim: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [shim, ...args], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('the shim passes arguments, output and the exit code', () => {
  expect(run(SHIM, ['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('approve') })
  expect(run(SHIM, ['ask'])).toMatchObject({ status: 2, stderr: expect.stringContaining('message') })
})

test('without an installation the shim prints one sentence and no stack', () => {
  const folder = newFolder('test')
  mkdirSync(join(folder, 'scripts'))
  cpSync(SHIM, join(folder, 'scripts/pfar.mjs'))
  const { status, stderr } = run(join(folder, 'scripts/pfar.mjs'), ['ask', 'hi'])
  expect(status).toBe(1)
  expect(stderr).toBe('PFAR is not installed yet: run `npm install` in its folder first.\n')
})

test.each([
  ['its exit code', 'process.exit(7)', 7],
  ['its signal, as a shell tells it', "process.kill(process.pid, 'SIGTERM')", 143],
])('on an older Node the shim runs the bundled one, and returns %s', (_name, program, status) => {
  const folder = newFolder('test')
  for (const name of ['scripts', 'sidecar/cli', 'node_modules/node/bin', 'node_modules/commander']) {
    mkdirSync(join(folder, name), { recursive: true })
  }
  cpSync(SHIM, join(folder, 'scripts/pfar.mjs'))
  symlinkSync(process.execPath, join(folder, 'node_modules/node/bin/node'))
  writeFileSync(join(folder, 'sidecar/cli/main.js'), program)
  // The version that an old Node reports.
  const old = join(folder, 'old.mjs')
  writeFileSync(
    old,
    "Object.defineProperty(process.versions, 'node', { value: '18.20.4' })\nawait import('./scripts/pfar.mjs')",
  )
  const result = run(old, [])
  expect(result.status).toBe(status)
})
