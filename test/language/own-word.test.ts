/** A look at a service outside needs a word of its own, or a likelihood far above any other (DESIGN §10). */
import { expect, it } from 'vitest'
import { plansOf } from './plans-of.ts'

it.each(['what is going on in design today', 'what is up in marketing today', 'whats on in sales today'])(
  'asks no service outside: %s',
  (text) => {
    expect(plansOf([text], false)[0]).not.toMatch(/weather\.forecast|web\.search/)
  },
)

it.each(['will it rain in ulm today', 'do i need a coat in ulm tomorrow', 'is it cold in oslo today'])(
  'asks for the weather: %s',
  (text) => {
    expect(plansOf([text], false)[0]).toContain('weather.forecast')
  },
)
