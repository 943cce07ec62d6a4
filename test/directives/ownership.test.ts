/**
 * The ownership map and the templates agree, and the templates keep the house rules (O-05, O-12, O-54, O-56,
 * O-57).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { activationOf } from '../../kernel/directives/change.ts'
import { parseHeader } from '../../kernel/directives/header.ts'
import {
  ALWAYS_BUDGET,
  CORE_ORDER,
  keeperOf,
  OWNERSHIP,
  STANDARD_FILES,
  USER_FILE,
} from '../../kernel/directives/ownership.ts'
import { promptBody } from '../../kernel/directives/text.ts'
import { readBrainTemplates } from '../../sidecar/config/home-texts.ts'

const FOLDER = new URL('../../templates/brain/', import.meta.url)
const TEMPLATES = readBrainTemplates()
/** Templates that were taken out and may not come back by themselves. */
const REMOVED = ['BOOTSTRAP', 'VOICE']

describe('templates', () => {
  it('are exactly the files of the map', () => {
    const names = readdirSync(FOLDER).map((file) => file.replace(/\.md$/, ''))
    expect(names.sort()).toEqual([...STANDARD_FILES].sort())
    for (const removed of REMOVED) expect(names).not.toContain(removed)
  })

  it.each(STANDARD_FILES)('%s begins with the header that the map says, and stays in its budget', (name) => {
    const { owns, mode, budget } = OWNERSHIP[name]
    expect(parseHeader(TEMPLATES[name]).header).toMatchObject({ owns, mode, strange: 0 })
    expect(activationOf(name, TEMPLATES[name]).warnings).toEqual([])
    expect(promptBody(TEMPLATES[name]).length).toBeLessThan(budget / 2)
  })

  it('say every line in one file only', () => {
    const lines = STANDARD_FILES.flatMap((name) =>
      parseHeader(TEMPLATES[name])
        .body.split('\n')
        .map((line) => line.trim().toLowerCase())
        .filter((line) => line !== '' && !line.startsWith('#')),
    )
    expect(lines.filter((line, index) => lines.indexOf(line) !== index)).toEqual([])
  })

  it('name nobody: the only words in capitals within a sentence are names of files', () => {
    for (const file of readdirSync(FOLDER)) {
      const body = parseHeader(readFileSync(new URL(file, FOLDER), 'utf8')).body
      const inside = body.matchAll(/(?<=[a-z,;:] )([A-Z]\w+)/g)
      for (const [word] of inside) expect([...STANDARD_FILES, 'I', 'Never', 'No']).toContain(word)
    }
  })
})

test('a standard file without a row does not compile', () => {
  // @ts-expect-error: the map has a row for each name, or it is no map
  const partial: typeof OWNERSHIP = { SOUL: OWNERSHIP.SOUL }
  expect(Object.keys(partial)).not.toEqual(Object.keys(OWNERSHIP))
})

test('what is always there fits its budget, and the rules come last', () => {
  const core = STANDARD_FILES.filter((name) => OWNERSHIP[name].kind === 'core')
  expect([...CORE_ORDER].sort()).toEqual([...core].sort())
  expect(CORE_ORDER.at(-1)).toBe('AGENTS')
  expect(core.reduce((sum, name) => sum + OWNERSHIP[name].budget, 0)).toBe(ALWAYS_BUDGET)
})

test.each([
  ['SOUL', 'AGENTS', 'AGENTS'],
  ['AGENTS', 'SOUL', 'AGENTS'],
  ['SOUL', 'SECURITY', 'SECURITY'],
  ['USER', 'TRIPS', 'USER'],
  ['MEMORY', 'CODE', 'CODE'],
])('of %s and %s, %s keeps a line that stands in both', (one, other, keeper) =>
  expect(keeperOf(one, other)).toBe(keeper),
)

test('the assistant never writes rules or triggers without the owner, and never the files of the owner', () => {
  const asks = STANDARD_FILES.filter((name) => OWNERSHIP[name].writers.self_improvement === 'asks')
  expect(asks).toEqual(['AGENTS', 'SECURITY', 'BOOT', 'HEARTBEAT'])
  expect([USER_FILE.writers.self_improvement, USER_FILE.writers.template_sync]).toEqual(['never', 'never'])
  for (const name of STANDARD_FILES) expect(OWNERSHIP[name].label).toBe('sensitive')
})
