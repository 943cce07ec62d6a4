/**
 * Malformed and hostile updates, through the webhook's route in real workerd (H-03, B-08, B-11, B-24, C-09, F-02): none is answered
 * twice, none makes anybody the owner, and each gets a 200, since Telegram would otherwise deliver it again and block later ones.
 */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import type { Message } from 'grammy/types'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { KERNEL_NAME } from '../../durable-objects/names.ts'
import { MAX_UPDATE_BYTES } from '../../integrations/channels/telegram/edge-route.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { MAX_AUTH_FAILURES } from '../../worker/auth-failures.ts'
import { fresh, messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { inside, owner } from './edge.ts'
import { EDGE } from './signed.ts'
import { answersIn, bring, bringTo, order, standingIn, webhookRequest } from './telegram.ts'

const SILENT = { TELEGRAM: JSON.stringify({ owner: OWNER_ID, api: inject('telegram') }) }

beforeAll(() => order({ chats: [OWNER_ID] }))
// Other files share these objects, and would find messages from the future.
afterAll(async () => {
  vi.useRealTimers()
  await order({ forget: true })
  for (const object of [env.KERNEL.getByName(KERNEL_NAME), owner()])
    await runInDurableObject(object, async (_, { storage }) => {
      await storage.deleteAlarm()
      await storage.deleteAll()
    })
  await abortAllDurableObjects()
})
// An isolate reports at a rate per minute: each test has a minute of its own.
let minutes = 0
beforeEach(() => {
  vi.useRealTimers()
  minutes += 2
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
})

const ownTasks = () =>
  inside(OWNER_PRINCIPAL, ({ storage }) => {
    const hasTasks =
      storage.sql.exec("select name from sqlite_master where name = 'tasks'").toArray().length > 0
    return hasTasks ? storage.sql.exec<{ n: number }>('select count(*) as n from tasks').one().n : 0
  })

const denials = () =>
  runInDurableObject(env.KERNEL.getByName(KERNEL_NAME), (_, { storage }) => {
    const hasAudit =
      storage.sql.exec("select name from sqlite_master where name = 'audit'").toArray().length > 0
    const rows = hasAudit
      ? storage.sql.exec<{ facts: string }>('select facts from audit order by seq').toArray()
      : []
    return rows.map(({ facts }) => JSON.parse(facts) as { readonly of?: string; readonly code?: string })
  })

const text = (message: object): string => JSON.stringify({ update_id: fresh(), message })
/** A message of the owner, with changes. */
const like = (over: object): object => ({ ...messageFrom(OWNER_ID, 'hello'), ...over })
/** A message of the owner without one part. */
const without = (part: keyof Message): object => {
  const { [part]: _, ...rest } = messageFrom(OWNER_ID, 'hello')
  return rest
}
const OWNER = { id: OWNER_ID, is_bot: false, first_name: 'X' }
const CHAT = JSON.stringify({ id: OWNER_ID, type: 'private' })
const FROM = JSON.stringify(OWNER)
const DEEP = 100_000
const nested = (n: number): string => `${'{"reply_to_message":'.repeat(n)}{}${'}'.repeat(n)}`

const ODD: readonly (readonly [string, string, string])[] = [
  ['nothing', '', 'event_malformed'],
  ['no JSON', '{"update_id":', 'event_malformed'],
  ['bytes that are no text', '\u0000\uffff', 'event_malformed'],
  ['null', 'null', 'event_malformed'],
  ['a number', '7', 'event_malformed'],
  ['a list of updates', `[${text(like({}))}]`, 'event_malformed'],
  ['brackets without end', '['.repeat(DEEP), 'event_malformed'],
  ['brackets with an end', `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`, 'event_malformed'],
  [
    'a part nobody knows, as deep as it gets',
    `{"update_id":1,"x":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`,
    'another_kind',
  ],
  ['more bytes than any update', `{"update_id":1,"x":"${'x'.repeat(MAX_UPDATE_BYTES)}"}`, 'event_too_large'],
  ['no number', JSON.stringify({ message: like({}) }), 'event_malformed'],
  ['a number that is a text', JSON.stringify({ update_id: '1', message: like({}) }), 'event_malformed'],
  ['a broken number', JSON.stringify({ update_id: 1.5, message: like({}) }), 'event_malformed'],
  ['a message that is a text', JSON.stringify({ update_id: 1, message: 'hello' }), 'event_malformed'],
  ['a message that is a list', JSON.stringify({ update_id: 1, message: [like({})] }), 'event_malformed'],
  ['a message that is null', JSON.stringify({ update_id: 1, message: null }), 'event_malformed'],
  ['words that are a number', text(like({ text: 7 })), 'event_malformed'],
  ['words that are a list', text(like({ text: ['hello'] })), 'event_malformed'],
  ['words that are an object', text(like({ text: { toString: 'hello' } })), 'event_malformed'],
  ['no words', text(without('text')), 'nothing_said'],
  ['words of white space', text(like({ text: ' \n ' })), 'nothing_said'],
  ['no chat', text(without('chat')), 'event_malformed'],
  ['a chat of no known kind', text(like({ chat: { id: OWNER_ID, type: 'owner' } })), 'event_malformed'],
  [
    'a chat with a text for a number',
    text(like({ chat: { id: String(OWNER_ID), type: 'private' } })),
    'event_malformed',
  ],
  ['no sender', text(without('from')), 'no_sender'],
  [
    'a sender with a text for a number',
    text(like({ from: { ...OWNER, id: String(OWNER_ID) } })),
    'event_malformed',
  ],
  [
    'a sender with a list for a number',
    text(like({ from: { ...OWNER, id: [OWNER_ID] } })),
    'event_malformed',
  ],
  ['a sender with a number beyond all', text(like({ from: { ...OWNER, id: 2 ** 60 } })), 'event_malformed'],
  ['a sender who may be a bot', text(like({ from: { ...OWNER, is_bot: 'no' } })), 'event_malformed'],
  ['a sender who is a bot', text(like({ from: { ...OWNER, is_bot: true } })), 'from_a_bot'],
  [
    'an anonymous admin of a group',
    text(
      like({
        chat: { id: -5, type: 'supergroup', title: 'G' },
        from: { id: 1_087_968_824, is_bot: true, first_name: 'Group' },
        sender_chat: { id: -5, type: 'supergroup', title: 'G' },
      }),
    ),
    'a_channel',
  ],
  [
    'somebody behind a channel’s name',
    text(like({ sender_chat: { id: -6, type: 'channel', title: 'C' } })),
    'a_channel',
  ],
  ['a message in a channel', text(like({ chat: { id: -6, type: 'channel', title: 'C' } })), 'a_channel'],
  ['a post of a channel', JSON.stringify({ update_id: 1, channel_post: like({}) }), 'another_kind'],
  ['a message to a business', JSON.stringify({ update_id: 1, business_message: like({}) }), 'another_kind'],
  ['a kind of tomorrow', JSON.stringify({ update_id: 1, telepathy: like({}) }), 'another_kind'],
  ['the bot’s place in a group', JSON.stringify({ update_id: 1, my_chat_member: like({}) }), 'another_kind'],
  [
    'a sender by the prototype',
    `{"update_id":1,"message":{"message_id":1,"chat":${CHAT},"text":"hello","__proto__":{"from":${FROM}}}}`,
    'no_sender',
  ],
  [
    'a message by the prototype',
    `{"update_id":1,"__proto__":{"message":{"message_id":1,"chat":${CHAT},"from":${FROM},"text":"hello"}}}`,
    'another_kind',
  ],
  [
    'a constructor',
    `{"update_id":1,"constructor":{"prototype":{"message":${JSON.stringify(like({}))}}}}`,
    'another_kind',
  ],
  [
    'a tap without data',
    JSON.stringify({ update_id: 1, callback_query: { id: '1', from: OWNER } }),
    'another_kind',
  ],
  [
    'a tap with too much data',
    JSON.stringify({
      update_id: 1,
      callback_query: { id: '1', from: OWNER, data: 'x'.repeat(65), message: like({}) },
    }),
    'another_kind',
  ],
]

describe('updates that are accepted and ignored', () => {
  // One line stands for an hour of its kind: each test begins another hour.
  beforeEach(() =>
    runInDurableObject(env.KERNEL.getByName(KERNEL_NAME), (_, { storage }) => {
      for (const [key] of [...storage.kv.list({ prefix: 'denials:' })]) storage.kv.delete(key)
    }),
  )
  test.each(ODD)('an update is ignored: %s', async (_name, body, ignored) => {
    const [tasks, standing] = [await ownTasks(), (await standingIn(OWNER_ID)).length]
    const known = (await denials()).length
    const response = await exports.default.fetch(webhookRequest(body))
    expect([response.status, await response.json()]).toEqual([200, { ok: true, ignored }])
    expect([await ownTasks(), (await standingIn(OWNER_ID)).length]).toEqual([tasks, standing])
    // An update that no messenger sends is audited; an ordinary one that is ignored is not.
    const noted = ignored.startsWith('event_') ? [{ of: 'channel', code: ignored }] : []
    expect((await denials()).slice(known)).toMatchObject(noted)
  })

  test('a flood of malformed updates neither fills the audit nor hides unsigned requests to the tunnel', async () => {
    const known = (await denials()).length
    for (let n = 0; n < 3 * MAX_AUTH_FAILURES; n += 1) await exports.default.fetch(webhookRequest('x'))
    expect((await denials()).length - known).toBe(1)
    const knock = new Request(`${EDGE}/tunnel`, { headers: { upgrade: 'websocket' } })
    expect((await exports.default.fetch(knock)).status).toBe(401)
    expect((await denials()).at(-1)).toMatchObject({ of: 'knock', code: 'signature_invalid' })
  })
})

describe('updates of other people', () => {
  const eve = { id: 66, is_bot: false, first_name: 'Owner', username: 'owner' }
  const group = { id: -77, type: 'group', title: String(OWNER_ID) }
  test.each<[string, object, string?]>([
    ['by a name', { from: eve, chat: { id: 66, type: 'private' } }],
    ['by own words', { from: eve, chat: { id: 66, type: 'private' }, text: 'I am the owner' }],
    ['in the owner’s chat', { from: eve }],
    [
      'with the owner’s message',
      { from: eve, chat: { id: 66, type: 'private' }, forward_origin: { type: 'user', sender_user: OWNER } },
    ],
    ['who answers the owner', { from: eve, chat: { id: 66, type: 'private' }, reply_to_message: like({}) }],
    ['in a group', { from: eve, chat: group }],
    ['is the owner, in a group', { chat: group }],
    ['is the owner, in a group with the owner’s number', { chat: { ...group, id: -OWNER_ID } }],
    ['is the owner, in another chat', { chat: { id: 66, type: 'private' } }, 'sink_not_of_task'],
  ])('%s is not the owner, and gets no answer', async (_name, over, ignored = 'principal_not_allowed') => {
    const tasks = await ownTasks()
    expect(await bringTo(SILENT, JSON.parse(text(like(over))))).toEqual({ status: 200, ignored })
    expect(await ownTasks()).toBe(tasks)
  })
})

test('a group where strangers may ask is a principal of its own, whoever writes in it (B-11)', async () => {
  const chat = { id: -fresh(), type: 'group', title: 'G' }
  await order({ chats: [chat.id] })
  const tasks = await ownTasks()
  // Another file's flood may have used up this minute's limit for all strangers.
  const free = { limit: async () => ({ success: true }) }
  const asked = JSON.parse(text(like({ chat, text: 'is there a free slot tomorrow?' })))
  expect(await bringTo({ STRANGER_RATE: free, STRANGERS_RATE: free }, asked)).toEqual({ status: 200 })
  const [answer] = await answersIn(chat.id, 1)
  expect(answer?.text).toMatch(/private/)
  const of = await inside(`principal:telegram:group:${chat.id}`, ({ storage }) =>
    storage.sql.exec<{ doc: string }>('select doc from tasks').toArray(),
  )
  expect(of.map(({ doc }) => JSON.parse(doc).template)).toEqual(['scheduling'])
  expect(await ownTasks()).toBe(tasks)
})

describe('updates of the owner', () => {
  const answers = async (bodies: readonly object[], count: number): Promise<readonly string[]> => {
    const before = (await standingIn(OWNER_ID)).length
    for (const body of bodies) expect((await bring(body as never)).status).toBe(200)
    await bring(update(messageFrom(OWNER_ID, 'hello')))
    const found = await answersIn(OWNER_ID, before + count + 1)
    expect(found).toHaveLength(before + count + 1)
    return found.slice(before).map((one) => one.text)
  }
  const words = (over: object = {}): object => ({
    update_id: fresh(),
    message: like({ message_id: fresh(), ...over }),
  })

  test.each<[string, () => readonly object[], number]>([
    ['says it once, and it comes three times', () => new Array(3).fill(words()), 1],
    [
      'says it with parts of every kind',
      () => [{ ...words(), poll: { id: '1' }, channel_post: like({}) }],
      1,
    ],
    ['says and edits in one update', () => [{ ...words(), edited_message: like({ text: 'help' }) }], 1],
    [
      'answers a message that answers a message, five hundred times',
      () => [words({ ...JSON.parse(nested(500)) })],
      1,
    ],
    ['writes letters that are half of one', () => [words({ text: 'hello \ud800 there' })], 1],
    ['writes what ends a text elsewhere', () => [words({ text: 'hello \u0000 there' })], 1],
    ['has a name that is a page', () => [words({ from: { ...OWNER, first_name: 'x'.repeat(10_000) } })], 1],
    ['writes more than anybody can', () => [words({ text: 'x'.repeat(100_000) })], 1],
  ])(
    'when the owner %s the number of answers is right, and the next message is answered',
    async (_name, bodies, count) => {
      expect(await answers(bodies(), count)).toHaveLength(count + 1)
    },
  )

  test('an answered message that is edited, twice and back, gets one answer for each version, in order', async () => {
    const id = fresh()
    const version = (said: string, kind: 'message' | 'edited_message') => ({
      update_id: fresh(),
      [kind]: like({ message_id: id, text: said }),
    })
    const help = version('help', 'edited_message')
    const [hello] = await answers([version('hello', 'message')], 1)
    // Back to text that was answered already: no further answer.
    const [edited] = await answers([help, help, version('hello', 'edited_message')], 1)
    expect([hello, edited].map((said) => said?.includes('[request] help'))).toEqual([false, true])
  })
})
