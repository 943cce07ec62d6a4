/** The signal in words (P-28), and the file they come from. */
import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../../kernel/prompt/budget.ts'
import { GENRES, MODES, overlayOf, parseOverlay, type Signal } from '../../../kernel/prompt/signal/signal.ts'
import { promptText } from '../document/fixtures.ts'

const TEXTS = (() => {
  const parsed = parseOverlay(promptText('overlay'))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.reason))
  return parsed.value
})()

const signal = (changes: Partial<Signal>): Signal => ({
  ...{ mode: 'execute', genre: 'direct', type: 'request', format: 'line', weight: 0.5 },
  ...changes,
})

describe('an overlay', () => {
  it.each([
    [0, 'brief'],
    [0.29, 'brief'],
    [0.81, 'thorough'],
    [1, 'thorough'],
  ] as const)('of weight %d is %s', (weight, key) => {
    expect(overlayOf(signal({ weight }), TEXTS).endsWith(TEXTS[key])).toBe(true)
  })

  it('neither brief nor thorough is the reading alone', () => {
    for (const weight of [0.3, 0.8])
      expect(overlayOf(signal({ weight }), TEXTS)).toBe(
        TEXTS.reading.replace('{mode}', 'execute').replace('{genre}', 'direct'),
      )
  })

  it('names mode and genre, forbids to speak of it, and is short', () => {
    for (const mode of MODES)
      for (const genre of GENRES) {
        const text = overlayOf(signal({ mode, genre }), TEXTS)
        expect(text).toContain(`${mode} × ${genre}`)
        expect(text).toMatch(/never mention/i)
        expect(text).not.toMatch(/[{}]/)
        expect(estimateTokens(text)).toBeLessThanOrEqual(35)
      }
  })
})

describe('its texts', () => {
  const whole = promptText('overlay')
  it.each([
    ['a key twice', `${whole}\nbrief: x`, 'brief'],
    ['an unknown key', `${whole}\nloud: x`, 'loud'],
    ['a missing key', whole.replace(/^brief: .*$/m, ''), 'brief'],
    ['a key without words', whole.replace(/^brief: .*$/m, 'brief:'), 'brief'],
    ['a line that is none', `${whole}\nAnswer well`, 'Answer well'],
  ])('%s is refused', (_, text, field) => {
    expect(parseOverlay(text)).toMatchObject({
      ok: false,
      reason: { code: 'template_malformed', facts: { field } },
    })
  })
})
