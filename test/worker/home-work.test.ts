/**
 * What the owner's chat with the edge's bot shows while home is at work for him, in real workerd with a scripted Bot API (C-32): at a step
 * of the edge's own task, and at what home answers there. A home that lies, or a word of it that comes late, changes nothing.
 */
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCarrier } from '../../durable-objects/carrier.ts'
import type { HomeWork } from '../../kernel/powers/handover-port.ts'
import type { HomeCall } from '../../kernel/powers/home-port.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { type Body, parseFrame } from '../../kernel/tunnel/frame.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { emptyEdge, owner } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { KEPT_KEY } from './kept-box.ts'
import { askedFor, bring, order, progressIn, standingIn, typingIn } from './telegram.ts'

/** Milliseconds on a busy machine. */
const SOON = { timeout: 15_000 }
/** Milliseconds after which the edge tells a chat of home's work again. */
const APART = 3_100
const HOW = { doing: 'reading_message', step: 2, steps: 4 } as const
const SHOWN = '2 of 4: reading the message…'

let home: HomePeer
beforeAll(async () => {
  await emptyEdge()
  await order({ chats: [OWNER_ID] })
  home = await HomePeer.greet()
})
afterAll(async () => {
  home.close()
  await order({ forget: true })
  await emptyEdge()
})

const tell = (work: HomeWork, peer = home): void =>
  peer.send({ kind: 'ephemeral', body: { type: 'work', work } })
const apart = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, APART))

/** Why the owner's object shows nothing of it. */
async function codeOf(work: HomeWork): Promise<string> {
  const shown = await owner().bothLines(OWNER_PRINCIPAL, { do: 'work', work })
  return shown.ok ? 'shown' : shown.reason.code
}

/** Once the edge has all that home told it. */
async function taken(): Promise<void> {
  while (home.store.waiting().count > 0) {
    const frame = parseFrame(await home.hear())
    if (frame.ok && frame.value.kind === 'ack') home.channel.onAck(frame.value.seq)
    if (frame.ok && frame.value.kind === 'data' && home.channel.onData(frame.value) === 'deliver')
      home.send(home.channel.accepted(frame.value))
  }
}

/** The next body of this kind; what else comes is taken. */
async function bodyOf<T extends 'kept_said' | 'home_call'>(type: T) {
  for (;;) {
    const frame = parseFrame(await home.hear())
    if (!frame.ok || frame.value.kind !== 'data') continue
    const { body } = frame.value
    if (home.channel.onData(frame.value) === 'deliver') home.send(home.channel.accepted(frame.value))
    if (body.type === type) return body as Extract<Body, { readonly type: T }>
  }
}

describe('a step of the edge’s own task', () => {
  let call: HomeCall
  let before: number
  beforeAll(async () => {
    before = (await standingIn(OWNER_ID)).length
    await bring(update(messageFrom(OWNER_ID, 'when am I free on Friday?')))
    call = (await bodyOf('home_call')).call
  })

  test.each<[string, (call: HomeCall) => HomeWork, string]>([
    ['of no task of his', ({ id }) => ({ on: 'call', id, task: 'nobody' }), 'task_unknown'],
    ['of another call', ({ id, task }) => ({ on: 'call', id: `${id}x`, task }), 'task_unknown'],
    ['said of what he wrote', ({ id }) => ({ on: 'said', id, how: HOW }), 'grant_missing'],
  ])('%s is not shown', async (_what, lie, code) => {
    expect(await codeOf(lie(call))).toBe(code)
    expect(await progressIn(OWNER_ID)).toBeUndefined()
  })

  test('is shown in the edge’s words while home is at it, and becomes the answer', async () => {
    const typing = await typingIn(OWNER_ID)
    tell({ on: 'call', id: call.id, task: call.task })
    await expect
      .poll(() => progressIn(OWNER_ID), SOON)
      .toMatchObject({ text: '1 of 2: looking at the calendar…' })
    await expect.poll(() => typingIn(OWNER_ID), SOON).toBeGreaterThan(typing)
    const shown = await progressIn(OWNER_ID)
    const { id, task, step } = call
    home.put({ type: 'home_answer', answer: { id, task, step, ok: false, reason: 'home_timeout' } })
    await expect.poll(async () => (await standingIn(OWNER_ID)).length, SOON).toBe(before + 1)
    expect((await standingIn(OWNER_ID)).at(-1)?.id).toBe(shown?.id)
    expect(await progressIn(OWNER_ID)).toBeUndefined()
  })

  test('told late, after the answer, it is not', async () => {
    await apart()
    expect(await codeOf({ on: 'call', id: call.id, task: call.task })).toBe('task_unknown')
    expect(await progressIn(OWNER_ID)).toBeUndefined()
  })
})

