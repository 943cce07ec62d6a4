/** The plain list of the rules model in place of a summary (O-34): who said what, within its length, the newest in any case. */
import { describe, expect, it } from 'vitest'
import { summaryFor } from '../../integrations/models/rules/model.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { promptParts } from './fixtures.ts'

function listed(content: Json, maxChars = 2_400): string {
  const { output } = promptParts()
  const contents = [{ root: 'conversation', action: 'history', content }]
  return summaryFor(promptParts({ purpose: 'compact', contents, output: { ...output, maxChars } }))
}

const MANY = Array.from({ length: 200 }, (_, n) => `person: line ${n} ${'word '.repeat(50)}`)

describe('a plain list', () => {
  it.each<[string, Json, string]>([
    ['who said what', ['person: hello', 'assistant: hi'], 'person: hello\nassistant: hi'],
    ['one line each', ['person: a\nassistant: b'], 'person: a assistant: b'],
    ['what was noted before comes first', ['summary: old', 'person: new'], 'summary: old\nperson: new'],
    ['no empty line', ['person: a', '  '], 'person: a'],
    ['nothing of nothing', [], ''],
    ['nothing of what is no list', 'person: a', ''],
  ])('%s', (_, content, text) => {
    expect(listed(content)).toBe(text)
  })

  it.each([0, 1, 39, 100, 2_400])('is never longer than %d', (most) => {
    for (const content of [MANY, [`summary: ${'old '.repeat(3_000)}`, ...MANY]])
      expect(listed(content, most).length).toBeLessThanOrEqual(most)
  })

  it('has the newest of too many', () => {
    expect(listed(MANY)).toContain('line 199')
    expect(listed(MANY)).not.toContain('line 0 ')
  })
})
