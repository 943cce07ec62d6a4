/** The policy that home ships, sink by sink: what each may carry, and that a service's writes are never cleared for more than its sink. */
import { describe, expect, test } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { labelOf } from '../../kernel/flow/label.ts'
import { compareLevels, LEVELS, type Level } from '../../kernel/flow/level.ts'
import { checkEgress } from '../../kernel/flow/policy.ts'
import { HOME_POLICY } from '../../sidecar/home/home-policy.ts'

/** The highest level of a result of a tool that the sink takes; a higher one that it takes, too, would be a gap and fails. */
function highest(sink: string): Level | 'none' {
  const taken = LEVELS.map((level) => {
    const label = labelOf([{ origin: 'tool:email.read', field: 'body', level, compartment: null }])
    return checkEgress(HOME_POLICY, { label, sink, template: 'owner_private', now: 0 }).allow
  })
  const end = taken.indexOf(false)
  expect(taken.slice(end).every((is) => !is)).toBe(true)
  return LEVELS[end - 1] ?? 'none'
}

describe('what each sink of home carries', () => {
  test('is this table', () => {
    expect(Object.fromEntries(HOME_POLICY.sinks.map(({ id }) => [id, highest(id)]))).toEqual({
      'sink:terminal:owner': 'sensitive',
      'sink:telegram:private': 'sensitive',
      'sink:slack:private': 'sensitive',
      'sink:openline:owner': 'internal',
      'sink:mail:owner': 'sensitive',
      'sink:calendar:owner': 'sensitive',
      'sink:list:sender': 'sensitive',
      // Public where the repository is; a private one carries `internal`.
      'sink:github:owner': 'internal',
      'sink:bluesky:owner': 'public',
      'sink:notion:owner': 'sensitive',
      'sink:files:owner': 'sensitive',
      'sink:cloudflare:owner': 'sensitive',
      'sink:http:host': 'sensitive',
      'sink:memory:owner': 'regulated',
      'sink:memory:open': 'internal',
      'sink:place:edge': 'internal',
      'sink:place:home': 'regulated',
    })
  })

  test('of the readers that a write looks up, none may read more than its sink carries', () => {
    const above = TOOL_MANIFESTS.flatMap(({ actions }) =>
      actions.flatMap(({ id, sink, target }) =>
        Object.values(target?.reaches ?? {})
          .filter((level) => {
            const carried = highest(sink ?? '')
            return carried === 'none' || compareLevels(level, carried) > 0
          })
          .map((level) => `${id}: ${level}`),
      ),
    )
    expect(above).toEqual([])
  })

  test('one that is cleared for less than what is private is in no list of it', () => {
    const listed = HOME_POLICY.allowLists.filter(({ guard }) => guard === 'sensitive')
    const lower = HOME_POLICY.sinks.filter(({ level }) => compareLevels(level, 'sensitive') < 0)
    expect(lower.length).toBeGreaterThan(0)
    expect(
      lower.filter(({ id }) => listed.some(({ patterns }) => patterns.includes(id))).map(({ id }) => id),
    ).toEqual([])
  })
})
