/** A prepared statement with a bare bound limit is planned anew at each run: each takes its limit by `atMost`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../integrations/store')

it('prepared statements take their limit by atMost', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const bare = files.flatMap((file) =>
    [
      ...readFileSync(join(FOLDER, file), 'utf8').matchAll(/\.limit\((?!atMost\()[^)]*\)+\s*\.prepare\(/g),
    ].map(([found]) => `${file}: ${found}`),
  )
  expect(bare).toEqual([])
})
