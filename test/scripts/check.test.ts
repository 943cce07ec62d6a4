/** `npm run check` and its cache: only a check that passed on exactly this tree is skipped, and the cache hides no error (STYLE 14). */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { cacheFolder, createCheckCache, lookAt } from '../../scripts/check/cache.ts'
import { type Outcome, runChecks } from '../../scripts/check/run.ts'
import { newFolder } from '../kit/folder.ts'

const TSC = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc')

let root = ''
const put = (path: string, text: string): void => writeFileSync(join(root, path), text)

beforeEach(() => {
  root = newFolder('check')
  mkdirSync(join(root, 'node_modules'))
  mkdirSync(join(root, 'kernel'))
  put('node_modules/.package-lock.json', '{}')
  put('package-lock.json', '{}')
  put('biome.json', '{}')
  put('kernel/a.ts', 'a')
  symlinkSync('biome.json', join(root, 'link.json'))
})

const FINE: Outcome = { ok: true, output: '' }

/** Which of the checks `one` and `two` ran. */
async function ran(outcomes: { readonly [name: string]: () => Outcome } = {}) {
  const called: string[] = []
  const checks = ['one', 'two'].map((name) => ({
    name,
    async run() {
      called.push(name)
      return outcomes[name]?.() ?? FINE
    },
  }))
  const cache = createCheckCache(cacheFolder(root))
  const failed = await runChecks(checks, { root, cache, parallel: 2, print: () => undefined })
  return { called, failed }
}

const BOTH = { called: ['one', 'two'], failed: [] }
const NONE = { called: [], failed: [] }

describe('a check that passed', () => {
  it('is skipped on the same tree', async () => {
    expect([await ran(), await ran()]).toEqual([BOTH, NONE])
  })

  it.each<[string, () => void]>([
    ['another text of the same length', () => put('kernel/a.ts', 'b')],
    ['a new file', () => put('kernel/b.ts', '')],
    ['a file that is gone', () => rmSync(join(root, 'kernel/a.ts'))],
    ['another configuration', () => put('biome.json', '{ }')],
    ['another lock file', () => put('package-lock.json', '{ }')],
    ['other packages that are installed', () => put('node_modules/.package-lock.json', '{ }')],
    [
      'a link that leads elsewhere',
      () => {
        rmSync(join(root, 'link.json'))
        symlinkSync('package-lock.json', join(root, 'link.json'))
      },
    ],
    [
      'a folder whose name others leave out',
      () => {
        mkdirSync(join(root, 'kernel/dist'))
        put('kernel/dist/a.ts', 'a')
      },
    ],
  ])('runs again after %s', async (_, change) => {
    await ran()
    change()
    expect(await ran()).toEqual(BOTH)
  })

  it('runs again if the tree changed meanwhile, even if it was changed back', async () => {
    const changed = (): Outcome => {
      put('kernel/a.ts', 'b')
      return FINE
    }
    await ran({ one: changed })
    expect(await ran()).toEqual(BOTH)
    const changedBack = (): Outcome => {
      put('kernel/a.ts', 'a')
      put('kernel/a.ts', 'b')
      return FINE
    }
    put('kernel/c.ts', '')
    await ran({ one: changedBack })
    expect(await ran()).toEqual(BOTH)
  })

  it('runs again if the installed packages are unknown', async () => {
    rmSync(join(root, 'node_modules/.package-lock.json'))
    expect([await ran(), await ran()]).toEqual([BOTH, BOTH])
  })
})

describe('a check that failed', () => {
  it.each<[string, () => Outcome]>([
    ['by its own word', () => ({ ok: false, output: 'wrong' })],
    [
      'by throwing',
      () => {
        throw new Error('wrong')
      },
    ],
  ])('%s runs again, and the others do not', async (_, fail) => {
    const wrong = { called: ['two'], failed: ['two'] }
    expect(await ran({ two: fail })).toEqual({ ...wrong, called: ['one', 'two'] })
    expect(await ran({ two: fail })).toEqual(wrong)
    expect(await ran()).toEqual({ called: ['two'], failed: [] })
    expect(await ran()).toEqual(NONE)
  })

  it('on another tree than it passed on fails, and the earlier pass stays recorded', async () => {
    await ran()
    put('kernel/a.ts', 'b')
    expect((await ran({ one: () => ({ ok: false, output: '' }) })).failed).toEqual(['one'])
    expect((await ran({ one: () => ({ ok: false, output: '' }) })).failed).toEqual(['one'])
    put('kernel/a.ts', 'a')
    expect(await ran()).toEqual({ called: ['two'], failed: [] })
  })
})

it('the cache keeps one set of installed packages, and its own files are not part of the tree', () => {
  const before = lookAt(root)
  const first = cacheFolder(root) ?? ''
  put('node_modules/.package-lock.json', '{ }')
  const second = cacheFolder(root) ?? ''
  expect([existsSync(first), existsSync(second)]).toEqual([false, true])
  expect(readdirSync(join(second, '..'))).toHaveLength(1)
  expect(lookAt(root)).toEqual(before)
})

it('the compiler’s incremental state hides no error in an unchanged file', () => {
  put(
    'tsconfig.json',
    '{ "compilerOptions": { "noEmit": true, "strict": true, "types": [] }, "include": ["kernel"] }',
  )
  put('kernel/a.ts', 'export const a: string = ""')
  put('kernel/b.ts', 'import { a } from "./a"\nexport const b: string = a')
  const learned = ['--incremental', '--tsBuildInfoFile', join(cacheFolder(root) ?? '', 'kernel')]
  const types = () =>
    spawnSync(process.execPath, [TSC, '-p', root, '--singleThreaded', ...learned]).status === 0
  expect([types(), types()]).toEqual([true, true])
  put('kernel/a.ts', 'export const a: number = 1')
  expect([types(), types()]).toEqual([false, false])
  put('kernel/a.ts', 'export const a: string = ""')
  expect(types()).toBe(true)
})
