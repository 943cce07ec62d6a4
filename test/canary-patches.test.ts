/** The canary day, which is soaked, changes texts of the source: each still stands once in its file, so that the day can begin. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { HOME_PATCHES } from './e2e/canary-install.ts'

it.each(HOME_PATCHES)('$file has the text that is patched, once', ({ file, find }) => {
  const source = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  expect(source.split(find).length - 1).toBe(1)
})
