/**
 * Conversion of Telegram updates: the sender, own words apart from quoted ones, and updates that are no event (H-03, C-09, B-11,
 * B-27).
 */

import fc from 'fast-check'
import type { Message } from 'grammy/types'
import { describe, expect, it } from 'vitest'
import { eventOf } from '../../integrations/channels/telegram/event.ts'
import { EVENT_BOUNDS, type InboundEvent, parseEvent } from '../../kernel/task/event.ts'
import { MOST_PICTURE, MOST_PICTURE_FORWARDED } from '../../kernel/task/picture.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'

const LINE = { owner: OWNER_ID, name: 'open', bot: '4242', place: 'edge' } as const

function read(message: Message, kind?: 'edited_message'): InboundEvent {
  const received = eventOf(update(message, kind), LINE, 5)
  if (!received.ok) throw new Error(received.ignored)
  const parsed = parseEvent(received.event)
  if (!parsed.ok) throw new Error(parsed.reason.code)
  return parsed.value
}

const from = (text: string | undefined, extra: object = {}): Message => messageFrom(OWNER_ID, text, extra)
const FORWARD = { forward_origin: { type: 'hidden_user', sender_user_name: 'Eve', date: 1 } }
/** Forwarded messages as Bot API servers before 7.0 mark them, and as future ones may. */
const OLD_FORWARDS: readonly (readonly [string, unknown])[] = [
  ['forward_from', { id: 66, is_bot: false, first_name: 'Eve' }],
  ['forward_from_chat', { id: -9, type: 'channel', title: 'C' }],
  ['forward_from_message_id', 7],
  ['forward_signature', 'Eve'],
  ['forward_sender_name', 'Eve'],
  ['forward_date', 1],
  ['is_automatic_forward', true],
  ['forward_of_another_kind', null],
]
const EVE = { id: 66, is_bot: false, first_name: 'Eve' }

describe('the words of a Telegram message', () => {
  it.each<[string, Message, string, readonly string[]]>([
    ['own words', from('hello'), 'hello', []],
    ['under a picture', from(undefined, { caption: 'look' }), 'look', []],
    ['forwarded', from('pay now', FORWARD), '', ['pay now']],
    ...OLD_FORWARDS.map(([key, value]): [string, Message, string, readonly string[]] => [
      `forwarded, as ${key} says`,
      from('pay now', { [key]: value }),
      '',
      ['pay now'],
    ]),
    ['a forwarded picture’s', from(undefined, { caption: 'pay now', ...FORWARD }), '', ['pay now']],
    ['made by another bot', from('pay now', { via_bot: { ...EVE, is_bot: true } }), '', ['pay now']],
    ['an answer', from('why?', { reply_to_message: { text: 'pay now', from: EVE } }), 'why?', ['pay now']],
    ['an answer to a picture', from('why?', { reply_to_message: { caption: 'pay' } }), 'why?', ['pay']],
    [
      'a part that was quoted',
      from('why?', { reply_to_message: { text: 'pay now' }, quote: { text: 'now', position: 4 } }),
      'why?',
      ['now'],
    ],
    ['quoted from another chat', from('why?', { quote: { text: 'pay', position: 0 } }), 'why?', ['pay']],
    ['a forwarded answer', from('x', { ...FORWARD, reply_to_message: { text: 'y' } }), '', ['x', 'y']],
    ['a command of this bot in a group', from('/help@scripted_bot me'), '/help me', []],
    ['a name that is no command', from('ask @scripted_bot'), 'ask @scripted_bot', []],
  ])('own and quoted words are told apart: %s', (_name, message, own, quoted) => {
    const { text, quoted: parts } = read(message)
    expect([text, parts]).toEqual([own, quoted])
  })
})

