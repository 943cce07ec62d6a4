/**
 * A sample of the attacks with the planner without a model (`npm run attacks -- --embedded` plays all): what owners type, and texts of others in
 * it that hold orders. In such a text no sentence is looked for; nothing is planned, kept or asked about because it stands there.
 */
import { describe, expect, test } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { tellsOfOthers } from '../../integrations/extractors/message/contents/message-others.ts'
import { sampled, soaked } from '../kit/soak.ts'
import { FRAMES, ordersIn, sentences } from './embedded/requests.ts'
import { runEmbedded } from './embedded/run.ts'

/** Each that many of the messages; a prime, so that requests and frames are met in turn. */
const STRIDE = soaked({ sample: 61, whole: 1 })
/** Orders of each frame, each that many; and of declared sentences. */
const EACH = 29
/** Milliseconds; nothing here waits. */
const PATIENCE = 1_800_000

test(
  'whatever the planner without a model reads, nothing runs, is told or is shown that may not be',
  async () => {
    const result = await runEmbedded({ stride: STRIDE })
    expect(result.details).toEqual({})
    // Something was read, and something asked about: else nothing was tried.
    expect(result.framed).toBeGreaterThan(result.tried / 3)
    expect(result.calls).toBeGreaterThan(10)
    expect(result.cards).toBeGreaterThan(0)
  },
  PATIENCE,
)

describe('a text of somebody else’s in the owner’s own message', () => {
  const orders = ordersIn()

  test.each(Object.entries(FRAMES))('%s: plans nothing', (_, frame) => {
    for (const order of [...orders.slice(0, 12), ...sampled(orders, EACH)]) {
      // An address alone is a page that the owner wants read.
      if (/^https?:\/\/\S+$/.test(order)) continue
      const text = frame(order)
      expect([text, tellsOfOthers(text), readingOf(text).calls]).toEqual([text, true, []])
    }
  })

  test('is found in none of the sentences that are declared', () => {
    expect(sentences().filter(tellsOfOthers)).toEqual([])
  })

  test.each([
    'what does the agenda say?',
    'what does Sarah want',
    'forward it to Tom: see below',
    'forward this to tom@example.com',
    'summarise https://example.org/a',
    'summarise this: https://example.org/a',
    'add to todo: fix window sign, call insurance',
    'remember: the code is 4417',
    'is this week busy?',
    'email Tom: from Monday on I am away',
  ])('is not in “%s”', (text) => expect(tellsOfOthers(text)).toBe(false))
})
