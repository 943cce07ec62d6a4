/**
 * Where the edge puts its questions while the owner's chat with its bot does not hear him (F-18, H-11), in real workerd with a scripted Bot
 * API: on the open line, those that wait in the chat too, each once and as the same question; home hears of it, and his doctor counts them.
 */
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { FAILING_EVERY, HEALTH_EVERY, MOST_FAILURES } from '../../durable-objects/channel-health.ts'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { createOwnerChat } from '../../durable-objects/owner-chat.ts'
import { createEdgeSelf } from '../../durable-objects/self.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { TOLD_AFTER } from '../../kernel/runtime/resend.ts'
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
/** Messages that other tests left in his chat: the scripted Telegram is every file's. */
let former = new Set<number>()
beforeEach(async () => {
  await clear()
  former = new Set((await standingIn(OWNER_ID)).map(({ id }) => id))
})
afterAll(async () => {
  await clear()
  await order({ forget: true })
})

/** Cards with buttons in his chat there, and cards on his open line. */
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

/** The clock stands so much later. */
function later(milliseconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
}

test('a webhook that brings nothing: what waits there and what is asked then comes on the open line, once', async () => {
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
  // One question each, told together as they are alike; and in the chat none that was asked since.
  await runDurableObjectAlarm(owner())
  expect([(await inChat()).length, (await onLine()).length, await waiting()]).toEqual([1, 2, 1])
  expect(new Set((await onLine()).map(({ approval }) => approval)).size).toBe(2)
  const [first] = await onLine()
  expect(await decided(first?.approval ?? '', 'deny')).toMatchObject({ ok: true })
})

test('once it works again, his chat has them', async () => {
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

test('a bot that he has blocked: what waits there comes on the open line, and home hears that it does', async () => {
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

test('of a card that his chat shows, or that he asked for on the open line, home hears nothing', async () => {
  const home = await HomePeer.greet()
  await asks()
  await counted(inChat, 1)
  await say(KEEP_PAGE)
  await counted(onLine, 1)
  expect(await heardOf(home)).not.toContain('card_waits')
  home.close()
})

/** Frames about what did not get into the chat here, in a while. */
async function unsentTo(home: HomePeer): Promise<readonly object[]> {
  const lines = (await heardOf(home)).split('\n').filter((line) => line.includes('"unsent"'))
  return lines.map((line) => {
    const frame = parseFrame(line)
    if (!frame.ok || frame.value.kind !== 'ephemeral') throw new Error(line)
    return frame.value.body
  })
}

test('an outage: home hears once that an answer waits for the chat here and how long ago it was asked for, and no word of it', async () => {
  const early = await HomePeer.greet()
  await order({ refuse: { code: 502, times: 1_000, words: 'Bad Gateway' } })
  await bring(update(messageFrom(OWNER_ID, 'what can you do?')))
  await until(
    async () => (await heldUp()).length,
    (count) => count === 1,
  )
  // Nothing is said before it has waited for a while.
  expect(await unsentTo(early)).toEqual([])
  early.close()
  later(TOLD_AFTER)
  const home = await HomePeer.greet()
  await runDurableObjectAlarm(owner())
  const told = await unsentTo(home)
  const unsent = { kind: 'answer', age: expect.any(Number), lost: null }
  expect(told).toEqual([{ type: 'unsent', unsent }])
  expect((told[0] as { unsent: { age: number } }).unsent.age).toBeGreaterThanOrEqual(TOLD_AFTER)
  home.close()
  later(TOLD_AFTER)
  const again = await HomePeer.greet()
  await runDurableObjectAlarm(owner())
  expect(await unsentTo(again)).toEqual([])
  again.close()
  expect((await deliveriesAfter(0)).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Telegram cannot be reached\. The answer that you asked for at /),
  ])
})

test('a chat that takes nothing any more: home hears at once that an answer will not come, and why', async () => {
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

/** All that it hears in a while. */
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
])('a home that says what the edge says is refused: $type', async (body) => {
  const home = await HomePeer.greet()
  home.send({ kind: 'ephemeral', body })
  let heard = ''
  while (!heard.includes('"refused"')) heard = await home.hear()
  expect(heard).toContain('frame_malformed')
})

test.each<[string, ReasonCode, number | null, boolean]>([
  ['a token that was taken back', 'credential_rejected', 401, false],
  ['a bot that he blocked', 'remote_rejected', 403, false],
  ['a message that it does not take', 'remote_rejected', 400, true],
  ['a service that is down', 'remote_unavailable', 502, true],
])('after %s', (_what, code, status, hears) => {
  const self = createEdgeSelf()
  const chat = createOwnerChat(self)
  chat.fared(CHAT, err(code, status === null ? {} : { status }))
  expect([chat.hears(CHAT), chat.hears('sink:openline:owner')]).toEqual([hears, true])
  expect([chat.wentDeaf(), chat.wentDeaf()]).toEqual([!hears, false])
  // Somebody else's chat says nothing of his.
  chat.fared('sink:telegram:66', ok(true))
  expect(chat.hears(CHAT)).toBe(hears)
  chat.fared(CHAT, ok(true))
  expect(chat.hears(CHAT)).toBe(true)
  chat.wentDeaf()
  chat.failing(NOW)
  expect([NOW, NOW + FAILING_EVERY - 1, NOW + FAILING_EVERY].map(chat.mayHearAgain)).toEqual([
    false,
    false,
    true,
  ])
  expect([chat.hears(CHAT), chat.wentDeaf()]).toEqual([false, true])
})
