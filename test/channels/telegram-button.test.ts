/** A button works only in its own chat, and cannot be forged (F-02). */
import { describe, expect, it } from 'vitest'
import { buttonData, buttonIdIn } from '../../integrations/channels/runtime/cards.ts'
import { tapIn } from '../../integrations/channels/telegram/update.ts'

const KEY = new Uint8Array(32).fill(7)
const ID = '0123456789abcdef'
const HERE = { channel: 'telegram', chat: 7 } as const
const DATA = buttonData(KEY, HERE, ID)

it('a button’s data fits Telegram’s limit', () =>
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
])('a button’s data counts in its own chat only: %s', (_name, key, chat, data, id) =>
  expect(buttonIdIn(key, { channel: 'telegram', chat }, data)).toBe(id),
)

it('a button of another channel is refused, even with the same chat id', () =>
  expect(buttonIdIn(KEY, { channel: 'slack', chat: 7 }, DATA)).toBeNull())

it('making a button with an id of another form throws', () =>
  expect(() => buttonData(KEY, HERE, 'approve:a1')).toThrow('no id of a button'))

describe('a tap in Telegram', () => {
  const query = {
    ...{ id: '1', from: { id: 5, is_bot: false }, data: DATA },
    message: { message_id: 3, chat: { id: 7 } },
  }
  it('a tap names user, chat, message and button', () =>
    expect(tapIn({ update_id: 1, callback_query: query })).toEqual({
      ...{ query: '1', user: 5, chat: 7, message: 3, data: DATA, original: true },
    }))
  it.each([
    ['forward_origin', { type: 'user' }],
    ['forward_date', 1],
    ['forward_sender_name', 'Eve'],
  ])('a tap on a copy of the card is recognised by %s', (key, value) => {
    const copy = { ...query, message: { ...query.message, [key]: value } }
    expect(tapIn({ callback_query: copy })).toMatchObject({ original: false })
  })
  it.each<[string, unknown]>([
    ['a message', { update_id: 1, message: {} }],
    ['one of a game', { callback_query: { ...query, data: undefined } }],
    ['one without its message', { callback_query: { ...query, message: undefined } }],
    ['nothing', null],
  ])('an update is no tap: %s', (_name, input) => expect(tapIn(input)).toBeNull())
})
