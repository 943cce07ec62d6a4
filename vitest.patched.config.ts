/**
 * Runs test files against sources with one guard taken out (`PFAR_CANARY_PATCHES`), as `canary-patch.ts` does it for
 * processes: vitest reads sources itself, so that the change is made where it loads them. Throws when a text does not stand
 * exactly once in its file. Used by test/attacks/patched-tests.ts alone.
 */
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import type { SourcePatch } from './test/e2e/canary-patch.ts'

const patches = JSON.parse(process.env['PFAR_CANARY_PATCHES'] ?? '[]') as readonly SourcePatch[]
/** Milliseconds: a guard that is gone may leave a test waiting, which is a way of going red. */
const PATIENCE = 30_000

export default defineConfig({
  plugins: [
    {
      name: 'without-guards',
      enforce: 'pre',
      load(id) {
        const own = patches.filter(({ file }) => id.endsWith(`/${file}`))
        return own.length === 0 ? null : own.reduce(patched, readFileSync(id, 'utf8'))
      },
    },
  ],
  test: {
    // A cache of what was loaded would give a changed source to the next run, or the whole one to this.
    fsModuleCache: false,
    include: ['test/**/*.test.ts'],
    ...{ testTimeout: PATIENCE, hookTimeout: PATIENCE },
  },
})

function patched(source: string, { file, find, replace }: SourcePatch): string {
  const pieces = source.split(find)
  if (pieces.length !== 2)
    throw new Error(`${file} has ${pieces.length - 1} places for the patch of: ${find}`)
  return pieces.join(replace)
}
