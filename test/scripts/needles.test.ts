/**
 * What a test must not find is long enough that nothing random holds it: an id of hex digits has four given ones in it once in
 * some thousand runs, and that is a failure which nobody can repeat.
 */
import { expect, test } from 'vitest'
import { readTree } from '../../scripts/source-check.ts'

/** Characters, of the digits that ids are made of. */
const SHORTEST = 8
const LOOKS = [
  /\.not\.toContain\(\s*['"`]([^'"`]*)['"`]\s*\)/g,
  /\.not\.toMatch\(\s*\/((?:[^/\\\n]|\\.)*)\//g,
]

function shortOnes(text: string): readonly string[] {
  return LOOKS.flatMap((look) => [...text.matchAll(look)])
    .flatMap(([, needle = '']) => needle.split('|'))
    .filter((needle) => /^[\da-f]+$/.test(needle) && needle.length < SHORTEST)
}

test('no test fails because an id holds what it must not find', () => {
  const tests = [...readTree()].filter(([path]) => path.startsWith('test/') && path.endsWith('.ts'))
  expect(tests.flatMap(([path, text]) => shortOnes(text).map((needle) => `${path}: ${needle}`))).toEqual([])
})

test.each([
  ['toContain', "('4711')", ['4711']],
  ['toMatch', '(/lantern|0815/)', ['0815']],
  ['toContain', "('lantern-4711')", []],
])('not.%s%s', (look, needle, found) => {
  expect(shortOnes(`expect(rows).not.${look}${needle}`)).toEqual(found)
})