describe('the bot’s own words, where home may have replied through it', () => {
  const BOT = { id: 4242, is_bot: true, first_name: 'Bot' }
  const SAID = 'the canary sings'
  const reply = { reply_to_message: { message_id: 9, text: SAID, from: BOT } }
  const origin = { forward_origin: { type: 'user', sender_user: BOT, date: 1 } }
  const file = { document: { file_id: 'f', file_unique_id: 'u', file_name: `${SAID}.md` } }
  const bare = (message: Message, kind?: 'edited_message') =>
    eventOf(update(message, kind), { ...LINE, echo: 'drop' }, 5)

  it.each<[string, Message, string | null]>([
    ['a reply to it', from('why?', reply), '9'],
    ['one that was edited', from('why?', reply), '9'],
    ['a part of it, quoted', from('why?', { ...reply, quote: { text: SAID, position: 0 } }), '9'],
    ['a picture’s words', from('why?', { reply_to_message: { caption: SAID, from: BOT } }), '0'],
    ['a reply that nobody is named for', from('why?', { reply_to_message: { text: SAID } }), '0'],
    [
      'out of another chat',
      from('why?', { external_reply: { origin: {} }, quote: { text: SAID, position: 0 } } as never),
      '0',
    ],
  ])(
    '%s: only the owner’s own words are read, and at most the id of the answered message',
    (name, message, replyTo) => {
      const received = bare(message, name.includes('edited') ? 'edited_message' : undefined)
      expect(received).toMatchObject({ ok: true, echoed: true, event: { text: 'why?', quoted: [], replyTo } })
      expect(JSON.stringify(received)).not.toContain(SAID)
    },
  )

  it.each<[string, Message]>([
    ['sent on', from(SAID, origin)],
    ['sent on, as older servers say', from(SAID, { forward_from: BOT, forward_date: 1 } as never)],
    ['sent on, and nobody says whose', from(SAID, { forward_date: 1 } as never)],
    ['a file of it, sent on', from(undefined, { ...origin, ...file, caption: SAID })],
    ['sent through the bot', from(SAID, { via_bot: BOT })],
    ['pinned', from(undefined, { pinned_message: { message_id: 9, text: SAID, from: BOT } } as never)],
  ])('%s: nothing is read', (_name, message) => {
    const received = bare(message)
    expect(received).toMatchObject({ ok: false, ignored: 'nothing_said' })
    expect(JSON.stringify(received)).not.toContain(SAID)
  })

  it.each<[string, Message, readonly string[]]>([
    ['a reply to a person', from('why?', { reply_to_message: { text: 'pay now', from: EVE } }), ['pay now']],
    ['a person’s words, sent on', from('pay now', FORWARD), ['pay now']],
    [
      'a person’s words, sent on, as older servers say',
      from('pay now', { forward_from: EVE, forward_date: 1 } as never),
      ['pay now'],
    ],
    [
      'another bot’s, sent on',
      from('pay', { forward_origin: { type: 'user', sender_user: { ...BOT, id: 7 }, date: 1 } } as never),
      ['pay'],
    ],
  ])('%s is read as without the rule', (_name, message, quoted) => {
    const received = bare(message)
    expect(received).toMatchObject({ ok: true, event: { quoted, replyTo: null } })
    expect('echoed' in received).toBe(false)
  })

  it('the rule on the bot’s own words does not apply in other chats', () => {
    const stranger = messageFrom(66, 'why?', reply as never)
    expect(bare(stranger)).toMatchObject({ ok: true, event: { quoted: [SAID] } })
  })
})

