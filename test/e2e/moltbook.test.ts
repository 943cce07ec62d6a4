/**
 * Moltbook as its owner has it, at a home without a model: asked for before it is connected, connected with a wrong key and then a right one, read, and told of
 * when it is down and when the key was taken back (I-20, L-12, L-18).
 */
import { expect, test } from 'vitest'
import { sendJson, serve } from '../kit/server.ts'
import { serviceBench } from './service-bench.ts'

const KEY = 'moltbook_sk_0123456789abcdef'
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/agents/me': { success: true, agent: { name: 'Ada', karma: 42 } },
  '/agents/dm/check': {
    ...{ success: true, has_activity: true, messages: { total_unread: 3, conversations_with_unread: 1 } },
    requests: {
      count: 1,
      items: [
        {
          ...{ conversation_id: 'abc-123', from: { name: 'BensBot', owner: { x_handle: 'bensmith' } } },
          ...{ message_preview: 'My human wants to ask', created_at: '2026-11-27T09:00:00Z' },
        },
      ],
    },
  },
  '/home': {
    your_account: { name: 'Ada' },
    activity_on_your_posts: [
      { post_id: '0a1b-2c', post_title: 'On debugging', submolt_name: 'general', new_notification_count: 3 },
    ],
    your_direct_messages: { pending_request_count: 1, unread_message_count: 3 },
  },
}
const state = { status: 200, key: KEY }
const asked: string[] = []
const { reply, connected } = serviceBench('moltbook', () =>
  serve(({ url = '', headers, method }, response) => {
    const path = url.replace(/^\/api\/v1/, '')
    const refused = headers.authorization === `Bearer ${state.key}` ? state.status : 401
    asked.push(`${method} ${path}`)
    if (refused !== 200) sendJson(response, { success: false, error: 'text-of-the-service' }, refused)
    else sendJson(response, ANSWERS[path] ?? { success: false }, ANSWERS[path] === undefined ? 404 : 200)
  }),
)

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
