/** Conversion of Slack events: the sender, own words apart from quoted ones, and payloads that are no event (H-05, B-24, C-09, B-27). */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { appOf, isBotToken } from '../../integrations/channels/slack/channel.ts'
import { eventOf, tapIn } from '../../integrations/channels/slack/event.ts'
import { readFrame } from '../../integrations/channels/slack/home-socket.ts'
import { type InboundEvent, parseEvent } from '../../kernel/task/event.ts'
import { SLACK_APP_TOKEN, SLACK_BOT_TOKEN } from '../fakes/slack-server.ts'

const LINE = { app: 'A1', team: 'T1', owner: 'U1', chat: 'D1', name: 'private' }
const TS = '1700000000.000100'

const said = (event: object): object => ({
  ...{ type: 'message', user: 'U1', channel: 'D1', channel_type: 'im', ts: TS, text: 'hello' },
  ...event,
})
const outer = (event: object, over: object = {}): object => ({
  ...{ type: 'event_callback', team_id: 'T1', api_app_id: 'A1', event_id: 'Ev1', event, ...over },
})
const receive = (event: object, over: object = {}) => eventOf(outer(said(event), over), LINE, 5)

function read(event: object, over: object = {}): InboundEvent {
  const received = receive(event, over)
  if (!received.ok) throw new Error(received.ignored)
  const parsed = parseEvent(received.event)
  if (!parsed.ok) throw new Error(parsed.reason.code)
  return parsed.value
}

describe('the sender of a Slack event', () => {
  it('a direct message of the owner to the app is the owner’s', () =>
    expect(read({})).toEqual({
      ...{ id: `A1.D1.${TS}`, at: 5, kind: 'message', text: 'hello', quoted: [], attachments: [] },
      source: { adapter: 'slack', user: 'T1:U1', chat: 'private', group: false },
      ...{ replyTo: null, message: TS, place: 'home' },
    }))

  it.each<[string, object, string, string]>([
    ['another member', { user: 'U2', channel: 'D2' }, 'T1:U2', 'T1:D2'],
    ['another member in the owner’s chat', { user: 'U2' }, 'T1:U2', 'T1:D1'],
    ['the owner in another chat', { channel: 'D2' }, 'T1:U1', 'T1:D2'],
    ['a member of another workspace with the owner’s id', { user_team: 'T2' }, 'T2:U1', 'T1:D1'],
  ])('a message is not the owner’s: %s', (_name, event, user, chat) =>
    expect(read(event).source).toEqual({ adapter: 'slack', user, chat, group: false }),
  )

  it.each<[string, object, object, string]>([
    ['another app', {}, { api_app_id: 'A2' }, 'another_app'],
    ['another workspace', {}, { team_id: 'T2' }, 'another_app'],
    ['a channel', { channel_type: 'channel', channel: 'C1' }, {}, 'a_channel'],
    ['a group of people', { channel_type: 'mpim', channel: 'G1' }, {}, 'a_channel'],
    ['a channel that calls itself direct', { channel: 'C1' }, {}, 'a_channel'],
    ['the bot’s own echo', { bot_id: 'B1' }, {}, 'from_a_bot'],
    ['an app’s words', { app_id: 'A9' }, {}, 'from_a_bot'],
    ['a bot’s message', { subtype: 'bot_message' }, {}, 'another_kind'],
    [
      'one that Slack changed of its own accord',
      { subtype: 'message_changed', message: said({}) },
      {},
      'another_kind',
    ],
    ['one that was deleted', { subtype: 'message_deleted', previous_message: said({}) }, {}, 'another_kind'],
    ['one that nobody sees', { hidden: true }, {}, 'another_kind'],
    ['a subtype of tomorrow', { subtype: 'x' }, {}, 'another_kind'],
    ['a mention', { type: 'app_mention' }, {}, 'another_kind'],
    ['nobody’s', { user: undefined }, {}, 'malformed'],
    ['one without a time', { ts: 'now' }, {}, 'malformed'],
    ['one without words', { text: ' ' }, {}, 'nothing_said'],
    ['no event at all', {}, { type: 'url_verification' }, 'malformed'],
  ])('a payload is ignored: %s', (_name, event, over, ignored) =>
    expect(receive(event, over)).toEqual({ ok: false, ignored }),
  )
})

