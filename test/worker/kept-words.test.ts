/**
 * One bot for both lines while home is away, at the edge, in real workerd with a scripted Bot API (DESIGN §1): what he writes waits in boxes
 * that home alone opens, he is asked once, and each message is answered once, by home or by the edge, or said not to be.
 */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { MOST_KEPT_WORDS } from '../../durable-objects/tunnel-words.ts'
import { HOME_WAIT } from '../../kernel/runtime/home-call.ts'
import { keptUntil } from '../../kernel/runtime/kept-words.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { FrameOf } from '../../kernel/tunnel/frame.ts'
import { KEPT_PURPOSE, type KeptSaid } from '../../kernel/tunnel/kept-said.ts'
import { KEPT_ENDS } from '../../kernel/wording/offline.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { dumpStorage } from './dump.ts'
import { emptyEdge, inside, owner, until } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { KEPT_KEY, openKept } from './kept-box.ts'
import { bring, order, standingIn, tapOn } from './telegram.ts'

const WHILE = keptUntil(0)
const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)

let home: HomePeer
/** Messages that stood in his chat before the test. */
let former = new Set<number>()
beforeEach(async () => {
  await emptyEdge()
  await order({ chats: [OWNER_ID] })
  home = await HomePeer.greet()
  await tell(KEPT_KEY, { type: 'both_lines', template: 'owner_private' })
  former = new Set((await standingIn(OWNER_ID)).map(({ id }) => id))
  await away()
})
afterEach(() => {
  vi.useRealTimers()
  home.close()
})
afterAll(async () => {
  await order({ forget: true })
  await emptyEdge()
})

async function tell(...bodies: readonly Parameters<HomePeer['put']>[0][]): Promise<void> {
  for (const body of bodies) {
    home.put(body)
    home.channel.onAck((await home.acked()).seq)
  }
}

/** Its socket is gone, as the edge sees it. */
async function away(): Promise<void> {
  home.close()
  await until(
    () => runInDurableObject(tunnel(), (_, ctx) => ctx.getWebSockets().length),
    (sockets) => sockets === 0,
  )
}

const back = async (): Promise<HomePeer> => {
  home = await HomePeer.greet(home.store)
  return home
}

const written = (text: string) => update(messageFrom(OWNER_ID, text))
const write = (text: string) => bring(written(text))
const said = async (): Promise<readonly string[]> =>
  (await standingIn(OWNER_ID)).filter(({ id }) => !former.has(id)).map(({ text }) => text)
const cards = async () =>
  (await standingIn(OWNER_ID)).filter(({ id, markup }) => !former.has(id) && markup !== undefined)
const saying = (words: string) => until(said, (texts) => texts.some((text) => text.includes(words)))

/** So much later, by the alarm alone. */
async function later(milliseconds: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
  await runDurableObjectAlarm(owner())
  await settled()
}

/** Nothing more is being driven. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60))

const tasks = (): Promise<readonly string[]> =>
  inside(OWNER_PRINCIPAL, ({ storage }) =>
    storage.sql
      .exec('select doc from tasks')
      .toArray()
      .map(({ doc }) => String(doc)),
  )

async function held(): Promise<string> {
  const stubs = [tunnel(), env.KERNEL.getByName(KERNEL_NAME), owner()]
  const dumps = await Promise.all(
    stubs.map((stub) => runInDurableObject(stub as never, (_, { storage }) => dumpStorage(storage))),
  )
  return dumps.join('\n')
}

/** The next as home takes it, but what it is told of turns at the edge. */
async function other(peer: HomePeer): Promise<FrameOf<'data'>> {
  for (;;) {
    const frame = await peer.take()
    if (frame.body.type !== 'memory') return frame
  }
}

/** The next, which must be one that waited. */
async function kept(peer: HomePeer): Promise<KeptSaid> {
  const { body } = await other(peer)
  if (body.type !== 'kept_said') throw new Error(body.type)
  return body.kept
}

/** What home reads in it; why not, where it cannot. */
async function read(kept: KeptSaid, purpose = KEPT_PURPOSE): Promise<string> {
  if (kept.box === null) return 'empty'
  const opened = await openKept(kept, purpose)
  return opened.ok ? opened.value.text : opened.reason.code
}

