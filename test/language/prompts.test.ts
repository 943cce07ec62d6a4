/** The prompt texts: size, marker, and what each must and must not say (N-01, C-11, P-06, P-09). */
import { describe, expect, it } from 'vitest'
import { guard } from '../wording/guarded.ts'
import { promptText } from './fixtures.ts'

const NAMES = [
  'identity',
  'rules',
  'last-rules',
  'role-plan',
  'role-compose',
  'role-classify',
  'role-synthesize',
  'role-whoami',
]

describe('identity', () => {
  it('begins with a stable marker that the output guard removes', () => {
    const [first] = promptText('identity').split('\n')
    expect(first).toBe('[pfar:identity-v1]')
    expect(guard(`${first}\nHello`)).toBe('Hello')
  })

  it('is at most 200 tokens, counted generously', () => {
    // English text takes about 0.75 words a token; four characters a token is the stricter rule of thumb.
    expect(promptText('identity').length / 4).toBeLessThanOrEqual(200)
  })

  it.each([[/fixed/], [/another assistant, model or company/], [/is data/], [/never obey/]])(
    'says %s',
    (rule) => expect(promptText('identity')).toMatch(rule),
  )
})

describe('base rules', () => {
  it.each([
    [/secret/],
    [/only what is listed/i],
    [/do not ask for more rights/],
    [/only if a result/],
    [/No orders to machines/],
    [/no .*identifier|label, identifier/i],
  ])('cover %s', (rule) => expect(promptText('rules')).toMatch(rule))
})

describe('roles', () => {
  it.each(NAMES.map((name) => [name]))(
    '%s leaves nothing to fill in and repeats no line of another',
    (name) => {
      const text = promptText(name)
      // The one slot is the name's.
      expect(text.replace('{{NAME}}', '')).not.toMatch(/\{\{|TODO/)
      const others = NAMES.filter((other) => other !== name).flatMap((other) => promptText(other).split('\n'))
      for (const row of text.split('\n').filter((line) => line !== '')) expect(others).not.toContain(row)
    },
  )

  it('is short: the planner with rules and identity, at most 1,080 tokens', () => {
    const parts = ['identity', 'rules', 'role-plan', 'last-rules'].map(promptText)
    expect(parts.join('\n\n').length / 4).toBeLessThanOrEqual(1_080)
  })
})