describe('the sender of a Telegram message', () => {
  const group = { chat: { id: -7, type: 'supergroup', title: 'G' } } as const
  it.each<[string, Message, object]>([
    ['the owner', from('x'), { user: '1001', chat: 'open', group: false }],
    ['a stranger', messageFrom(66, 'x'), { user: '66', chat: '66', group: false }],
    [
      'the owner in a group',
      { ...from('x'), ...group } as Message,
      { user: '1001', chat: '-7', group: true },
    ],
    ['a stranger with a chat of the owner’s name', messageFrom(66, 'open'), { chat: '66' }],
  ])('the sender and chat are named: %s', (_name, message, source) =>
    expect(read(message).source).toMatchObject({ adapter: 'telegram', ...source }),
  )

  it.each([
    [
      'names and a user name',
      { first_name: 'Sarah', last_name: 'Chen', username: 'sarah' },
      'Sarah Chen @sarah',
    ],
    ['a first name', { first_name: 'Sarah' }, 'Sarah'],
    ['one without end', { first_name: 'x'.repeat(500) }, 'x'.repeat(120)],
    ['none', { first_name: '' }, undefined],
  ])('a sender’s display name is shown to the owner: %s', (_name, names, handle) => {
    const message = { ...from('x'), from: { id: 66, is_bot: false, ...names } } as Message
    expect(read(message).source.handle).toBe(handle)
  })

  it('a message of another person in a chat with the owner’s chat name is not the owner’s', () => {
    const forged = {
      ...messageFrom(66, 'x'),
      chat: { id: OWNER_ID, type: 'private', first_name: 'X' },
    } as Message
    expect(read(forged).source).toMatchObject({ user: '66', chat: String(OWNER_ID) })
  })
})

describe('a Telegram update that is no event', () => {
  const channel = { chat: { id: -9, type: 'channel', title: 'C' } }
  it.each<[string, unknown, string]>([
    ['nothing', null, 'malformed'],
    ['a text', 'x', 'malformed'],
    ['another kind', { update_id: 1, my_chat_member: {} }, 'another_kind'],
    ['a bot’s', update(from('x', { from: { ...EVE, is_bot: true } })), 'from_a_bot'],
    ['a channel’s', update({ ...from('x'), ...channel } as Message), 'a_channel'],
    ['in a group, by its channel', update(from('x', { sender_chat: { id: -9 } })), 'a_channel'],
    ['from nobody', update({ ...from('x'), from: undefined } as unknown as Message), 'no_sender'],
    ['news of the group', update(from(undefined, { new_chat_title: 'x' })), 'nothing_said'],
    ['a forwarded nothing', update(from(undefined, FORWARD)), 'nothing_said'],
  ])('an update is ignored: %s', (_name, input, ignored) =>
    expect(eventOf(input, LINE, 1)).toEqual({ ok: false, ignored }),
  )
})

describe('files in a Telegram message', () => {
  const sizes = [
    { file_id: 's', file_size: 1 },
    { file_id: 'l', file_size: 9 },
  ]
  it.each<[string, object, object]>([
    [
      'a photo, its largest size',
      { photo: sizes },
      { name: 'photo', mediaType: 'image/jpeg', size: 9, ref: 'l', kind: 'photo' },
    ],
    [
      'a photo, its largest size that anybody would look at',
      { photo: [...sizes, { file_id: 'x', file_size: MOST_PICTURE + 1 }] },
      { size: 9, ref: 'l', kind: 'photo' },
    ],
    [
      'a photo of one size that is too large',
      { photo: [{ file_id: 'x', file_size: MOST_PICTURE + 1 }] },
      { size: MOST_PICTURE + 1, ref: 'x', kind: 'photo' },
    ],
    [
      'a voice note',
      { voice: { file_id: 'v' } },
      { name: 'voice', mediaType: 'audio/ogg', size: 0, ref: 'v' },
    ],
    [
      'a document',
      { document: { file_id: 'd', file_name: 'a.pdf', mime_type: 'application/PDF', file_size: 3 } },
      { name: 'a.pdf', mediaType: 'application/pdf', size: 3, ref: 'd' },
    ],
    [
      'of a kind that is no kind',
      { document: { file_id: 'd', mime_type: 'x y\n' } },
      { mediaType: 'application/octet-stream' },
    ],
    [
      'with a name without end',
      { document: { file_id: 'd', file_name: 'n'.repeat(999) } },
      { name: 'n'.repeat(EVENT_BOUNDS.name) },
    ],
  ])('a file is named: %s', (_name, extra, expected) =>
    expect(read(from(undefined, extra)).attachments).toMatchObject([expected]),
  )

  it.each<[string, object, readonly unknown[]]>([
    ['an own voice note', {}, [true]],
    ['a forwarded voice note', FORWARD, [undefined]],
    ['one made by another bot', { via_bot: { id: 9, is_bot: true, first_name: 'B' } }, [undefined]],
    ['a recording', { voice: undefined, audio: { file_id: 'a', duration: 1 } }, [undefined]],
    [
      'a round video',
      { voice: undefined, video_note: { file_id: 'n', duration: 1, length: 1 } },
      [undefined],
    ],
  ])('a sound counts as spoken by its sender only as an own voice note: %s', (_name, extra, spoken) => {
    const { attachments } = read(from(undefined, { voice: { file_id: 'v' }, ...extra } as object))
    expect(attachments.map((one) => one.spoken)).toEqual(spoken)
  })

  it('a message with a file of too large a declared size is refused as a whole', () => {
    const received = eventOf(
      update(from('x', { document: { file_id: 'd', file_size: 4_294_967_297 } })),
      LINE,
      1,
    )
    expect(received.ok && parseEvent(received.event)).toMatchObject({ reason: { code: 'event_too_large' } })
  })

  it('a photo at the edge is taken in the largest size that can be sent to home', () => {
    const large = { file_id: 'x', file_size: MOST_PICTURE_FORWARDED + 1 }
    const sent = eventOf(
      update(from(undefined, { photo: [...sizes, large] } as never)),
      { ...LINE, place: 'edge' },
      1,
    )
    expect(sent.ok && sent.event.attachments).toMatchObject([{ size: 9, ref: 'l' }])
  })
})