describe('what home answers there', () => {
  let said: string
  beforeAll(async () => {
    home.put(KEPT_KEY)
    await taken()
    home.put({ type: 'both_lines', template: 'owner_private' })
    await taken()
    await bring(update(messageFrom(OWNER_ID, 'check my email')))
    said = (await bodyOf('kept_said')).kept.id
    await apart()
  })

  test('a step at a time, no oftener than the chat takes, in the message that becomes the answer', async () => {
    const before = (await standingIn(OWNER_ID)).length
    tell({ on: 'said', id: said, how: { ...HOW, step: 1, doing: 'searching_mail' } })
    await expect.poll(() => progressIn(OWNER_ID), SOON).toMatchObject({ text: /^1 of 4/ })
    const shown = await progressIn(OWNER_ID)
    const asked = (await askedFor(OWNER_ID)).length
    expect(await codeOf({ on: 'said', id: said, how: HOW })).toBe('remote_rate_limited')
    expect(await askedFor(OWNER_ID)).toHaveLength(asked)
    await apart()
    tell({ on: 'said', id: said, how: HOW })
    await expect.poll(() => progressIn(OWNER_ID), SOON).toMatchObject({ text: SHOWN, id: shown?.id })
    const handed = { id: 'd1', kind: 'answer', label: 'sensitive', text: 'two letters', said } as const
    home.send({ kind: 'ephemeral', body: { type: 'deliver', handed } })
    await expect.poll(async () => (await standingIn(OWNER_ID)).length, SOON).toBe(before + 1)
    expect((await standingIn(OWNER_ID)).at(-1)).toMatchObject({ id: shown?.id, text: 'two letters' })
    expect(await progressIn(OWNER_ID)).toBeUndefined()
  })

  test('late, after the answer, it is not shown', async () => {
    await apart()
    expect(await codeOf({ on: 'said', id: said, how: HOW })).toBe('task_already_answering')
    tell({ on: 'said', id: said, how: HOW })
    await apart()
    expect(await progressIn(OWNER_ID)).toBeUndefined()
  })

  test('of what he never wrote, or before its hello, it goes no further than the line', async () => {
    const asked = (await askedFor(OWNER_ID)).length
    tell({ on: 'said', id: 'telegram:nothing', how: HOW })
    tell({ on: 'call', id: 'nothing', task: 'nothing' })
    const [greeted, silent] = [true, false].map((is) => ({ deserializeAttachment: () => ({ greeted: is }) }))
    const known = { askedBy: (id: string) => (id === 'said:s1' ? OWNER_PRINCIPAL : null) }
    const carrier = createCarrier(env, new Uint8Array(32), known)
    const codes = await Promise.all(
      [
        [greeted, 's2'],
        [silent, 's1'],
      ].map(([socket, id]) => carrier.work(socket as never, { on: 'said', id: String(id), how: null })),
    )
    expect(codes.map((one) => one.ok || one.reason.code)).toEqual(['task_unknown', 'task_unknown'])
    await apart()
    expect(await askedFor(OWNER_ID)).toHaveLength(asked)
  })

  test('of which nothing comes, what says how far it is goes', async () => {
    await bring(update(messageFrom(OWNER_ID, 'read the first one')))
    const { id } = (await bodyOf('kept_said')).kept
    tell({ on: 'said', id, how: HOW })
    await expect.poll(() => progressIn(OWNER_ID), SOON).toMatchObject({ text: SHOWN })
    tell({ on: 'rest', id })
    await expect.poll(() => progressIn(OWNER_ID), SOON).toBeUndefined()
  })

  test('and of nothing once that was taken back', async () => {
    await apart()
    home.put({ type: 'both_lines', template: null })
    await taken()
    expect(await codeOf({ on: 'said', id: said, how: HOW })).toBe('grant_missing')
  })
})
