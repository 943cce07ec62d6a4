/** A button works in its own chat alone, and cannot be made up (F-02). */
import { describe, expect, it } from 'vitest'
import { buttonData, buttonIdIn } from '../../integrations/channels/runtime/button.ts'
import { tapIn } from '../../integrations/channels/telegram/button.ts'

const KEY = new Uint8Array(32).fill(7)
const ID = '0123456789abcdef'
const HERE = { channel: 'telegram', chat: 7 } as const
const DATA = buttonData(KEY, HERE, ID)

it('fits into what Telegram takes', () =>
  expect(new TextEncoder().encode(DATA).length).toBeLessThanOrEqual(64))

it.each<[string, Uint8Array, number, string, string | null]>([
  ['its own chat', KEY, 7, DATA, ID],
  ['another chat', KEY, 8, DATA, null],
  ['another key', new Uint8Array(32), 7, DATA, null],
  ['another id', KEY, 7, DATA.replace('0', '1'), null],
  ['no proof', KEY, 7, ID, null],
  ['a short proof', KEY, 7, DATA.slice(0, -2), null],
  ['more', KEY, 7, `${DATA}0`, null],
  ['nothing', KEY, 7, '', null],
])('%s', (_name, key, chat, data, id) =>
  expect(buttonIdIn(key, { channel: 'telegram', chat }, data)).toBe(id),
)

it('one of another channel is none here, whatever its chat is called', () =>
  expect(buttonIdIn(KEY, { channel: 'slack', chat: 7 }, DATA)).toBeNull())

it('an id that could say something is none', () =>
  expect(() => buttonData(KEY, HERE, 'approve:a1')).toThrow('no id of a button'))

describe('a tap', () => {
  const query = {
    ...{ id: '1', from: { id: 5, is_bot: false }, data: DATA },
    message: { message_id: 3, chat: { id: 7 } },
  }
  it('is who, where and what', () =>
    expect(tapIn({ update_id: 1, callback_query: query })).toEqual({
      ...{ query: '1', user: 5, chat: 7, message: 3, data: DATA, original: true },
    }))
  it.each([
    ['forward_origin', { type: 'user' }],
    ['forward_date', 1],
    ['forward_sender_name', 'Eve'],
  ])('on a copy is known as one by %s', (key, value) => {
    const copy = { ...query, message: { ...query.message, [key]: value } }
    expect(tapIn({ callback_query: copy })).toMatchObject({ original: false })
  })
  it.each<[string, unknown]>([
    ['a message', { update_id: 1, message: {} }],
    ['one of a game', { callback_query: { ...query, data: undefined } }],
    ['one without its message', { callback_query: { ...query, message: undefined } }],
    ['nothing', null],
  ])('%s is none', (_name, input) => expect(tapIn(input)).toBeNull())
})
