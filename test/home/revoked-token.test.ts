/**
 * A token that is revoked while an answer is in progress: the real kernel, home's bot and a scripted Telegram over
 * HTTP, which holds a long poll meanwhile (F-18, Q-19). Only the refused answer reveals the revocation.
 */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import { TELEGRAM_PRIVATE } from '../../integrations/channels/telegram/channel.ts'
import { createPrivateBot, startPrivateLine } from '../../integrations/channels/telegram/home-line.ts'
import { createTelegramStore } from '../../integrations/channels/telegram/home-store.ts'
import { migrate } from '../../integrations/store/schema/migrate.ts'
import { deliverNotice } from '../../kernel/features/deliveries/deliver.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { lineFindings } from '../../sidecar/doctor/surroundings-look.ts'
import { openSqlite } from '../../sidecar/store/sqlite-bridge.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { createWorld, scriptedModel } from '../pipeline/world.ts'
import { until } from './fixtures/wait.ts'

const OWNER_ID = 77
const TERMINAL = 'sink:terminal:owner'
const ANSWER = 'The harbour opens at six.'
const LOST = expect.stringMatching(
  /^The answer that you asked for at \S+ \S+ did not get into your chat at Telegram: my access there is not accepted any more\. Please ask again\.$/,
)
/** Milliseconds: far less than Telegram holds a poll. */
const AT_ONCE = 5_000
/** Polls that the scripted Telegram has received: one at the start, one held, and one when a message arrives. */
const HELD = 2
const HELD_AGAIN = 4

let telegram: ScriptedTelegram
beforeEach(async () => {
  telegram = await startTelegram()
})
afterEach(() => telegram.close())

/** Home's bot, connected. Its token is revoked while the model answers, and Telegram holds the next poll. */
async function listening() {
  const questions = (): number => telegram.transcript.filter(({ method }) => method === 'getUpdates').length
  const { db } = openSqlite(':memory:')
  migrate(db, DIRECTIVES_MIGRATIONS)
  const settled: string[] = []
  const bot = createPrivateBot(
    {
      config: { owner: OWNER_ID, bot: Number(BOT_TOKEN.split(':')[0]), api: telegram.origin },
      transport: createFetchTransport(),
      token: {
        issue: async () => ok({ value: BOT_TOKEN, version: 1 }),
        whose: () => expect.fail('nobody asks whose it is'),
        settle: (_version, use) => void settled.push(use),
      },
    },
    { store: createTelegramStore(db), key: new Uint8Array(32) },
  )
  const model = scriptedModel('local', () => ANSWER)
  const complete: typeof model.complete = async (...call) => {
    await until(() => questions() === HELD_AGAIN)
    telegram.order({ revoked: true })
    return model.complete(...call)
  }
  const world = createWorld({
    models: [{ ...model, complete }],
    owner: [`telegram:${OWNER_ID}`],
    adminSinks: [TELEGRAM_PRIVATE.sink, TERMINAL],
  })
  const atTerminal: string[] = []
  const send: Powers['sender']['send'] = async (delivery) => {
    if (delivery.sink === TELEGRAM_PRIVATE.sink) return bot.sender.send(delivery)
    atTerminal.push(delivery.text)
    return ok(true)
  }
  const powers: Powers = {
    ...world.powers,
    sender: { send },
    hears: (sink) => sink !== TELEGRAM_PRIVATE.sink || !bot.line.isUnreachable,
  }
  const shell = createShell(powers)
  const runs: Promise<void>[] = []
  const line = startPrivateLine({
    ...{ bot, powers, shell, tell: () => undefined, fault: () => undefined, diskRefusal: () => null },
    notify: (notice) => deliverNotice(powers, { ...notice, principal: OWNER_PRINCIPAL }),
    drive: () => void runs.push(shell.run(OWNER_PRINCIPAL)),
  })
  await until(() => line.status()['telegram'] === 'listens' && questions() === HELD)
  telegram.write(OWNER_ID, 'tell me of the harbour')
  await until(() => atTerminal.length > 0, AT_ONCE)
  await Promise.all(runs)
  return { bot, line, powers, atTerminal, settled, questions }
}

test('a refused answer is reported at once in another chat, and status and doctor say that the bot does not receive', async () => {
  const { line, bot, atTerminal, settled, questions } = await listening()
  expect(atTerminal).toEqual([LOST])
  expect(atTerminal.join()).not.toContain(ANSWER)
  expect(settled.at(-1)).toBe('rejected')
  // The poll was sent before, and Telegram still holds it.
  expect([
    questions(),
    telegram.transcript.some((one) => one.method === 'getUpdates' && one.refused),
  ]).toEqual([HELD_AGAIN, false])
  expect(line.status()).toEqual({
    telegram: expect.stringMatching(/^does not hear: A service did not accept/),
  })
  expect(lineFindings(line.status())).toMatchObject([
    {
      part: 'private telegram',
      state: 'bad',
      says: expect.stringMatching(/^Home does not hear: A service did/),
    },
  ])
  expect(bot.line.isUnreachable).toBe(true)
  await line.stop()
})

test('after the token works again, the bot receives and says so', async () => {
  const made = await listening()
  telegram.order({ revoked: false })
  const notice = { id: 'n1', sink: TELEGRAM_PRIVATE.sink, principal: OWNER_PRINCIPAL } as const
  await deliverNotice(made.powers, { ...notice, code: 'channel_failing', patience: 'once' })
  expect([made.line.status(), made.bot.line.isUnreachable]).toEqual([{ telegram: 'listens' }, false])
  await made.line.stop()
})
