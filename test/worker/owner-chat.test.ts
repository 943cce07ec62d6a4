/**
 * Where the edge puts questions while the owner's chat with its bot does not work (F-18, H-11), in real workerd with a scripted Bot
 * API: on the open line, also those waiting in the chat, each once and as the same question; home is told, and `pfar doctor` counts
 * them.
 */
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { createOwnerChat } from '../../durable-objects/principal/owner-chat.ts'
import { createEdgeSelf } from '../../durable-objects/principal/self.ts'
import { FAILING_EVERY, HEALTH_EVERY, MOST_FAILURES } from '../../durable-objects/registry/channel-health.ts'
import { NOTICE_AFTER } from '../../kernel/features/deliveries/resend.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { type EphemeralBody, parseFrame } from '../../kernel/tunnel/frame.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { KEEP_PAGE } from '../fakes/worker/parts.ts'
import { decided, deliveriesAfter, emptyEdge, owner, say, until } from './edge.ts'
import { HomePeer, homeWasHere } from './home-peer.ts'
import { signed } from './signed.ts'
import { bring, order, standingIn } from './telegram.ts'

const NOW = 1_000_000_000
const CHAT = 'sink:telegram:open'
const kernel = () => env.KERNEL.getByName(KERNEL_NAME)

async function clear(): Promise<void> {
  vi.useRealTimers()
  await order({ webhook: {}, fares: { pending: 0, failed: null }, forget: true })
  await emptyEdge()
  await order({ chats: [OWNER_ID] })
}
/** Messages of other tests in the owner's chat: all files share the scripted Telegram. */
let former = new Set<number>()
beforeEach(async () => {
  await clear()
  former = new Set((await standingIn(OWNER_ID)).map(({ id }) => id))
})
afterAll(async () => {
  await clear()
  await order({ forget: true })
})

/** Cards with buttons in the owner's chat, and cards on the open line. */
const inChat = async () =>
  (await standingIn(OWNER_ID)).filter(({ id, markup }) => markup !== undefined && !former.has(id))
const onLine = async () => (await deliveriesAfter(0)).filter(({ kind }) => kind === 'card')
const asks = () => bring(update(messageFrom(OWNER_ID, KEEP_PAGE)))
const counted = (look: () => Promise<readonly unknown[]>, count: number) =>
  until(look, (cards) => cards.length >= count)

async function looked(times: number, each: number): Promise<void> {
  for (let n = 0; n < times; n += 1) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + each })
    await runDurableObjectAlarm(kernel())
  }
}

async function waiting(): Promise<number> {
  const response = await exports.default.fetch(await signed('/line/health'))
  return (await response.json<{ waiting: number }>()).waiting
}

async function heldUp(): Promise<readonly object[]> {
  const response = await exports.default.fetch(await signed('/line/waiting'))
  return (await response.json<{ waiting: readonly object[] }>()).waiting
}

/** Stops the clock, this many milliseconds ahead. */
function later(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
}

test('while the webhook fails, waiting and new questions appear on the open line, once', async () => {
  await homeWasHere()
  await order({ webhook: null })
  await looked(1, HEALTH_EVERY)
  await looked(MOST_FAILURES - 2, FAILING_EVERY)
  later(FAILING_EVERY - 60_000)
  await asks()
  await counted(inChat, 1)
  expect([(await onLine()).length, await waiting()]).toEqual([0, 1])
  await looked(1, 60_000)
  await counted(onLine, 1)
  await asks()
  await counted(onLine, 2)
  // One delivery for each of the two questions; the chat gets none that was asked since.
  await runDurableObjectAlarm(owner())
  expect([(await inChat()).length, (await onLine()).length, await waiting()]).toEqual([1, 2, 1])
  expect(new Set((await onLine()).map(({ approval }) => approval)).size).toBe(2)
  const [first] = await onLine()
  expect(await decided(first?.approval ?? '', 'deny')).toMatchObject({ ok: true })
})

test('once the webhook works again, questions appear in the owner’s chat', async () => {
  await homeWasHere()
  await order({ webhook: null })
  await looked(1, HEALTH_EVERY)
  await looked(MOST_FAILURES - 1, FAILING_EVERY)
  await order({ webhook: {} })
  await looked(1, FAILING_EVERY)
  await asks()
  await counted(inChat, 1)
  expect(await onLine()).toEqual([])
})

test('when the owner has blocked the bot, waiting questions appear on the open line, and home is told', async () => {
  const home = await HomePeer.greet()
  await asks()
  await counted(inChat, 1)
  await order({ refuse: { code: 403, times: 1, words: 'Forbidden: bot was blocked by the user' } })
  await asks()
  await counted(onLine, 2)
  expect(new Set((await onLine()).map(({ approval }) => approval)).size).toBe(2)
  let heard = ''
  while (!heard.includes('card_waits')) heard = await home.hear()
  expect(parseFrame(heard)).toMatchObject({ value: { kind: 'ephemeral', body: { type: 'card_waits' } } })
  home.close()
})

