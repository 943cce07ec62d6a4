/** How `npm test` counts: a file that fails to load is a failure, so is an empty run, and CI may skip nothing. */
import { describe, expect, it } from 'vitest'
import { tally, verdict } from '../../scripts/test.ts'

const testOf = (status: string, needs?: string) => ({
  fullName: 'x does y',
  status,
  ...(needs === undefined ? {} : { meta: { needs } }),
})
const fileOf = (status: string, ...assertionResults: ReturnType<typeof testOf>[]) => ({
  name: `${process.cwd()}/test/x.test.ts`,
  status,
  message: '',
  assertionResults,
})

describe('tally', () => {
  it.each([
    ['passes and failures', [fileOf('failed', testOf('passed'), testOf('failed'))], 1, 1, []],
    ['a file that failed to load', [fileOf('failed')], 0, 1, []],
    ['a failed file whose tests passed', [fileOf('failed', testOf('passed'))], 1, 1, []],
    [
      'what was skipped, and why',
      [fileOf('passed', testOf('pending', 'podman'), testOf('todo'))],
      0,
      0,
      ['podman: test/x.test.ts x does y', 'no reason given: test/x.test.ts x does y'],
    ],
  ])('counts %s', (_, testResults, passed, failed, skipped) => {
    expect(tally({ testResults })).toEqual({ passed, failed, skipped })
  })
})

describe('verdict', () => {
  it.each([
    ['all passed', 3, 0, 0, true, true, 0],
    ['one failed', 3, 1, 0, true, false, 1],
    ['nothing ran', 0, 0, 0, true, false, 1],
    ['vitest itself failed', 3, 0, 0, false, false, 1],
    ['something was skipped outside CI', 3, 0, 1, true, false, 0],
    ['something was skipped in CI', 3, 0, 1, true, true, 1],
  ])('exit code when %s', (_, passed, failed, skips, clean, ci, expected) => {
    const skipped = Array.from({ length: skips }, () => 'podman: x')
    expect(verdict({ passed, failed, skipped }, { clean, ci })).toBe(expected)
  })
})
