/**
 * Progress of home's work in the owner's chat with the edge's bot, in real workerd with a scripted Bot API (C-32): for a step of
 * the edge's task, and for a message that home answers. False or late reports of home change nothing.
 */
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createForwarder } from '../../durable-objects/tunnel/inbox.ts'
import type { HomeWork } from '../../kernel/features/places/handover-port.ts'
import type { HomeCall } from '../../kernel/features/places/home-port.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { type Body, parseFrame } from '../../kernel/tunnel/frame.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { emptyEdge, owner } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { KEPT_KEY } from './kept-box.ts'
import { askedFor, bring, order, progressIn, standingIn, typingIn } from './telegram.ts'

/** Longest wait on a busy machine. */
const SOON = { timeout: 15_000 }
/** Milliseconds between two progress reports that a chat shows. */
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

/** Why the owner's object shows no progress. */
async function codeOf(work: HomeWork): Promise<string> {
  const shown = await owner().bothLines(OWNER_PRINCIPAL, { do: 'work', work })
  return shown.ok ? 'shown' : shown.reason.code
}

/** Resolves when the edge has acknowledged everything from home. */
async function taken(): Promise<void> {
  while (home.store.waiting().count > 0) {
    const frame = parseFrame(await home.hear())
    if (frame.ok && frame.value.kind === 'ack') home.channel.onAck(frame.value.seq)
    if (frame.ok && frame.value.kind === 'data' && home.channel.onData(frame.value) === 'deliver')
      home.send(home.channel.accepted(frame.value))
  }
}

/** The next body of this type; others before it are acknowledged. */
async function bodyOf<T extends 'kept_said' | 'home_call'>(type: T) {
  for (;;) {
    const frame = parseFrame(await home.hear())
    if (!frame.ok || frame.value.kind !== 'data') continue
    const { body } = frame.value
    if (home.channel.onData(frame.value) === 'deliver') home.send(home.channel.accepted(frame.value))
    if (body.type === type) return body as Extract<Body, { readonly type: T }>
  }
}

describe('progress of a step of the edge’s own task', () => {
  let call: HomeCall
  let before: number
  beforeAll(async () => {
    before = (await standingIn(OWNER_ID)).length
    await bring(update(messageFrom(OWNER_ID, 'when am I free on Friday?')))
    call = (await bodyOf('home_call')).call
  })

  test.each<[string, (call: HomeCall) => HomeWork, string]>([
    ['an unknown task', ({ id }) => ({ on: 'call', id, task: 'nobody' }), 'task_unknown'],
    ['another call', ({ id, task }) => ({ on: 'call', id: `${id}x`, task }), 'task_unknown'],
    ['a task, reported for a message', ({ id }) => ({ on: 'said', id, how: HOW }), 'grant_missing'],
  ])('progress of %s is not shown', async (_what, lie, code) => {
    expect(await codeOf(lie(call))).toBe(code)
    expect(await progressIn(OWNER_ID)).toBeUndefined()
  })

  test('home’s progress is shown in the edge’s words, and its message becomes the answer', async () => {
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

  test('progress reported after the answer is not shown', async () => {
    await apart()
    expect(await codeOf({ on: 'call', id: call.id, task: call.task })).toBe('task_unknown')
    expect(await progressIn(OWNER_ID)).toBeUndefined()
  })
})

describe('progress of a message that home answers', () => {
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

  test('progress is shown step by step, at the chat’s rate, in the message that becomes the answer', async () => {
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

  test('progress reported after home’s answer is not shown', async () => {
    await apart()
    expect(await codeOf({ on: 'said', id: said, how: HOW })).toBe('task_already_answering')
    tell({ on: 'said', id: said, how: HOW })
    await apart()
    expect(await progressIn(OWNER_ID)).toBeUndefined()
  })

  test('progress for an unknown message, or before home’s hello, is dropped at the tunnel', async () => {
    const asked = (await askedFor(OWNER_ID)).length
    tell({ on: 'said', id: 'telegram:nothing', how: HOW })
    tell({ on: 'call', id: 'nothing', task: 'nothing' })
    const [greeted, silent] = [true, false].map((is) => ({ deserializeAttachment: () => ({ greeted: is }) }))
    const known = { askedBy: (id: string) => (id === 'said:s1' ? OWNER_PRINCIPAL : null) }
    const forwarder = createForwarder(env, new Uint8Array(32), known)
    const codes = await Promise.all(
      [
        [greeted, 's2'],
        [silent, 's1'],
      ].map(([socket, id]) => forwarder.work(socket as never, { on: 'said', id: String(id), how: null })),
    )
    expect(codes.map((one) => one.ok || one.reason.code)).toEqual(['task_unknown', 'task_unknown'])
    await apart()
    expect(await askedFor(OWNER_ID)).toHaveLength(asked)
  })

  test('the progress message is deleted when no answer follows', async () => {
    await bring(update(messageFrom(OWNER_ID, 'read the first one')))
    const { id } = (await bodyOf('kept_said')).kept
    tell({ on: 'said', id, how: HOW })
    await expect.poll(() => progressIn(OWNER_ID), SOON).toMatchObject({ text: SHOWN })
    tell({ on: 'rest', id })
    await expect.poll(() => progressIn(OWNER_ID), SOON).toBeUndefined()
  })

  test('no progress is shown after the acknowledgement is revoked', async () => {
    await apart()
    home.put({ type: 'both_lines', template: null })
    await taken()
    expect(await codeOf({ on: 'said', id: said, how: HOW })).toBe('grant_missing')
  })
})