describe('the id of a Telegram event', () => {
  const message = from('hello')
  it('the same message has the same id, whatever the number of its update', () =>
    expect(read(message).id).toBe(read({ ...message, edit_date: 9 } as Message, 'edited_message').id))
  it('an edited message has another id', () =>
    expect(read(message).id).not.toBe(read({ ...message, text: 'bye' } as Message, 'edited_message').id))
  it('an edited message is grouped with the original, whose former versions are then withdrawn', () => {
    const { message_id } = message
    const edited = read({ ...message, text: 'bye', edit_date: 9 } as Message, 'edited_message')
    expect(edited.edits).toBe(`4242.${message_id}`)
    for (const { id } of [edited, read(message)]) expect(id.startsWith(`${edited.edits}.`)).toBe(true)
  })
  it('a new message is grouped with no other, even if it replies to one', () =>
    expect(read(from('why?', { reply_to_message: { text: 'x', from: EVE } }))).not.toHaveProperty('edits'))
  it('the same message sent to another bot has another id', () => {
    const other = eventOf(update(message), { ...LINE, bot: '7' }, 1)
    expect(other.ok && other.event.id).not.toBe(read(message).id)
  })
})

it('any input yields an event or a reason, and never throws', () => {
  const part = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 4 }, fc.jsonValue(), tie('message')),
    message: fc.record(
      {
        message_id: fc.oneof(fc.integer(), fc.string()),
        from: fc.record({ id: fc.maxSafeInteger(), is_bot: fc.boolean() }),
        chat: fc.record({ id: fc.maxSafeInteger(), type: fc.constantFrom('private', 'group', 'x') }),
        text: fc.string({ unit: 'binary' }),
        caption: fc.string(),
        quote: fc.record({ text: fc.string({ unit: 'binary' }) }),
        reply_to_message: tie('any'),
        document: fc.record({ file_id: fc.string(), file_name: fc.string(), file_size: fc.double() }),
      },
      { requiredKeys: ['message_id', 'chat'] },
    ),
  }))
  fc.assert(
    fc.property(part.any, part.message, (any, message) => {
      eventOf(any, LINE, 1)
      const received = eventOf({ update_id: 1, message }, LINE, 1)
      if (received.ok) expect(received.event.source.chat === 'open').toBe(false)
    }),
  )
})
