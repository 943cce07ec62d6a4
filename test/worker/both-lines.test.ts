/**
 * One bot for both places, at the edge, in real workerd with a scripted Bot API (DESIGN §1): home replies in the owner's chat only
 * with the owner's acknowledgement, nothing of a reply is stored, and nothing of it comes back as a quotation.
 */
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import type { HandoverResult, RemoteMessage } from '../../kernel/features/places/handover-port.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Carried, EphemeralBody } from '../../kernel/tunnel/frame.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { KEEP_PAGE } from '../fakes/worker/parts.ts'
import { dumpStorage } from './dump.ts'
import { emptyEdge, inside, owner, until, waiting } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { KEPT_KEY, openKept } from './kept-box.ts'
import { answersIn, bring, order, standingIn } from './telegram.ts'

const CANARY = 'canary-7d31-sings'
const BOT = { id: Number(BOT_TOKEN.split(':')[0]), is_bot: true, first_name: 'Bot' }

let home: HomePeer
beforeAll(async () => {
  await emptyEdge()
  await order({ chats: [OWNER_ID] })
  home = await HomePeer.greet()
  home.put(KEPT_KEY)
  await home.acked()
})
afterAll(async () => {
  home.close()
  await order({ forget: true })
  await emptyEdge()
})

async function tell(template: string | null): Promise<void> {
  home.put({ type: 'both_lines', template })
  await home.acked()
}

let last = 0
/** The edge's result for a reply of home. */
async function hand(label: string, text = CANARY): Promise<HandoverResult> {
  last += 1
  const handed = { id: `d${last}`, kind: 'answer', label, text } as const
  home.send({ kind: 'ephemeral', body: { type: 'deliver', handed } })
  const { body } = await home.next('ephemeral')
  if (body.type !== 'delivered' || body.told.id !== handed.id) throw new Error(JSON.stringify(body))
  return body.told
}

const chat = async (): Promise<string> => (await standingIn(OWNER_ID)).map(({ text }) => text).join('\n')

/** Everything that the tunnel's object, KernelObject and the owner's object have stored. */
async function rows(): Promise<string> {
  const stubs = [env.TUNNEL.getByName(TUNNEL_NAME), env.KERNEL.getByName(KERNEL_NAME), owner()]
  const dumps = await Promise.all(
    stubs.map((stub) => runInDurableObject(stub as never, (_, { storage }) => dumpStorage(storage))),
  )
  return dumps.join('\n')
}

const tasks = (): Promise<number> =>
  inside(OWNER_PRINCIPAL, ({ storage }) => storage.sql.exec('select 1 from tasks').toArray().length)

/** The owner's message as home opens it. */
async function read(body: Carried): Promise<RemoteMessage> {
  const opened = body.type === 'kept_said' ? await openKept(body.kept) : err('frame_malformed')
  if (!opened.ok) throw new Error(opened.reason.code)
  return opened.value
}

/** Bodies that home has not received yet. */
async function calm(peer: HomePeer): Promise<readonly Carried[]> {
  const bodies: Carried[] = []
  while (!(await peer.silent())) bodies.push((await peer.take()).body)
  return bodies
}

/** The owner sends a message that home answers; returns what home receives. */
async function said(text: string, extra: object = {}) {
  await bring(update(messageFrom(OWNER_ID, text, extra as never)))
  const { body } = await home.take()
  return read(body)
}

describe('before the acknowledgement', () => {
  test.each(['public', 'sensitive'])(
    'without the acknowledgement home cannot reply there, %s or not',
    async (label) => {
      expect(await hand(label)).toMatchObject({ ok: false, reason: 'grant_missing' })
      expect(await chat()).not.toContain(CANARY)
    },
  )

  test('without the acknowledgement the edge answers, and reads what is quoted of the bot', async () => {
    const before = (await standingIn(OWNER_ID)).length
    await bring(
      update(messageFrom(OWNER_ID, 'hello', { reply_to_message: { text: 'seven', from: BOT } } as never)),
    )
    await answersIn(OWNER_ID, before + 1)
    const quoted = await inside(OWNER_PRINCIPAL, ({ storage }) =>
      storage.sql
        .exec('select doc from tasks')
        .toArray()
        .map(({ doc }) => 'quoted' in JSON.parse(String(doc))),
    )
    expect(quoted).toEqual([true])
    expect((await home.take()).body.type).toBe('memory')
  })
})