const tap = async (label: 'Yes' | 'No'): Promise<void> => {
  const [card] = await cards()
  if (card === undefined) throw new Error('no card')
  await bring(await tapOn(card, label, { user: OWNER_ID }))
  await settled()
}

/** He writes it, and is asked. */
async function asked(text: string): Promise<void> {
  await write(text)
  await settled()
  await later(HOME_WAIT)
  await until(cards, (found) => found.length > 0)
}

describe('within the wait', () => {
  test('what he writes is answered by nobody, and lies there for home alone to read', async () => {
    await write('my canary-88 is private')
    await settled()
    expect([await said(), await tasks()]).toEqual([[], []])
    const rows = await held()
    expect(rows).toContain('kept_said')
    expect(rows).not.toContain('canary-88')
    const one = await kept(await back())
    expect(await read(one)).toBe('my canary-88 is private')
    expect(await read(one, 'pfar/secret-offer/1')).toBe('record_unreadable')
    expect(await read({ ...one, id: 'another' })).toBe('record_unreadable')
  })

  test('home that is back has all of it, in order, each once, also what came twice; he is asked nothing', async () => {
    const first = written('one')
    await bring(first)
    await write('two')
    expect(await bring(first)).toEqual({ status: 200 })
    const peer = await back()
    expect([await read(await kept(peer)), await read(await kept(peer))]).toEqual(['one', 'two'])
    expect(await bring(first)).toEqual({ status: 200 })
    expect(await peer.silent()).toBe(true)
    await later(HOME_WAIT)
    expect([await said(), await tasks()]).toEqual([[], []])
    expect(await held()).not.toContain('both-lines-wait')
  })

  test('what he writes once home is back comes behind it', async () => {
    await write('one')
    await back()
    await write('two')
    expect([await read(await kept(home)), await read(await kept(home))]).toEqual(['one', 'two'])
  })
})

describe('after it', () => {
  test('he is asked once for all that waits, by the alarm, after a restart too', async () => {
    await write('one')
    await settled()
    await later(HOME_WAIT - 1_000)
    expect(await said()).toEqual([])
    await abortAllDurableObjects()
    await later(1_000)
    await until(cards, (found) => found.length > 0)
    await write('two')
    await later(60_000)
    await abortAllDurableObjects()
    await later(60_000)
    expect(await said()).toHaveLength(1)
    expect((await said())[0]).toMatch(/30 more minutes/)
    const peer = await back()
    expect([await read(await kept(peer)), await read(await kept(peer))]).toEqual(['one', 'two'])
  })

  test('no: it waits on, with what comes, and no other card', async () => {
    await asked('one')
    await tap('No')
    await write('two')
    await later(HOME_WAIT * 2)
    expect([(await said()).length, await tasks()]).toEqual([1, []])
    const peer = await back()
    expect([await read(await kept(peer)), await read(await kept(peer))]).toEqual(['one', 'two'])
  })

  test('yes: home never has it, and what he sends is answered here at once, until home is there', async () => {
    await write('check my email')
    await settled()
    await later(HOME_WAIT)
    await until(cards, (found) => found.length > 0)
    await tap('Yes')
    await saying(KEPT_ENDS.here)
    const before = (await said()).length
    await write('when am I free on Friday?')
    await until(said, (texts) => texts.length > before)
    // Home is not waited for there, either.
    expect((await tasks()).map((doc) => JSON.parse(doc).alone)).toEqual([true])
    expect(await cards()).toEqual([])
    const peer = await back()
    expect(await read(await kept(peer))).toBe('empty')
    await tell({ type: 'both_lines', template: 'owner_private' })
    await write('again')
    expect(await read(await kept(peer))).toBe('again')
    // His choice was for that absence alone.
    await away()
    const answered = (await tasks()).length
    await write('once more')
    await settled()
    expect(await tasks()).toHaveLength(answered)
    expect(await read(await kept(await back()))).toBe('once more')
  })

  test('yes, when home was sent it: it stays home’s, and he hears that', async () => {
    await asked('one')
    const peer = await back()
    const frame = await peer.next('data')
    await away()
    await tap('Yes')
    await saying(KEPT_ENDS.sent)
    expect(frame.body.type === 'kept_said' && (await read(frame.body.kept))).toBe('one')
    expect(await read(await kept(await back()))).toBe('one')
  })

  test('home answers after the card: it asks nothing any more', async () => {
    await asked('one')
    const peer = await back()
    const { id } = await kept(peer)
    const handed = { id: 'd1', kind: 'answer', label: 'sensitive', text: 'the answer', said: id } as const
    peer.send({ kind: 'ephemeral', body: { type: 'deliver', handed } })
    await saying('the answer')
    await until(held, (rows) => !rows.includes('both-lines-wait'))
    await tap('Yes')
    expect((await said()).filter((text) => Object.values(KEPT_ENDS).includes(text as never))).toEqual([])
    expect(await tasks()).toEqual([])
  })

  test('in the end he hears that it is not answered, and home never has it; the next is asked about at once', async () => {
    await asked('one')
    await later(WHILE)
    await saying(KEPT_ENDS.late)
    await later(WHILE)
    expect((await said()).filter((text) => text === KEPT_ENDS.late)).toHaveLength(1)
    const shown = (await cards()).length
    await write('two')
    await until(cards, (found) => found.length > shown)
    const peer = await back()
    expect([await read(await kept(peer)), await read(await kept(peer))]).toEqual(['empty', 'two'])
  })

  test('home that comes too late finds it empty, whatever the alarm did', async () => {
    await write('one')
    await settled()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + WHILE + 1_000 })
    expect(await read(await kept(await back()))).toBe('empty')
    await runDurableObjectAlarm(owner())
    await saying(KEPT_ENDS.late)
  })
})

