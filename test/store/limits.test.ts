/** A prepared statement with a bare bound limit is planned anew at each run: each takes its limit by `atMost`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../integrations/store')

it('prepared statements take their limit by atMost', () => {
  const bare = readdirSync(FOLDER).flatMap((file) =>
    [
      ...readFileSync(join(FOLDER, file), 'utf8').matchAll(/\.limit\((?!atMost\()[^)]*\)+\s*\.prepare\(/g),
    ].map(([found]) => `${file}: ${found}`),
  )
  expect(bare).toEqual([])
})