describe('with the acknowledgement', () => {
  beforeAll(() => tell('owner_private'))

  test('a message of the owner goes to home once, and the edge neither runs nor stores it', async () => {
    const before = await tasks()
    const message = messageFrom(OWNER_ID, 'check my email')
    await bring(update(message))
    // It waits in its sealed box until home acknowledges.
    expect(await rows()).not.toContain('check my email')
    const { body } = await home.take()
    expect(await read(body)).toMatchObject({ text: 'check my email', quoted: [] })
    expect(await bring(update(message))).toEqual({ status: 200 })
    expect([await tasks(), await home.silent()]).toEqual([before, true])
  })

  test.each([
    ['sensitive', { ok: true }],
    ['internal', { ok: true }],
    ['regulated', { ok: false, reason: 'write_down' }],
    ['regulated:health', { ok: false, reason: 'secret_has_no_reader' }],
    ['secret', { ok: false, reason: 'secret_has_no_reader' }],
  ])('a reply of home is sent or refused by its label: %s', async (label, told) => {
    const text = `${CANARY} ${label}.`
    expect(await hand(label, text)).toMatchObject(told)
    expect((await chat()).includes(text)).toBe(told.ok)
  })

  test('a repeated reply with the same id stands there once, and a long one arrives whole', async () => {
    const again = { id: 'same', kind: 'answer', label: 'sensitive', text: `${CANARY} once.` } as const
    for (let time = 0; time < 2; time++) {
      home.send({ kind: 'ephemeral', body: { type: 'deliver', handed: again } })
      expect((await home.next('ephemeral')).body).toMatchObject({ told: { ok: true } })
    }
    expect((await chat()).split(again.text)).toHaveLength(2)
    expect(await hand('sensitive', `${CANARY} `.repeat(400))).toMatchObject({ ok: true })
  })

  test('Telegram’s rate limit on a reply is returned to home, which waits', async () => {
    await order({ refuse: { code: 429, times: 1, after: 3 } })
    expect(await hand('sensitive', 'later')).toMatchObject({
      ...{ ok: false, reason: 'remote_rate_limited', after: 3_000 },
    })
  })

  test.each<[string, object]>([
    ['answered', { reply_to_message: { message_id: 5, text: CANARY, from: BOT } }],
    [
      'quoted',
      {
        reply_to_message: { message_id: 5, text: CANARY, from: BOT },
        quote: { text: CANARY, position: 0 },
      },
    ],
    ['quoted out of another chat', { external_reply: {}, quote: { text: CANARY, position: 0 } }],
  ])('home’s reply is not read back when it is %s', async (_what, extra) => {
    const { text, quoted } = await said('what is that?', extra)
    expect([text, quoted]).toEqual(['what is that?', []])
  })

  test.each<[string, string | undefined, object]>([
    ['sent on', CANARY, { forward_origin: { type: 'user', sender_user: BOT, date: 1 } }],
    ['pinned', undefined, { pinned_message: { message_id: 5, text: CANARY, from: BOT } }],
  ])('a message that only returns home’s reply is ignored: %s', async (_what, text, extra) => {
    const taken = await bring(update(messageFrom(OWNER_ID, text, extra as never)))
    expect([taken.ignored, await home.silent()]).toEqual(['nothing_said', true])
  })

  test('a pasted key stays at the edge, and its message is deleted', async () => {
    const before = await tasks()
    const key = `ghp_${'a1B2c3D4'.repeat(4)}e5F6`
    await bring(update(messageFrom(OWNER_ID, `it is ${key}`)))
    expect(await tasks()).toBe(before + 1)
    // Home receives only the synced turn of the edge.
    const { body } = await home.take()
    expect([body.type, JSON.stringify(body).includes(key)]).toEqual(['memory', false])
  })

  test('an edited message goes to home as an edit; when the edge answers the edit, home gets the edit without its text', async () => {
    const message = messageFrom(OWNER_ID, 'check my email')
    await bring(update(message))
    await home.take()
    await bring(update({ ...message, text: 'check my mail' } as never, 'edited_message'))
    expect(await read((await home.take()).body)).toMatchObject({ text: 'check my mail', version: 'edited' })
    const before = await tasks()
    const key = `ghp_${'c3D4a1B2'.repeat(4)}e5F6`
    const pasted = update({ ...message, text: `it is ${key}` } as never, 'edited_message')
    for (let time = 0; time < 2; time++) await bring(pasted)
    const bodies = [(await home.take()).body, (await home.take()).body]
    const told = bodies.find(({ type }) => type === 'kept_said')
    if (told === undefined) throw new Error(JSON.stringify(bodies))
    expect(await read(told)).toMatchObject({ text: '', quoted: [], version: 'elsewhere' })
    expect([await tasks(), await home.silent()]).toEqual([before + 1, true])
  })

  test('no row contains text of the owner or of home', async () => {
    const held = await rows()
    expect(held).toContain('both-lines')
    expect(held).not.toContain(CANARY)
    expect(held).not.toContain('check my email')
  })
})

