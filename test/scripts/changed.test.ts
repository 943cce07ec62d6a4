/** `npm test -- --changed`: which test files a change reaches. */
import { expect, it } from 'vitest'
import { reachedTests } from '../../scripts/test/changed.ts'

const SOURCES = new Map([
  ['kernel/a.ts', 'export const a = 1\n'],
  ['kernel/b.ts', "import { a } from './a.ts'\nexport const b = a\n"],
  ['sidecar/main.js', "const { b } = await import('../kernel/b.ts')\n"],
  ['worker/index.ts', "export { c } from './c.ts'\n"],
  ['worker/c.ts', 'export const c = 1\n'],
  ['test/kernel/b.test.ts', "import { b } from '../../kernel/b.ts'\n"],
  ['test/other.test.ts', ''],
  ['test/kernel/doc.test.ts', "readFileSync('SECURITY.md')\n"],
  ['test/e2e/start.test.ts', ''],
  ['test/worker/edge.test.ts', ''],
])

it.each([
  [
    'a file under two others',
    ['kernel/a.ts'],
    ['test/kernel/b.test.ts', 'test/other.test.ts', 'test/e2e/start.test.ts'],
  ],
  [
    'a file of the edge',
    ['worker/c.ts'],
    ['test/other.test.ts', 'test/e2e/start.test.ts', 'test/worker/edge.test.ts'],
  ],
  ['a document that a test reads', ['SECURITY.md'], ['test/other.test.ts', 'test/kernel/doc.test.ts']],
  ['a test', ['test/kernel/b.test.ts'], ['test/kernel/b.test.ts', 'test/other.test.ts']],
  ['a template', ['templates/x.toml'], [...SOURCES.keys()].filter((path) => path.endsWith('.test.ts'))],
])('%s reaches the tests that stand on it, and those that read the whole tree', (_, changed, reached) => {
  expect(reachedTests(SOURCES, changed)).toEqual(reached)
})
