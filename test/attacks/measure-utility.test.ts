/** The measure of utility sees both: what is done, and by which rule each other task is stopped. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DEFAULT_CORPUS, readCorpus } from './corpus.ts'
import { areSingledOut } from './facts.ts'
import { measureUtility, utilityTable } from './measure-utility.ts'

const LEDGER = readCorpus(join(import.meta.dirname, 'corpus/ledger.json'))

describe('the utility of a small corpus', () => {
  it('counts what facts and texts give, and names the rule that stops each other task', async () => {
    const result = await measureUtility(LEDGER)
    expect(result.stopped.map(({ task, rule }) => `${task}: ${rule}`)).toEqual([
      'chosen_by_nothing: not_said: amount',
      'not_in_the_source: not_said: amount',
      'calculated_of_nothing: not_said: amount',
      'hidden_order: not_said: amount',
      'four_cards: too_many_cards: 4',
    ])
    expect(result.utility).toEqual({ ledger: { done: 7, tasks: 12 } })
    expect(result.cards['ledger']?.most).toBe(4)
    expect(result.violations).toBe(0)
    expect(utilityTable(result)).toContain('7 of 12 tasks done')
  })
})

/** Tasks of each suite that are done at least, as docs/measure.md says; a fall in any of them is a fault, of the product or of how it is measured. */
const FLOORS = { workspace: 40, slack: 18, travel: 18, banking: 14 }

describe('the utility of the shipped corpus', () => {
  const corpus = readCorpus(DEFAULT_CORPUS)

  it('has a floor for each suite', () =>
    expect(Object.keys(FLOORS).sort()).toEqual(Object.keys(corpus.suites).sort()))

  it.each(Object.entries(FLOORS))(
    '%s: at least %d tasks are done, and no rule is broken',
    async (suite, least) => {
      const one = corpus.suites[suite]
      if (one === undefined) throw new Error(`no suite ${suite}`)
      const { utility, stopped, violations } = await measureUtility({ ...corpus, suites: { [suite]: one } })
      const rules = stopped.map(({ task, rule }) => `${task}: ${rule}`).join(', ')
      expect(utility[suite]?.done, rules).toBeGreaterThanOrEqual(least)
      expect(violations).toBe(0)
    },
    120_000,
  )
})

const ROOMS = [
  { name: 'Attic', says: 'Rating: 4.8, price 60 - 90, garden' },
  { name: 'Cellar', says: 'Rating: 4.2, price 40 - 55' },
  { name: 'Barn', says: 'Rating: 4.8, price 110 - 140, garden' },
]

describe('a choice follows from facts', () => {
  it.each([
    ['a word of the owner in a field', 'one with a garden', [0, 2], true],
    ['an item that lacks the word', 'one with a garden', [0, 1], false],
    ['all with the most, where the most is asked for', 'the highest rating', [0, 2], true],
    ['one of those that tie', 'the highest rating', [0], false],
    ['the least, where it is asked for', 'the cheapest', [1], true],
    ['the least, where nothing asks for it', 'a room for tonight', [1], false],
    ['a bound that the owner typed', 'below 100 a night', [0, 1], true],
    ['a bound that the owner did not type', 'a room below your usual price', [0, 1], false],
    ['a word and a bound together', 'with a garden, below 100', [0], true],
    ['no item at all', 'with a garden', [], false],
  ] as const)('%s: %s', (_, prompt, picked, is) => {
    expect(areSingledOut(ROOMS, picked, prompt)).toBe(is)
  })
})
