/** A pending approval of the edge is announced at home: once an hour, and in fixed words (F-18). */
import { expect, test } from 'vitest'
import { tell as sentence } from '../../kernel/wording/words.ts'
import { createCardNews } from '../../sidecar/tunnel/edge-news.ts'
import { createWorld } from '../pipeline/world.ts'

const HOUR = 3_600_000

test('pending approvals of the edge are announced on the private line once an hour, however often the edge reports them', async () => {
  const world = createWorld()
  const waits = createCardNews(world.powers, () => undefined)
  for (let n = 0; n < 20; n += 1) waits()
  await expect.poll(() => world.sent).toHaveLength(1)
  world.clock.now += HOUR
  waits()
  await expect.poll(() => world.sent).toHaveLength(2)
  expect(world.sent.map(({ sink, text, kind, approval }) => [sink, text, kind, approval])).toEqual(
    Array(2).fill(['sink:terminal:owner', sentence('approvals.card_waits'), 'notice', null]),
  )
})
