/**
 * Home's models in the edge's chain, in workerd: TunnelObject's request over a real socket, and who gets the answer (D-03, D-13).
 * Lies of either end: test/models/lent.test.ts.
 */
import { env, exports } from 'cloudflare:workers'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { PROMPT_TEXTS } from '../../durable-objects/principal/texts.ts'
import { MAX_EPHEMERAL, MOST_WAITING_MODELS } from '../../durable-objects/tunnel/ephemeral.ts'
import type { ModelAsk, ModelResponse } from '../../kernel/tunnel/ask.ts'
import { promptOf } from '../models/request.ts'
import { emptyEdge, until } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { signed } from './signed.ts'

const _kernel = () => env.KERNEL.getByName(KERNEL_NAME)
const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)

beforeEach(emptyEdge)
afterAll(emptyEdge)

const { stable, session, history, now, provenance } = promptOf(PROMPT_TEXTS, 'what is up?')
function askOf(id: string, more: Partial<ModelAsk> = {}): Omit<ModelAsk, 'epoch'> {
  return {
    ...{ id, principal: 'principal:owner', model: 'box', purpose: 'synthesize', form: 1 },
    ...{ prompt: { stable, session, history, now }, provenance, maxTokens: 20, timeout: 60_000, ...more },
  }
}

/** A home whose hello was accepted. */
async function greeted(): Promise<HomePeer> {
  const peer = await HomePeer.greet()
  peer.put({ type: 'profile', timezone: 'Europe/Madrid' })
  await peer.next('ack')
  return peer
}

async function asked(peer: HomePeer): Promise<ModelAsk> {
  const { body } = await peer.next('ephemeral')
  if (body.type !== 'model_ask') throw new Error(body.type)
  return body.ask
}

const answer = (peer: HomePeer, { id, epoch }: Pick<ModelAsk, 'id' | 'epoch'>, text: string): void =>
  peer.send({
    kind: 'ephemeral',
    body: {
      type: 'model_told',
      told: { id, epoch, ok: true, text, cut: false, tokens: { input: 3, output: 1 } },
    },
  })
const failed = (code: string) => ({ ok: false, reason: { code } })
const said = (told: unknown): unknown => (told as { value?: ModelResponse & { text?: string } }).value?.text

test('home’s model is in the owner’s chain, is called over the socket, and answers', async () => {
  const peer = await HomePeer.greet()
  const models = [{ name: 'box', window: 8_192 }]
  peer.put({ type: 'self', self: { persona: { name: 'PFAR', style: null }, services: [], models } })
  await peer.next('ack')
  const names = exports.default
    .fetch(await signed('/line/operations/models.names', { body: '{}' }))
    .then((response) => response.json<readonly { model: string; answer: string | null }[]>())
  const ask = await asked(peer)
  expect(ask).toMatchObject({ principal: 'principal:owner', model: 'box', purpose: 'whoami', maxTokens: 20 })
  expect(ask.prompt.stable.startsWith('[pfar:identity-v1]\n')).toBe(true)
  answer(peer, ask, 'PFAR')
  expect(await names).toContainEqual(
    expect.objectContaining({ model: 'home/box', locality: 'home', answer: 'PFAR', passed: true }),
  )
})

test('without a connection the request is refused', async () => {
  expect(await tunnel().askModel(askOf('c1'))).toMatchObject(failed('home_offline'))
})

test('before home’s hello no request is sent', async () => {
  const peer = await HomePeer.connect()
  await peer.next('hello')
  expect(await tunnel().askModel(askOf('c1'))).toMatchObject(failed('home_offline'))
  expect(await peer.silent()).toBe(true)
})

test.each([
  ['home hangs up', (peer: HomePeer) => peer.close()],
  ['a newer connection takes over', async () => void (await HomePeer.greet())],
])('a request ends at once when %s', async (_, end) => {
  const peer = await greeted()
  const told = tunnel().askModel(askOf('c1'))
  await asked(peer)
  await end(peer)
  expect(await told).toMatchObject(failed('home_offline'))
})

test('an answer to another request, or on another connection, ends no request and counts towards the rate limit', async () => {
  const peer = await greeted()
  const told = tunnel().askModel(askOf('c1'))
  const ask = await asked(peer)
  answer(peer, { ...ask, id: 'c2' }, 'for another')
  answer(peer, { ...ask, epoch: ask.epoch + 1 }, 'of another')
  answer(peer, ask, 'mine')
  expect(said(await told)).toBe('mine')
  for (let n = 0; n < MAX_EPHEMERAL; n += 1) answer(peer, ask, 'again')
  expect(await peer.next('refused')).toEqual({ kind: 'refused', code: 'remote_rate_limited' })
})

test('answers to pending requests do not count towards the rate limit', async () => {
  const peer = await greeted()
  for (let n = 0; n < MAX_EPHEMERAL + 5; n += 1) {
    const told = tunnel().askModel(askOf(`c${n}`))
    answer(peer, await asked(peer), `${n}`)
    expect(said(await told)).toBe(`${n}`)
  }
})

test('concurrent requests are limited, and a cancelled one makes room and is reported to home', async () => {
  const peer = await greeted()
  const waiting = Array.from({ length: MOST_WAITING_MODELS }, (_, n) => tunnel().askModel(askOf(`c${n}`)))
  for (const _ of waiting) await asked(peer)
  expect(await tunnel().askModel(askOf('more'))).toMatchObject(failed('model_overloaded'))
  await tunnel().dropModel('c0')
  expect(await peer.next('ephemeral')).toEqual({ kind: 'ephemeral', body: { type: 'model_stop', id: 'c0' } })
  expect(await waiting[0]).toMatchObject(failed('task_stopped'))
  const room = tunnel().askModel(askOf('room'))
  answer(peer, await asked(peer), 'yes')
  expect(said(await room)).toBe('yes')
  peer.close()
  await Promise.all(waiting)
})

test('a prompt that does not fit a frame is refused', async () => {
  const peer = await greeted()
  const large = askOf('c1', { prompt: { stable, session, history, now: 'ß'.repeat(540_000) } })
  expect(await tunnel().askModel(large)).toMatchObject(failed('prompt_too_large'))
  expect(await peer.silent()).toBe(true)
})

test('a home that asks the edge for a model is refused', async () => {
  const peer = await greeted()
  peer.send({ kind: 'ephemeral', body: { type: 'model_ask', ask: { ...askOf('c1'), epoch: 1 } } })
  expect(await peer.next('refused')).toEqual({ kind: 'refused', code: 'frame_malformed' })
})

test('a locked edge sends home no request', async () => {
  const peer = await greeted()
  await tunnel().setLocked(true)
  expect(await tunnel().askModel(askOf('c1'))).toMatchObject(failed('home_offline'))
  await tunnel().setLocked(false)
  await until(
    async () => peer.silent(),
    (silent) => silent,
  )
})
