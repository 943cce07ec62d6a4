/**
 * Every parser at a trust boundary against inputs that nobody wrote: briefly here, at length by `npm run fuzz`. The laws
 * are in `judge.ts`; what broke one is kept in `kept.ts`. The fuzzer itself is tried on parsers that are broken on purpose.
 */
import { describe, expect, test } from 'vitest'
import { BROKEN, SAMPLE, SOUND } from './broken.ts'
import { EDIT_KINDS, type Edit, editBytes, MAX_INPUT } from './bytes.ts'
import { judge } from './judge.ts'
import { KEPT } from './kept.ts'
import { CHANGE_KINDS, changeTree, textOf } from './nodes.ts'
import { runTarget } from './run.ts'
import type { Target } from './target.ts'
import { TARGETS } from './targets/all.ts'

/** Inputs of each target; a tenth for one whose run costs milliseconds. */
const RUNS = 24
/** The same inputs each time: a change of code, not of luck, turns the suite red. `npm run fuzz` draws others. */
const SEED = 20_261_122

describe('the laws hold for', () => {
  test.each(TARGETS.map((target) => [target.name, target] as const))('%s', async (_name, target) => {
    const { failure } = await runTarget(target, {
      seed: SEED,
      runs: target.slow === true ? Math.ceil(RUNS / 10) : RUNS,
    })
    expect(failure).toBeNull()
  })
})

describe('what once broke a law does not again', () => {
  test.each(KEPT)('%s: %s', async (name, _what, input) => {
    const target = TARGETS.find((candidate) => candidate.name === name)
    if (target === undefined) throw new Error('no such target')
    expect(await judge(target, input())).toBeNull()
  })
})

test('every target has a name of its own', () => {
  expect(new Set(TARGETS.map(({ name }) => name)).size).toBe(TARGETS.length)
})

test('finds nothing in a parser that keeps the laws', async () => {
  expect((await runTarget(SOUND, { seed: SEED, runs: 300 })).failure).toBeNull()
})

test.each(BROKEN)('finds a parser that %s', async (_name, complaint, over) => {
  const target: Target = { ...SOUND, ...over }
  const { failure } = await runTarget(target, { seed: SEED, runs: 4_000 })
  expect(failure?.complaint).toMatch(complaint)
})

test('a failure is made again by its seed and path', async () => {
  const target: Target = { ...SOUND, ...BROKEN[0]?.[2] }
  const first = await runTarget(target, { seed: SEED, runs: 1_000 })
  const again = await runTarget(target, { seed: SEED, runs: 1_000, path: first.failure?.path ?? '' })
  expect(again.failure?.input).toBe(first.failure?.input)
})

describe('the mutators', () => {
  const bytes = new TextEncoder().encode(JSON.stringify(SAMPLE))
  const edits: readonly Edit[] = Array.from({ length: EDIT_KINDS }, (_, op) => ({ op, at: 5, with: 77_778 }))
  test('do the same each time', () => {
    expect(editBytes(bytes, edits)).toEqual(editBytes(bytes, edits))
    const change = { op: 1, at: 3, with: 4 }
    expect(textOf(changeTree(SAMPLE, [change], []))).toBe(textOf(changeTree(SAMPLE, [change], [])))
  })
  test.each(edits)('edit $op changes the input and not the sample', (edit) => {
    const before = bytes.slice()
    expect(editBytes(bytes, [edit])).not.toEqual(before)
    expect(bytes).toEqual(before)
  })
  test.each(Array.from({ length: CHANGE_KINDS }, (_, op) => op))(
    'change %i changes the tree and not the sample',
    (op) => {
      const before = JSON.stringify(SAMPLE)
      const changed = Array.from({ length: 12 }, (_, at) =>
        textOf(changeTree(SAMPLE, [{ op, at, with: 3 }], [7])),
      )
      expect(changed.some((tree) => tree !== before)).toBe(true)
      expect(JSON.stringify(SAMPLE)).toBe(before)
    },
  )
  test('stay within their bound', () => {
    const grow = Array.from({ length: 40 }, () => ({ op: 7, at: 1, with: 2 ** 31 - 1 }))
    expect(editBytes(bytes, grow).length).toBeLessThanOrEqual(MAX_INPUT)
  })
})
