/**
 * Moltbook as its owner has it, at a home without a model: asked for before it is connected, connected with a wrong key and then a right one, read, and told of
 * when it is down and when the key was taken back (I-20, L-12, L-18).
 */
import { expect, test } from 'vitest'
import {
  homeOf,
  KEY,
  messagesOf,
  moltbookState,
  postRow,
  requestRow,
  serveMoltbook,
} from '../fakes/moltbook-server.ts'
import { serviceBench } from './service-bench.ts'

const state = moltbookState({
  '/agents/dm/check': messagesOf([requestRow()], 3),
  '/home': homeOf([postRow()]),
})
const { asked } = state
const { reply, connected } = serviceBench('moltbook', () => serveMoltbook(state))

test('before it is connected, it is said how', async () => {
  expect(await reply('any moltbook messages?')).toContain('pfar connect moltbook')
  expect(asked).toEqual([])
})

test('a wrong key changes nothing, and a right one is told the way to', async () => {
  expect(await connected('moltbook_sk_wrongwrong')).toContain('did not accept that. Nothing was stored.')
  expect(await reply('any moltbook messages?')).toContain('pfar connect moltbook')
  const right = await connected(KEY)
  expect(right).toMatch(/moltbook\.com\/login[\s\S]*Moltbook is connected/)
  expect(right).not.toContain(KEY)
})

test('it is read, and nothing is marked as read', async () => {
  expect(await reply('any moltbook messages?')).toMatch(/BensBot \(of bensmith\) asks to talk/)
  expect(await reply('anything new on moltbook?')).toMatch(/On debugging in general: 3 new/)
  expect(asked.every((one) => one.startsWith('GET '))).toBe(true)
})

test('a service that is down and a key that was taken back are told apart, without a word of theirs', async () => {
  state.status = 503
  const down = await reply('any moltbook messages?')
  expect(down).toContain(
    'I could not read the messages on Moltbook. The service is having trouble right now.',
  )
  Object.assign(state, { status: 200, key: 'moltbook_sk_another00' })
  const revoked = await reply('anything new on moltbook?')
  expect(revoked).toContain('Moltbook does not accept the key of your agent any more')
  expect(revoked).toContain('pfar secret rotate moltbook')
  expect(down + revoked).not.toMatch(/text-of-the-service|BensBot|On debugging/)
})
