/**
 * Strings that a test must not find are long enough not to occur in random ids: four hex digits occur by chance once in
 * some thousand runs, and such a failure cannot be reproduced.
 */
import { expect, test } from 'vitest'
import { readTree } from '../../scripts/source-check.ts'

/** Fewest characters of a string that consists of hex digits only. */
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

test('no test searches for a string that a random id may contain', () => {
  const tests = [...readTree()].filter(([path]) => path.startsWith('test/') && path.endsWith('.ts'))
  expect(tests.flatMap(([path, text]) => shortOnes(text).map((needle) => `${path}: ${needle}`))).toEqual([])
})

test.each([
  ['toContain', "('4711')", ['4711']],
  ['toMatch', '(/lantern|0815/)', ['0815']],
  ['toContain', "('lantern-4711')", []],
])('not.%s%s is recognised as it should be', (look, needle, found) => {
  expect(shortOnes(`expect(rows).not.${look}${needle}`)).toEqual(found)
})
