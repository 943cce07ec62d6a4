/** A program that is loaded from one file: it does what its sources do, and a change of them counts at the next start. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { newFolder } from '../kit/folder.ts'

const OURS = join(import.meta.dirname, '../..')
const PROCESS = 'sidecar/process'

let root: string
beforeEach(() => {
  root = newFolder('pfar-bundle-')
  mkdirSync(join(root, PROCESS), { recursive: true })
  for (const file of ['load-bundle.js', 'make-bundle.ts'])
    cpSync(join(OURS, PROCESS, file), join(root, PROCESS, file))
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(join(OURS, 'node_modules/esbuild'), join(root, 'node_modules/esbuild'))
  source('node_modules/.package-lock.json', '{}')
  source('package.json', '{ "type": "module" }')
  source(
    'main.ts',
    "import { loadProgram } from './sidecar/process/load-bundle.js'\nawait loadProgram('part/run.ts', () => import('./part/run.ts'))\n",
  )
  source(
    'part/run.ts',
    "import { word } from './word.ts'\nprocess.stdout.write(word + ' ' + import.meta.dirname)\n",
  )
  source('part/word.ts', "export const word: string = 'one'\n")
})

let clock = 1_700_000_000
/** Each file is a second newer than the one before, as saved by hand. */
function source(path: string, text: string): void {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
  clock += 1
  utimesSync(join(root, path), clock, clock)
}

function run(env: Readonly<Record<string, string>> = {}, ...options: readonly string[]) {
  const { PATH = '' } = process.env
  const { stdout, stderr } = spawnSync(process.execPath, [...options, join(root, 'main.ts')], {
    env: { PATH, ...env },
    encoding: 'utf8',
  })
  return { said: stdout, failed: stderr }
}

const CACHED = (): string => join(root, 'node_modules/.cache/pfar')
const bundles = (): readonly string[] => readdirSync(CACHED()).filter((name) => name.endsWith('.cjs'))
const one = (): string => `one ${join(root, 'part')}`

it('says what its sources say, with the folder in which they lie; it is made once', () => {
  expect([run().said, run().said]).toEqual([one(), one()])
  expect(bundles()).toHaveLength(1)
})

it('what is loaded later is that of its own time, whatever was made meanwhile', async () => {
  source(
    'part/run.ts',
    "process.stdin.once('data', async () => {\n  const { word } = await import('./word.ts')\n  process.stdout.write(word)\n  process.exit(0)\n})\nprocess.stdout.write('ready ')\n",
  )
  const child = spawn(process.execPath, [join(root, 'main.ts')], {
    env: { PATH: process.env['PATH'] ?? '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk))
  await expect.poll(() => said).toBe('ready ')
  source('part/word.ts', "export const word: string = 'two'\n")
  spawnSync(process.execPath, [join(root, PROCESS, 'make-bundle.ts'), 'part/run.ts'])
  child.stdin.write('go')
  await once(child, 'exit')
  expect(said).toBe('ready one')
})

it('home compiles first what it loaded before, and starts where the note of that is broken', () => {
  source('sidecar/home.ts', "void import('../part/word.ts').then(({ word }) => process.stdout.write(word))\n")
  source(
    'main.ts',
    "import { loadProgram } from './sidecar/process/load-bundle.js'\nawait loadProgram('sidecar/home.ts', () => import('./sidecar/home.ts'))\n",
  )
  expect(run().said).toBe('one')
  const [note = ''] = readdirSync(CACHED()).filter((name) => name.endsWith('.used'))
  expect(readFileSync(join(CACHED(), note), 'utf8')).toMatch(/^\.\/word-/)
  writeFileSync(join(CACHED(), note), '{ no name\n./of-no-module.js')
  expect(run()).toMatchObject({ said: 'one', failed: '' })
})

it('without the code that V8 kept, or with another, it says the same', () => {
  run()
  const kept = readdirSync(CACHED()).filter((name) => name.includes('.cjs.'))
  expect(kept).toHaveLength(1)
  writeFileSync(join(CACHED(), kept[0] ?? ''), 'no code')
  expect(run()).toEqual({ said: one(), failed: '' })
})

it('letters beyond ASCII stay what they are, in a text, an expression and a template', () => {
  source('part/word.ts', "export const word = 'ü' + /^[–“]$/.test('“') + String.raw`\\d` + `ß`\n")
  expect([run().said, run().said]).toEqual(Array(2).fill(`ütrue\\dß ${join(root, 'part')}`))
  source('part/word.ts', 'export const word = String.raw`“`\n')
  expect([run().said, run().said]).toEqual(Array(2).fill(`“ ${join(root, 'part')}`))
})

it('is what runs: a bundle with another word says that word', () => {
  run()
  const [name = ''] = bundles()
  writeFileSync(join(CACHED(), name), "process.stdout.write('from the bundle')\n")
  expect(run().said).toBe('from the bundle')
})

it.each([
  ['a source', () => source('part/word.ts', "export const word: string = 'two'\n"), 'two'],
  ['a source of the same length', () => source('part/word.ts', "export const word: string = 'six'\n"), 'six'],
  ['what is installed', () => source('node_modules/.package-lock.json', '{ }'), 'one'],
])('%s that has changed makes another in its place', (_what, change, word) => {
  run()
  change()
  expect(run().said).toBe(`${word} ${join(root, 'part')}`)
  expect(bundles()).toHaveLength(1)
})

it.each([
  ['who looks at single modules', () => run({ NODE_OPTIONS: '--no-deprecation' })],
  ['a debugger', () => run({}, '--inspect=0')],
])('%s gets the sources', (_who, started) => {
  expect(started().said).toBe(one())
  expect(() => bundles()).toThrow('ENOENT')
})

it('without the packages that make one, the sources run', () => {
  rmSync(join(root, 'node_modules/esbuild'))
  expect(run()).toMatchObject({ said: one(), failed: '' })
})

it('a cache that cannot be made: the sources run', () => {
  writeFileSync(join(root, 'node_modules/.cache'), 'a file')
  expect(run()).toMatchObject({ said: one(), failed: '' })
})

it('a typo is what Node says of the source', () => {
  run()
  source('part/word.ts', 'export const word: string = =\n')
  expect(run().failed).toMatch(/part\/word\.ts:1[\s\S]*SyntaxError/)
})

it('a copy of the tree with the same packages has a bundle of its own', () => {
  const first = root
  run()
  root = newFolder('pfar-bundle-')
  for (const path of ['sidecar', 'part', 'main.ts', 'package.json'])
    cpSync(join(first, path), join(root, path), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(first, 'node_modules'), join(root, 'node_modules'))
  expect(run().said).toBe(one())
  expect(bundles()).toHaveLength(2)
  // What was made for a folder that is gone goes with the next one that is made.
  const copy = root
  root = first
  rmSync(copy, { recursive: true })
  source('part/word.ts', "export const word: string = 'two'\n")
  run()
  expect(bundles()).toHaveLength(1)
})