describe('while his yes is carried out', () => {
  const answered = async (): Promise<readonly unknown[]> =>
    (await tasks()).map((doc) => JSON.parse(doc).alone)

  /** It had gone out to a home that is away by now, and he has said yes. */
  async function goneOut(): Promise<void> {
    await back()
    await write('one')
    await settled()
    await away()
    await later(HOME_WAIT)
    await until(cards, (found) => found.length > 0)
    await tap('Yes')
    await saying(KEPT_ENDS.sent)
  }

  test('what he writes before he could be told of it is answered here, and home never has it', async () => {
    await asked('one')
    await order({ refuse: { code: 500, times: 1, method: 'sendMessage' } })
    await tap('Yes')
    expect((await said()).filter((text) => text === KEPT_ENDS.here)).toEqual([])
    await write('when am I free on Friday?')
    await until(answered, (found) => found.length > 0)
    await later(60_000)
    await saying(KEPT_ENDS.here)
    expect([await answered(), await tunnel().keptSaid('waiting')]).toEqual([[true], 0])
    expect(await read(await kept(await back()))).toBe('empty')
  })

  test('of some of it gone out to home he hears which is whose', async () => {
    await back()
    await write('one')
    await settled()
    await away()
    await write('two')
    await later(HOME_WAIT)
    await until(cards, (found) => found.length > 0)
    await tap('Yes')
    await saying(KEPT_ENDS.both)
    const peer = await back()
    expect([await read(await kept(peer)), await read(await kept(peer))]).toEqual(['one', 'empty'])
  })

  test('stop afterwards ends what had gone out, too', async () => {
    await goneOut()
    await write('/stop')
    await saying(KEPT_ENDS.stopped)
    expect(await read(await kept(await back()))).toBe('empty')
  })

  test('a home that comes and goes without taking it is a new absence, and he is asked again', async () => {
    await goneOut()
    const shown = (await cards()).length
    const peer = await back()
    peer.put({ type: 'both_lines', template: 'owner_private' })
    await until(
      () =>
        inside(OWNER_PRINCIPAL, ({ storage }) => storage.kv.get<{ here: boolean }>('both-lines-wait')?.here),
      (here) => here === false,
    )
    await settled()
    expect(await cards()).toHaveLength(shown)
    await away()
    await later(HOME_WAIT)
    await until(cards, (found) => found.length > shown)
  })
})

