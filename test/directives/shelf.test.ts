/** Which versions stay, and what a prompt shows of a text (O-03, O-04, O-08, O-10). */
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { BACKUP_LIFETIME, nextDrop, versionsToDrop } from '../../kernel/directives/retention.ts'
import {
  indexLine,
  packed,
  promptBody,
  unpacked,
  withoutEmptySections,
} from '../../kernel/directives/text.ts'

const NOW = 100 * BACKUP_LIFETIME

/** Newest first, written so long ago. */
function versions(...ages: readonly number[]) {
  return ages.map((age, index) => ({ version: ages.length - index, at: NOW - age }))
}

describe('versions that go', () => {
  const HOUR = 3_600_000
  it.each<[string, readonly number[], readonly number[]]>([
    ['none of the first', [50 * BACKUP_LIFETIME], []],
    ['none of six that are young', [0, 1, 2, 3, 4, 5], []],
    ['the oldest above five backups', [0, 1, 2, 3, 4, 5, 6, 7], [2, 1]],
    ['what was replaced seven days ago', [BACKUP_LIFETIME, 2 * BACKUP_LIFETIME], [1]],
    ['not what was replaced a moment less ago', [BACKUP_LIFETIME - 1, 2 * BACKUP_LIFETIME], []],
    ['not what is old and was replaced just now', [HOUR, 20 * BACKUP_LIFETIME], []],
  ])('%s', (_, ages, gone) =>
    expect(versionsToDrop(versions(...ages), NOW).map(({ version }) => version)).toEqual(gone),
  )

  it('go at the moment that is told for the next', () => {
    const list = versions(0, 1_000, 5_000)
    const next = nextDrop(list) ?? 0
    expect(versionsToDrop(list, next - 1)).toEqual([])
    expect(versionsToDrop(list, next).map(({ version }) => version)).toEqual([1])
    expect(nextDrop(versions(0))).toBeNull()
  })
})

test.each([
  ['# A\n\n# B\n- b', '# B\n- b'],
  ['# A\n## A1\n## A2\n- x\n# B', '# A\n## A2\n- x'],
  ['# A\n## A1\n### A2\n', ''],
  ['before\n# A\n', 'before'],
  ['# A\n```\n# not a heading\n```\n', '# A\n```\n# not a heading\n```'],
  ['#hashtag\n', '#hashtag'],
  ['# A\n### deep\ntext\n## B\n', '# A\n### deep\ntext'],
])('%j is shown as %j', (text, shown) => expect(withoutEmptySections(text)).toBe(shown))

test('leaving out empty sections twice is leaving them out once, and loses no text', () => {
  const line = fc.constantFrom('# A', '## B', '### C', 'text', '', '```')
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const once = withoutEmptySections(lines.join('\n'))
      expect(withoutEmptySections(once)).toBe(once)
      expect(once.split('\n').filter((each) => each === 'text')).toHaveLength(
        lines.filter((each) => each === 'text').length,
      )
    }),
  )
})

test('a prompt shows neither header nor empty sections', () =>
  expect(promptBody('---\nowns: x\n---\n# A\n# B\n- b\n')).toBe('# B\n- b'))

test.each([
  ['CODE', 'auto_attached', 'CODE: how code is written'],
  ['BOOT', 'manual', 'BOOT: setting up and upgrading (when named)'],
  ['TRIPS', 'agent_requested', 'TRIPS: journeys (user-created)'],
  ['TRIPS', 'manual', 'TRIPS: journeys (user-created, when named)'],
] as const)('index line of %s, %s', (name, mode, line) =>
  expect(indexLine({ name, text: '---\nowns: journeys\n---\n' }, mode)).toBe(line),
)

test.each([
  ['SOUL', 'a\nb\n'],
  ['X', ''],
])('%s is kept with its text', (name, text) =>
  expect(unpacked(packed({ name, text }))).toEqual({ name, text }),
)
