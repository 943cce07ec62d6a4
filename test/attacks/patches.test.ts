/** Each guard that the controls take away stands in the source exactly once, where they look for it: else they stop too late. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { GRANT_GUARDS } from './grant-guards.ts'
import { GUARDS } from './guards.ts'
import { LINK_GUARDS } from './link-guards.ts'

const ROOT = new URL('../../', import.meta.url)

const PATCHES = [
  ...GUARDS.flatMap(({ guard, patches }) => patches.map(({ file, find }) => [guard, file, find] as const)),
  ...[...LINK_GUARDS, ...GRANT_GUARDS].map(([guard, file, find]) => [guard, file, find] as const),
]

test.each(PATCHES)('%s: %s', (_, file, find) => {
  const source = readFileSync(new URL(file, ROOT), 'utf8')
  expect(source.split(find)).toHaveLength(2)
})