describe('an edited Slack message', () => {
  const changed = (over: object = {}) => ({
    ...{
      subtype: 'message_changed',
      hidden: true,
      ts: '1732000009.000100',
      text: undefined,
      user: undefined,
    },
    message: {
      type: 'message',
      user: 'U1',
      ts: TS,
      text: 'hello there',
      edited: { user: 'U1', ts: '1732000008.000000' },
    },
    previous_message: { text: 'hello' },
    ...over,
  })

  it('an edited message is another version with an id of its own', () =>
    expect(read(changed())).toMatchObject({
      ...{ id: `A1.D1.${TS}.1732000008.000000`, edits: `A1.D1.${TS}`, text: 'hello there', message: TS },
      source: { user: 'T1:U1', chat: 'private' },
    }))

  it.each([
    ['that says the same', { previous_message: { text: 'hello there' } }],
    ['by somebody else', { message: { user: 'U1', ts: TS, text: 'x', edited: { user: 'U2', ts: '1.1' } } }],
    ['in a channel', { channel_type: 'channel', channel: 'C1' }],
  ])('an edit is ignored: one %s', (_, over) => expect(receive(changed(over)).ok).toBe(false))
})

describe('the words of a Slack message', () => {
  it.each<[string, object, string, readonly string[]]>([
    ['own words', {}, 'hello', []],
    ['in a thread', { thread_ts: '1.2' }, 'hello', []],
    ['told to the chat, too', { subtype: 'thread_broadcast', thread_ts: '1.2' }, 'hello', []],
    ['escaped', { text: 'a &lt;b&gt; &amp;amp; c' }, 'a <b> &amp; c', []],
    [
      'an address',
      { text: 'see <https://a.example.com/?x=1&amp;y=2|a.example.com>' },
      'see https://a.example.com/?x=1&y=2',
      [],
    ],
    ['a mail address', { text: 'write <mailto:a@example.com|a@example.com>' }, 'write a@example.com', []],
    ['a person and a channel', { text: '<@U2> <#C1|general> <!here>' }, '@U2 #C1 !here', []],
    [
      'quoted lines',
      { text: 'why?\n&gt; pay now\n&gt;&gt; at once\nreally' },
      'why?\nreally',
      ['pay now\nat once'],
    ],
    [
      'all that follows three marks',
      { text: 'why?\n&gt;&gt;&gt; pay now\nand delete all' },
      'why?',
      ['pay now\nand delete all'],
    ],
    [
      'a message that was sent on',
      { text: 'why?', attachments: [{ text: 'pay &lt;now&gt;', is_share: true }] },
      'why?',
      ['pay <now>'],
    ],
    ['one that has only a summary', { text: '', attachments: [{ fallback: 'pay now' }] }, '', ['pay now']],
  ])('own and quoted words are told apart: %s', (_name, event, own, quoted) => {
    const { text, quoted: parts } = read(event)
    expect([text, parts]).toEqual([own, quoted])
  })

  it('a reply in a thread names the thread’s first message, and the first message names none', () =>
    expect([read({ thread_ts: '1.2' }).replyTo, read({ thread_ts: TS }).replyTo]).toEqual(['1.2', null]))
})

it.each<[string, object, object]>([
  [
    'a text',
    { id: 'F1', name: 'a.txt', mimetype: 'text/plain', size: 3 },
    { kind: 'document', name: 'a.txt', mediaType: 'text/plain', size: 3, ref: 'F1' },
  ],
  [
    'a picture',
    { id: 'F1', name: 'a.png', mimetype: 'image/png', size: 3 },
    { kind: 'photo', mediaType: 'image/png' },
  ],
  [
    'one that says nothing',
    {},
    { kind: 'document', name: 'file', mediaType: 'application/octet-stream', size: 0, ref: 'file' },
  ],
  ['one that lies', { size: -1, mimetype: 'x', name: null }, { kind: 'document', name: 'file', size: 0 }],
])('an attachment of %s is named and not fetched', (_name, file, attachment) => {
  const { text, attachments } = read({ subtype: 'file_share', text: '', files: [file] })
  expect([text, attachments]).toEqual(['', [expect.objectContaining(attachment)]])
})