describe('a message that the edge took before the acknowledgement', () => {
  beforeAll(() => tell(null))

  test('a message edited after the acknowledgement goes to home, and its card at the edge is withdrawn', async () => {
    const message = messageFrom(OWNER_ID, KEEP_PAGE)
    const stood = new Set((await standingIn(OWNER_ID)).map(({ id }) => id))
    const waited = await waiting()
    await bring(update(message))
    const [card] = await until(
      async () =>
        (await standingIn(OWNER_ID)).filter(({ id, markup }) => markup !== undefined && !stood.has(id)),
      (cards) => cards.length > 0,
    )
    await tell('owner_private')
    await bring(update({ ...message, text: 'check my email' } as never, 'edited_message'))
    const closed = await until(
      async () => (await standingIn(OWNER_ID)).find(({ id }) => id === card?.id),
      (found) => found?.markup === undefined,
    )
    expect(closed?.text).toContain('You edited the message')
    expect(await waiting()).toEqual(waited)
    expect((await calm(home)).filter(({ type }) => type === 'kept_said')).toHaveLength(1)
  })
})

describe('after the acknowledgement is revoked', () => {
  beforeAll(() => tell(null))

  test('after the revocation home cannot reply there', async () => {
    expect(await hand('sensitive', `${CANARY} after.`)).toMatchObject({ ok: false, reason: 'grant_missing' })
    expect(await chat()).not.toContain(`${CANARY} after.`)
  })

  test('after the revocation the edge answers, and home’s earlier replies are still not read back', async () => {
    const before = (await standingIn(OWNER_ID)).length
    await bring(
      update(messageFrom(OWNER_ID, 'hello', { reply_to_message: { text: CANARY, from: BOT } } as never)),
    )
    await answersIn(OWNER_ID, before + 1)
    const quoted = await inside(OWNER_PRINCIPAL, ({ storage }) =>
      storage.sql
        .exec('select doc from tasks order by rowid desc limit 1')
        .toArray()
        .map(({ doc }) => 'quoted' in JSON.parse(String(doc))),
    )
    expect(quoted).toEqual([false])
    expect(await rows()).not.toContain(CANARY)
  })
})

test('a home that sends a body of the edge’s is refused', async () => {
  const body: EphemeralBody = { type: 'delivered', told: { id: 'x', ok: true } }
  home.send({ kind: 'ephemeral', body })
  let heard = ''
  while (!heard.includes('"refused"')) heard = await home.hear()
  expect(heard).toContain('frame_malformed')
})
