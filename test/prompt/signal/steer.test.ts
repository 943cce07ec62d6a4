/** What the owner says about how to be answered, and what it changes (P-30). */
import { describe, expect, it } from 'vitest'
import { classifySignal } from '../../../kernel/prompt/signal/classify.ts'
import {
  BRIEF_BELOW,
  parseSteer,
  steered,
  THOROUGH_FROM,
  UNSTEERED,
  withSteering,
} from '../../../kernel/prompt/signal/signal.ts'

describe('a wish', () => {
  it.each([
    ['/mode analyze', { mode: 'analyze', whole: true }],
    ['/mode  Build', { mode: 'build', whole: true }],
    ['/mode auto', { mode: null, whole: true }],
    ['/brief', { verbosity: 'brief', whole: true }],
    ['/thorough', { verbosity: 'thorough', whole: true }],
    ['/normal', { verbosity: null, whole: true }],
    ['be brief from now on', { verbosity: 'brief', whole: true }],
    ['From now on, please keep your answers short.', { verbosity: 'brief', whole: true }],
    ['always answer in more detail', { verbosity: 'thorough', whole: true }],
    ['Please always give me detailed answers', { verbosity: 'thorough', whole: true }],
    ['in future be more concise', { verbosity: 'brief', whole: true }],
    ['back to normal', { mode: null, verbosity: null, whole: true }],
    ['go back to normal answers.', { mode: null, verbosity: null, whole: true }],
    ['be brief from now on. What is on my calendar?', { verbosity: 'brief', whole: false }],
    ['be brief from now on and tell me what is on', { verbosity: 'brief', whole: false }],
  ])('%j', (text, expected) => {
    expect(parseSteer(text)).toEqual(expected)
  })

  it.each([
    ['/mode destroy'],
    ['/mode'],
    ['/mode analyze build'],
    ['/brief me'],
    ['/normal please'],
    ['tell me briefly what Tom wrote'],
    ['be brief'],
    ['do not be brief from now on'],
    ['from now on be brief and thorough'],
    ['Sarah is always short with me'],
    ['from now on Tom has the car'],
    ['is everything back to normal at the office?'],
    [`${'x'.repeat(300)} be brief from now on`],
  ])('%j is none', (text) => {
    expect(parseSteer(text)).toBeNull()
  })
})

describe('what holds', () => {
  const after = (...texts: readonly string[]) =>
    texts.reduce((now, text) => steered(now, parseSteer(text) ?? { whole: false }), UNSTEERED)

  it.each([
    [[], { mode: null, verbosity: null }],
    [['/mode analyze'], { mode: 'analyze', verbosity: null }],
    [['/mode analyze', 'be brief from now on'], { mode: 'analyze', verbosity: 'brief' }],
    [['/mode analyze', 'hello', 'book lunch'], { mode: 'analyze', verbosity: null }],
    [['/mode analyze', '/mode auto'], { mode: null, verbosity: null }],
    [['/mode analyze', '/brief', '/normal'], { mode: 'analyze', verbosity: null }],
    [['/mode analyze', '/brief', 'back to normal'], { mode: null, verbosity: null }],
  ])('after %j', (texts, expected) => {
    expect(after(...texts)).toEqual(expected)
  })

  it.each([
    ['brief', 'compare the two offers in detail, step by step'],
    ['brief', 'thanks'],
  ] as const)('%s is brief for %j', (verbosity, text) => {
    expect(withSteering(classifySignal(text), { mode: null, verbosity }).weight).toBeLessThan(BRIEF_BELOW)
  })

  it.each([['thanks'], ['compare the two offers in detail, step by step']])(
    'thorough is thorough for %j',
    (text) => {
      const { weight } = withSteering(classifySignal(text), { mode: null, verbosity: 'thorough' })
      expect(weight).toBeGreaterThan(THOROUGH_FROM)
    },
  )

  it('the mode is the one that was named, and the rest is as it was read', () => {
    const read = classifySignal('book lunch with Sarah')
    expect(withSteering(read, { mode: 'analyze', verbosity: null })).toEqual({ ...read, mode: 'analyze' })
    expect(withSteering(read, UNSTEERED)).toEqual(read)
  })
})