test('home is not told of a card that the owner’s chat shows, or that was asked for on the open line', async () => {
  const home = await HomePeer.greet()
  await asks()
  await counted(inChat, 1)
  await say(KEEP_PAGE)
  await counted(onLine, 1)
  expect(await heardOf(home)).not.toContain('card_waits')
  home.close()
})

/** Frames about undelivered messages, received within a while. */
async function unsentTo(home: HomePeer): Promise<readonly object[]> {
  const lines = (await heardOf(home)).split('\n').filter((line) => line.includes('"unsent"'))
  return lines.map((line) => {
    const frame = parseFrame(line)
    if (!frame.ok || frame.value.kind !== 'ephemeral') throw new Error(line)
    return frame.value.body
  })
}

test('during an outage home is told once that an answer waits and since when, without its text', async () => {
  const early = await HomePeer.greet()
  await order({ refuse: { code: 502, times: 1_000, words: 'Bad Gateway' } })
  await bring(update(messageFrom(OWNER_ID, 'what can you do?')))
  await until(
    async () => (await heldUp()).length,
    (count) => count === 1,
  )
  // Home is told only after some time.
  expect(await unsentTo(early)).toEqual([])
  early.close()
  later(NOTICE_AFTER)
  const home = await HomePeer.greet()
  await runDurableObjectAlarm(owner())
  const told = await unsentTo(home)
  const unsent = { kind: 'answer', age: expect.any(Number), lost: null }
  expect(told).toEqual([{ type: 'unsent', unsent }])
  expect((told[0] as { unsent: { age: number } }).unsent.age).toBeGreaterThanOrEqual(NOTICE_AFTER)
  home.close()
  later(NOTICE_AFTER)
  const again = await HomePeer.greet()
  await runDurableObjectAlarm(owner())
  expect(await unsentTo(again)).toEqual([])
  again.close()
  expect((await deliveriesAfter(0)).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Telegram cannot be reached\. The answer that you asked for at /),
  ])
})

test('when the chat has failed for good home is told at once that an answer will not arrive, and why', async () => {
  const home = await HomePeer.greet()
  await order({ refuse: { code: 403, times: 1_000, words: 'Forbidden: bot was blocked by the user' } })
  await bring(update(messageFrom(OWNER_ID, 'what can you do?')))
  await until(
    async () => (await deliveriesAfter(0)).length,
    (count) => count > 0,
  )
  expect(await unsentTo(home)).toContainEqual({
    type: 'unsent',
    unsent: { kind: 'answer', age: expect.any(Number), lost: 'remote_rejected' },
  })
  home.close()
})

/** Everything that home receives within a while. */
async function heardOf(home: HomePeer): Promise<string> {
  let all = ''
  for (;;) {
    const heard = await Promise.race([home.hear(), new Promise<null>((end) => setTimeout(end, 500, null))])
    if (heard === null) return all
    all += `${heard}\n`
  }
}

test.each<EphemeralBody>([
  { type: 'card_waits' },
  { type: 'unsent', unsent: { kind: 'answer', age: 0, lost: null } },
])('a home that sends a body of the edge’s is refused: $type', async (body) => {
  const home = await HomePeer.greet()
  home.send({ kind: 'ephemeral', body })
  let heard = ''
  while (!heard.includes('"refused"')) heard = await home.hear()
  expect(heard).toContain('frame_malformed')
})

test.each<[string, ReasonCode, number | null, boolean]>([
  ['a token that was taken back', 'credential_rejected', 401, false],
  ['a bot that the owner blocked', 'remote_rejected', 403, false],
  ['a message that it does not take', 'remote_rejected', 400, true],
  ['a service that is down', 'remote_unavailable', 502, true],
])('the owner’s chat works or not after %s', (_what, code, status, hears) => {
  const self = createEdgeSelf()
  const chat = createOwnerChat(self)
  chat.recordResult(CHAT, err(code, status === null ? {} : { status }))
  expect([chat.receives(CHAT), chat.receives('sink:openline:owner')]).toEqual([hears, true])
  expect([chat.justStoppedWorking(), chat.justStoppedWorking()]).toEqual([!hears, false])
  // Another person's chat does not count.
  chat.recordResult('sink:telegram:66', ok(true))
  expect(chat.receives(CHAT)).toBe(hears)
  chat.recordResult(CHAT, ok(true))
  expect(chat.receives(CHAT)).toBe(true)
  chat.justStoppedWorking()
  chat.failing(NOW)
  expect([NOW, NOW + FAILING_EVERY - 1, NOW + FAILING_EVERY].map(chat.isRecheckDue)).toEqual([
    false,
    false,
    true,
  ])
  expect([chat.receives(CHAT), chat.justStoppedWorking()]).toEqual([false, true])
})
