/** How long home waits before it retries a channel (H-12, H-17). */
import { expect, test } from 'vitest'
import { LONGEST, pauseAfter } from '../../integrations/channels/runtime/backoff.ts'

const LATEST = 0.999_999

test.each([
  ['the first time about a second', 1, 0, null, 500],
  ['which may be a whole one', 1, LATEST, null, 1_000],
  ['twice as long the second time', 2, 0, null, 1_000],
  ['and again', 5, 0, null, 8_000],
  ['at most five minutes', 40, LATEST, null, LONGEST],
  ['in a row that never ends, too', 5_000, LATEST, null, LONGEST],
  ['never sooner than it asked for', 1, 0, 7_000, 7_000],
  ['nor sooner than its own turn', 9, 0, 7_000, 128_000],
] as const)('%s', (_what, failures, chance, retryAfter, wait) =>
  expect(pauseAfter(failures, chance, retryAfter)).toBe(wait),
)
