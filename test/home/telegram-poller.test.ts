/**
 * Home's polling of Telegram and its record of updates: nothing is lost or handled twice, wherever it is interrupted
 * (H-03, H-12, B-24).
 */

import type { Update } from 'grammy/types'
import type { Api } from 'grammy/web'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BotApi } from '../../integrations/channels/telegram/api.ts'
import { type Poller, startPoller } from '../../integrations/channels/telegram/home-poller.ts'
import {
  createTelegramStore,
  REMEMBERED,
  type TelegramStore,
} from '../../integrations/channels/telegram/home-store.ts'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import type { Refusal, Result } from '../../kernel/flow/verdict.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { diskRefusal } from '../../sidecar/store/storage-trouble.ts'
import { until } from './fixtures/wait.ts'

/** Arguments of each pause, and its duration instead (milliseconds); null for the original one. */
const pauses = vi.hoisted(() => ({
  asked: [] as (readonly [failures: number, retryAfter: number | null])[],
  instead: null as number | null,
}))
vi.mock(import('../../integrations/channels/runtime/backoff.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    pauseAfter(failures, chance, retryAfter) {
      pauses.asked.push([failures, retryAfter])
      return pauses.instead ?? real.pauseAfter(failures, chance, retryAfter)
    },
  }
})

const DAY = 86_400_000
const NOON = Date.parse('2026-11-22T12:00:00Z')

let store: TelegramStore
let waiting: { readonly update_id: number }[]
let asked: Record<string, unknown>[]
let handled: number[]
let refusals: Result<never>[]
let news: (Refusal | null)[]
let ending: AbortController
let poller: Poller | null

beforeEach(() => {
  const { db } = openSqlite(':memory:')
  migrate(db, DIRECTIVES_MIGRATIONS)
  store = createTelegramStore(db)
  ;[waiting, asked, handled, refusals, news] = [[], [], [], [], []]
  poller = null
  Object.assign(pauses, { asked: [], instead: null })
})
afterEach(async () => {
  ending?.abort()
  await poller?.done
})

const refused = (code: Refusal['code'], facts: Refusal['facts'] = {}): Result<never> => ({
  ok: false,
  reason: { code, facts },
})

/** As Telegram does: a request for later updates confirms the earlier ones. */
const bot: Pick<Api, 'getUpdates'> = {
  async getUpdates(args = {}) {
    asked.push({ ...args })
    const { offset = 0 } = args
    waiting = waiting.filter(({ update_id }) => update_id >= offset)
    if (waiting.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    return waiting as Update[]
  },
}
const api: Pick<BotApi, 'ask'> = {
  async ask(call) {
    const refusal = refusals.shift()
    const value = await call(bot as Api, () => expect.fail('no file is sent'))
    return refusal ?? { ok: true, value }
  },
}

function start(handle = async (id: number): Promise<Result<unknown>> => ({ ok: true, value: id })): void {
  ending = new AbortController()
  poller = startPoller({
    ...{
      api,
      store,
      now: () => NOON,
      chance: () => 0,
      signal: ending.signal,
      fault: () => undefined,
      diskRefusal,
    },
    handle: async (update) => {
      const { update_id: id } = update as { update_id: number }
      const done = await handle(id)
      if (done.ok) handled.push(id)
      return done
    },
    news: (trouble) => void news.push(trouble),
  })
}

describe('an update', () => {
  it('is handled once, in order, and confirmed by the next poll', async () => {
    waiting = [{ update_id: 7 }, { update_id: 8 }]
    start()
    await until(() => asked.length > 2)
    expect([handled, asked[1]?.['offset']]).toEqual([[7, 8], 9])
  })

  it('whose handling was interrupted comes again', async () => {
    waiting = [{ update_id: 7 }]
    let tries = 0
    start(async (id) => {
      tries += 1
      return tries === 1 ? refused('storage_failed') : { ok: true, value: id }
    })
    await until(() => handled.length === 1)
    expect([tries, handled, asked[1]?.['offset']]).toEqual([2, [7], 0])
  })

  it('whose handling throws comes again, and no later one is handled first', async () => {
    waiting = [{ update_id: 7 }, { update_id: 8 }]
    let tries = 0
    start(async (id) => {
      tries += 1
      if (tries === 1) throw new Error('storage')
      return { ok: true, value: id }
    })
    await until(() => handled.length === 2)
    expect(handled).toEqual([7, 8])
  })

  it('that was handled is not handled again, however it arrives', async () => {
    store.take(7, NOON - DAY)
    // Its number is lower than the cursor, as after a lost cursor.
    store.kept.put('cursor', { update: 6, at: NOON })
    waiting = [{ update_id: 7 }, { update_id: 8 }]
    start()
    await until(() => handled.length === 1)
    expect(handled).toEqual([8])
  })
})

describe('a handled update', () => {
  it('is remembered for more than a day', () => {
    store.take(7, NOON)
    store.take(8, NOON + REMEMBERED)
    expect([REMEMBERED > DAY, store.isTaken(7), store.isTaken(8), store.isTaken(9)]).toEqual([
      ...[true, true],
      ...[true, false],
    ])
    store.take(9, NOON + REMEMBERED + 1)
    expect(store.isTaken(7)).toBe(false)
  })

  it.each([
    ['the next number, within days', 5 * DAY, 8],
    ['any number, after a week in which Telegram may have begun anew', 8 * DAY, 0],
  ])('is followed by %s', (_what, later, offset) => {
    store.take(7, NOON)
    expect(store.offset(NOON + later)).toBe(offset)
  })
})

describe('a poll', () => {
  it('that is refused is repeated and reported once, and its recovery is reported', async () => {
    refusals = [refused('remote_unavailable'), refused('remote_unavailable')]
    start()
    await until(() => news.length === 2, 10_000)
    expect(news.map((one) => one?.code ?? null)).toEqual(['remote_unavailable', null])
  })
  it('that is refused repeatedly is retried with growing delays, which a success resets', async () => {
    pauses.instead = 0
    refusals = [refused('remote_unavailable'), refused('remote_rate_limited', { retryAfter: 7_000 })]
    start()
    await until(() => asked.length > 2)
    refusals = [refused('remote_unavailable')]
    await until(() => pauses.asked.length === 3)
    expect(pauses.asked).toEqual([
      [1, null],
      [2, 7_000],
      [1, null],
    ])
  })

  it('that was refused is not repeated before its pause is over', async () => {
    pauses.instead = DAY
    refusals = [refused('remote_unavailable')]
    start()
    await until(() => pauses.asked.length === 1)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(asked).toHaveLength(1)
  })

  it('requests the update kinds that the chat accepts, and is held after the first success', async () => {
    start()
    await until(() => asked.length > 1)
    const allowed_updates = ['message', 'edited_message', 'callback_query']
    expect(asked[0]).toMatchObject({ timeout: 0, allowed_updates })
    expect(asked[1]).toMatchObject({ timeout: 50, allowed_updates })
  })
})