describe('a home that is believed to be there and has gone', () => {
  /** Nothing of what is sent to it is taken, and its socket says nothing of that. */
  beforeEach(async () => {
    await back()
  })

  test('he is asked after the wait as he would be, and hears that home alone may answer what had gone out', async () => {
    await write('one')
    await settled()
    await later(HOME_WAIT - 1_000)
    expect(await said()).toEqual([])
    await later(1_000)
    await until(cards, (found) => found.length > 0)
    await tap('Yes')
    await saying(KEPT_ENDS.sent)
    await away()
    const before = (await said()).length
    await write('when am I free on Friday?')
    await until(said, (texts) => texts.length > before)
    expect((await tasks()).map((doc) => JSON.parse(doc).alone)).toEqual([true])
    expect(await read(await kept(await back()))).toBe('one')
  })

  test('in the end he hears that it is not answered, and home never has it', async () => {
    await write('one')
    await settled()
    await later(WHILE)
    await saying(KEPT_ENDS.late)
    await away()
    expect(await read(await kept(await back()))).toBe('empty')
  })
})

test('with home there he is asked nothing, of a message written just before the look at the one before it, either', async () => {
  const peer = await back()
  await write('one')
  await settled()
  // Nobody looks from here on until the alarm.
  expect(await read(await kept(peer))).toBe('one')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOME_WAIT - 1_000 })
  await write('two')
  await settled()
  await later(2_000)
  expect(await said()).toEqual([])
  expect(await read(await kept(peer))).toBe('two')
  await later(HOME_WAIT)
  expect(await said()).toEqual([])
  expect(await held()).not.toContain('both-lines-wait')
})

test('where it cannot be asked for home’s key nothing is taken, and what Telegram brings again goes home', async () => {
  const peer = await back()
  const kernel = env.KERNEL.getByName(KERNEL_NAME)
  // Instead of the method, which no other object can call then.
  await runInDurableObject(kernel, (object) => Object.assign(object, { told: null }))
  const message = written('one')
  expect((await bring(message)).status).not.toBe(200)
  await settled()
  expect([await said(), await tasks()]).toEqual([[], []])
  await runInDurableObject(kernel, (object) => void Reflect.deleteProperty(object, 'told'))
  expect(await bring(message)).toEqual({ status: 200 })
  expect(await read(await kept(peer))).toBe('one')
})

test('taken back meanwhile: nothing of it waits on, and he hears that', async () => {
  await write('one')
  const peer = await back()
  await peer.next('data')
  await tell({ type: 'both_lines', template: null })
  await saying(KEPT_ENDS.revoked)
  expect(await held()).not.toContain('both-lines-wait')
})

describe('answered here at once, as nothing is lost', () => {
  test('where home has told no key', async () => {
    await runInDurableObject(env.KERNEL.getByName(KERNEL_NAME), (_, { storage }) =>
      storage.kv.delete('seal-key'),
    )
    await abortAllDurableObjects()
    await write('hello')
    await until(said, (texts) => texts.length > 0)
    expect(await tasks()).toHaveLength(1)
  })

  test('what is one too many', async () => {
    for (let n = 0; n < MOST_KEPT_WORDS; n++) await write(`m${n}`)
    expect(await tasks()).toEqual([])
    await write('hello')
    await until(said, (texts) => texts.length > 0)
    expect(await tasks()).toHaveLength(1)
  })

  test('too long for a box', async () => {
    await write('€'.repeat(20_000))
    await until(said, (texts) => texts.length > 0)
    expect(await tasks()).toHaveLength(1)
  })

  test('what comes as the others are being ended: it is not ended with them', async () => {
    await write('one')
    await settled()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + WHILE + 1_000 })
    await write('hello')
    await saying(KEPT_ENDS.late)
    await until(said, (texts) => texts.length > 1)
    expect(await tasks()).toHaveLength(1)
  })

  test('stop, which ends what waits', async () => {
    await write('one')
    await write('/stop')
    await saying(KEPT_ENDS.stopped)
    expect(await tasks()).toHaveLength(1)
    expect(await read(await kept(await back()))).toBe('empty')
  })
})

test('a locked edge takes nothing, and keeps what waits', async () => {
  await write('one')
  await env.KERNEL.getByName(KERNEL_NAME).setLocked(true)
  expect((await write('two')).status).not.toBe(200)
  expect(
    await tunnel().keepSaid({ id: 'x', key: '0'.repeat(32), at: 1, box: 'b'.repeat(80) }, 1e15, 'always'),
  ).toMatchObject({
    reason: { code: 'edge_locked' },
  })
  await env.KERNEL.getByName(KERNEL_NAME).setLocked(false)
  expect(await read(await kept(await back()))).toBe('one')
})
