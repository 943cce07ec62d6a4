/**
 * What the edge could not deliver to its own chat is announced in another chat that is read (F-18): in fixed words,
 * once an hour, and without content of the answer.
 */
import { describe, expect, it } from 'vitest'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import type { UnsentNews } from '../../kernel/tunnel/synced.ts'
import { createUnsentNews } from '../../sidecar/tunnel/edge-news.ts'
import { createWorld, type World } from '../pipeline/world.ts'

const TERMINAL = 'sink:terminal:owner'
const TELEGRAM = 'sink:telegram:private'
const SLACK = 'sink:slack:private'
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WAITS: UnsentNews = { kind: 'answer', age: 2 * MINUTE, lost: null }
const LOST: UnsentNews = { kind: 'card', age: MINUTE, lost: 'remote_rejected' }

interface Home {
  readonly world: World
  readonly hear: (news: UnsentNews) => void
}

/**
 * As home's powers report it: the terminal polls. `down`: chats that accept nothing; `deaf`: chats that would receive
 * no reply.
 */
function home({
  down = [],
  deaf = [],
  watched = false,
}: {
  readonly down?: readonly string[]
  readonly deaf?: readonly string[]
  readonly watched?: boolean
} = {}): Home {
  const world = createWorld({
    adminSinks: [TERMINAL, TELEGRAM, SLACK],
    send: ({ sink }) =>
      down.includes(sink)
        ? { ok: false, reason: { code: 'remote_unavailable', facts: {} } }
        : { ok: true, value: true },
  })
  const { sender } = world.powers
  const drafts = { watched: () => watched, show: () => undefined }
  const powers: Powers = {
    ...world.powers,
    sender: { ...sender, drafts, acknowledges: (sink) => sink !== TERMINAL },
    hears: (sink) => !deaf.includes(sink),
  }
  return { world, hear: createUnsentNews(powers, () => undefined) }
}

const told = ({ sent }: World) => sent.map(({ sink, text }) => [sink, text])

describe('a notice about a queued delivery at the edge', () => {
  it.each([
    ['in the first chat that shows it at once', {}, TELEGRAM],
    ['not in one that cannot be reached', { down: [TELEGRAM] }, SLACK],
    ['not in one that does not hear', { deaf: [TELEGRAM] }, SLACK],
    ['at the terminal, where no other is', { down: [TELEGRAM, SLACK] }, TERMINAL],
    ['at the terminal first, where somebody looks at it', { watched: true }, TERMINAL],
  ])('is sent %s', async (_where, chats, sink) => {
    const { world, hear } = home(chats)
    hear(WAITS)
    await expect
      .poll(() => told(world))
      .toEqual([
        [
          sink,
          'The edge cannot reach Telegram. The answer that you asked for at 2026-11-20 11:58 waits for your chat with the edge there, and later ones wait behind it, in order. It keeps trying for 24 hours; `pfar status` lists what waits.',
        ],
      ])
    expect(world.sent).toMatchObject([{ kind: 'notice', approval: null, label: 'public' }])
  })

  it('is sent once an hour, however often the edge reports it, and separately for lost ones', async () => {
    const { world, hear } = home()
    for (let n = 0; n < 20; n += 1) hear(WAITS)
    for (let n = 0; n < 20; n += 1) hear(LOST)
    await expect.poll(() => world.sent).toHaveLength(2)
    expect(told(world)[1]).toEqual([
      TELEGRAM,
      'A question of 2026-11-20 11:59 did not get into your chat with the edge at Telegram: that chat does not take my messages any more; perhaps it was blocked or deleted. Please ask again; the open line says so of each.',
    ])
    world.clock.now += HOUR
    hear(WAITS)
    await expect.poll(() => world.sent).toHaveLength(3)
  })

  it('states a time within the queue’s limit, whatever the edge says', async () => {
    const { world, hear } = home()
    hear({ ...WAITS, age: Number.MAX_SAFE_INTEGER })
    await expect.poll(() => told(world)[0]?.[1]).toContain('asked for at 2026-11-19 11:00')
  })

  it('is not sent while the owner has paused everything', async () => {
    const { world, hear } = home()
    await world.say('/pause')
    const before = world.sent.length
    hear(WAITS)
    await world.shell.tick()
    expect(world.sent).toHaveLength(before)
  })
})