it('any input yields an event or a reason, and never throws', () => {
  const any = fc.record({ type: fc.constant('message'), user: fc.constant('U1'), channel: fc.constant('D1') })
  fc.assert(
    fc.property(fc.anything(), fc.string(), any, fc.anything(), (junk, text, base, more) => {
      expect(eventOf(junk, LINE, 1).ok).toBe(false)
      const event = { ...said(base), text, files: more, attachments: more }
      const received = eventOf(outer(event), LINE, 1)
      if (received.ok) expect(parseEvent(received.event).ok).toBe(true)
    }),
  )
})

describe('a tap in Slack', () => {
  const payload = {
    ...{ type: 'block_actions', api_app_id: 'A1', team: { id: 'T1' }, user: { id: 'U1', team_id: 'T1' } },
    container: { type: 'message', message_ts: TS, channel_id: 'D1' },
    actions: [{ type: 'button', action_id: 'x'.repeat(41) }],
    response_url: 'https://hooks.slack.com/actions/secret',
  }
  it('a tap names user, chat, message and button, and nothing with which to reply as the app', () =>
    expect(tapIn(payload)).toEqual({
      ...{ app: 'A1', team: 'T1', user: 'U1', channel: 'D1', message: TS, data: 'x'.repeat(41) },
    }))
  it('a tap by a member of another workspace names that workspace', () =>
    expect(tapIn({ ...payload, user: { id: 'U1', team_id: 'T2' } })).toMatchObject({ team: 'T2' }))
  it.each<[string, object]>([
    ['a form', { type: 'view_submission' }],
    ['one on no message', { container: { type: 'view' } }],
    ['one of no action', { actions: [] }],
    ['a choice', { actions: [{ type: 'static_select', action_id: 'x' }] }],
    ['a name that is too long', { actions: [{ type: 'button', action_id: 'x'.repeat(256) }] }],
  ])('a payload is no tap: %s', (_name, over) => expect(tapIn({ ...payload, ...over })).toBeNull())
})

it.each<[string, string, object | null]>([
  ['hello', '{"type":"hello","num_connections":1}', { kind: 'hello' }],
  ['a refresh', '{"type":"disconnect","reason":"refresh_requested"}', { kind: 'disconnect', isFinal: false }],
  ['a warning', '{"type":"disconnect","reason":"warning"}', { kind: 'disconnect', isFinal: false }],
  ['the end', '{"type":"disconnect","reason":"link_disabled"}', { kind: 'disconnect', isFinal: true }],
  [
    'an envelope',
    '{"type":"events_api","envelope_id":"e","payload":1}',
    { kind: 'envelope', id: 'e', of: 'events_api', payload: 1 },
  ],
  ['one without an id', '{"type":"events_api"}', null],
  ['one whose id is too long', `{"type":"x","envelope_id":"${'e'.repeat(201)}"}`, null],
  ['no JSON', '{', null],
  ['a list', '[]', null],
])('a Socket Mode frame is parsed or refused: %s', (_name, text, frame) =>
  expect(readFrame(text)).toEqual(frame),
)

it.each<[string, string, string | null, boolean]>([
  ['the app’s own', SLACK_APP_TOKEN, 'A0SCRIPTED', false],
  ['its bot’s', SLACK_BOT_TOKEN, null, true],
  ['a person’s', SLACK_BOT_TOKEN.replace('xoxb', 'xoxp'), null, false],
  ['one with a space', `${SLACK_BOT_TOKEN} `, null, false],
  ['nothing', '', null, false],
])('a token is recognised or refused: %s', (_name, token, app, isBot) =>
  expect([appOf(token), isBotToken(token)]).toEqual([app, isBot]),
)
