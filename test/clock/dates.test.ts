/** Which files `npm run dates` runs: found by what they import, so that a new one is among them. */
import { expect, test } from 'vitest'
import { dateReaders } from './date-readers.ts'

const TREE = new Map([
  ['kernel/pure.ts', 'export const pure = 1\n'],
  ['sidecar/clock.ts', 'export const now = () => Date.now()\n'],
  ['sidecar/today.ts', 'export const today = () => new Date()\n'],
  ['sidecar/moment.ts', 'export const moment = new Date(0)\n'],
  ['sidecar/above.ts', "export { now } from './clock.ts'\n"],
  ['test/own.test.ts', 'const at = Date.now()\n'],
  ['test/below.test.ts', "import { now } from '../sidecar/above.ts'\n"],
  ['test/lazy.test.ts', "const made = import('../sidecar/today.ts')\n"],
  [
    'test/pure.test.ts',
    "import { pure } from '../kernel/pure.ts'\nimport { moment } from '../sidecar/moment.ts'\n",
  ],
  ['test/e2e/starts.test.ts', "import { pure } from '../../kernel/pure.ts'\n"],
  ['test/worker/bound.test.ts', "import { env } from 'cloudflare:workers'\n"],
])

test('those that ask the clock, or import what does, and those of real processes and of the edge', () => {
  expect(dateReaders(TREE)).toEqual([
    'test/below.test.ts',
    'test/e2e/starts.test.ts',
    'test/lazy.test.ts',
    'test/own.test.ts',
    'test/worker/bound.test.ts',
  ])
})

test('some of the tree, and not all of it', () => {
  const found = dateReaders()
  expect(found).toContain('test/e2e/friends.test.ts')
  expect(found).toContain('test/worker/telegram.test.ts')
  expect(found).not.toContain('test/flow/clearance.test.ts')
})
