/**
 * One bot for both places while home is away, at the edge, in real workerd with a scripted Bot API (DESIGN §1): the owner's
 * messages wait in boxes that only home opens, the owner is asked once, and each message is answered once, by home or the edge, or
 * reported as unanswered.
 */
import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { KERNEL_NAME, TUNNEL_NAME } from '../../durable-objects/names.ts'
import { MOST_QUEUED_MESSAGES } from '../../durable-objects/tunnel/owner-messages.ts'
import { queueEndsAt } from '../../kernel/features/memory/queued-messages.ts'
import { HOME_WAIT } from '../../kernel/features/places/home-call.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { FrameOf } from '../../kernel/tunnel/frame.ts'
import { QUEUE_PURPOSE, type QueuedMessage } from '../../kernel/tunnel/queued-message.ts'
import { tell as sentence } from '../../kernel/wording/words.ts'
import { messageFrom, OWNER_ID, update } from '../fakes/telegram-updates.ts'
import { dumpStorage } from './dump.ts'
import { emptyEdge, inside, owner, until } from './edge.ts'
import { HomePeer } from './home-peer.ts'
import { KEPT_KEY, openKept } from './kept-box.ts'
import { bring, order, standingIn, tapOn } from './telegram.ts'

const KEPT_ENDS = {
  here: sentence('memory.kept_here'),
  home: sentence('memory.kept_home'),
  sent: sentence('memory.kept_sent'),
  both: sentence('memory.kept_both'),
  late: sentence('memory.kept_late'),
  stopped: sentence('memory.kept_stopped'),
  revoked: sentence('memory.kept_revoked'),
}

const WHILE = queueEndsAt(0)
const tunnel = () => env.TUNNEL.getByName(TUNNEL_NAME)

let home: HomePeer
/** Messages in the owner's chat from before the test. */
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

/** Closes home's socket, and waits until the edge has noticed. */
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

/** Advances the clock, and runs only the alarm. */
async function later(milliseconds: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })
  await runDurableObjectAlarm(owner())
  await settled()
}

/** Waits until nothing is being driven. */
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

/** The next body that home takes, other than synced turns. */
async function other(peer: HomePeer): Promise<FrameOf<'data'>> {
  for (;;) {
    const frame = await peer.take()
    if (frame.body.type !== 'memory') return frame
  }
}

/** The next body, which must be a waiting message. */
async function kept(peer: HomePeer): Promise<QueuedMessage> {
  const { body } = await other(peer)
  if (body.type !== 'kept_said') throw new Error(body.type)
  return body.kept
}

/** The text that home opens; the reason if it cannot. */
async function read(kept: QueuedMessage, purpose = QUEUE_PURPOSE): Promise<string> {
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

/** The owner writes, and is asked. */
async function asked(text: string): Promise<void> {
  await write(text)
  await settled()
  await later(HOME_WAIT)
  await until(cards, (found) => found.length > 0)
}

describe('while home is away, before the question', () => {
  test('a message is answered by nobody, and waits for home only to read', async () => {
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

  test('a returning home gets all messages in order, each once, and the owner is not asked', async () => {
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

  test('a message written after home’s return arrives after the waiting ones', async () => {
    await write('one')
    await back()
    await write('two')
    expect([await read(await kept(home)), await read(await kept(home))]).toEqual(['one', 'two'])
  })
})

describe('while home is away, after the question', () => {
  test('the owner is asked once for all waiting messages, by the alarm, also after a restart', async () => {
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

  test('after "no" the messages keep waiting, with new ones, without another question', async () => {
    await asked('one')
    await tap('No')
    await write('two')
    await later(HOME_WAIT * 2)
    expect([(await said()).length, await tasks()]).toEqual([1, []])
    const peer = await back()
    expect([await read(await kept(peer)), await read(await kept(peer))]).toEqual(['one', 'two'])
  })

  test('after "yes" home never gets them, and the edge answers new messages at once, until home returns', async () => {
    await write('check my email')
    await settled()
    await later(HOME_WAIT)
    await until(cards, (found) => found.length > 0)
    await tap('Yes')
    await saying(KEPT_ENDS.here)
    const before = (await said()).length
    await write('when am I free on Friday?')
    await until(said, (texts) => texts.length > before)
    // Tasks at the edge do not wait for home either.
    expect((await tasks()).map((doc) => JSON.parse(doc).alone)).toEqual([true])
    expect(await cards()).toEqual([])
    const peer = await back()
    expect(await read(await kept(peer))).toBe('empty')
    await tell({ type: 'both_lines', template: 'owner_private' })
    await write('again')
    expect(await read(await kept(peer))).toBe('again')
    // The choice applied to that absence only.
    await away()
    const answered = (await tasks()).length
    await write('once more')
    await settled()
    expect(await tasks()).toHaveLength(answered)
    expect(await read(await kept(await back()))).toBe('once more')
  })

  test('after "yes" a message that was sent to home stays home’s, and the owner is told so', async () => {
    await asked('one')
    const peer = await back()
    const frame = await peer.next('data')
    await away()
    await tap('Yes')
    await saying(KEPT_ENDS.sent)
    expect(frame.body.type === 'kept_said' && (await read(frame.body.kept))).toBe('one')
    expect(await read(await kept(await back()))).toBe('one')
  })

  test('an answer of home after the card withdraws the question', async () => {
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

  test('at the deadline the owner is told that a message is not answered, home never gets it, and the next one is asked about at once', async () => {
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

  test('a home that returns too late finds an empty box, whether or not the alarm ran', async () => {
    await write('one')
    await settled()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + WHILE + 1_000 })
    expect(await read(await kept(await back()))).toBe('empty')
    await runDurableObjectAlarm(owner())
    await saying(KEPT_ENDS.late)
  })
})

describe('while an approval is carried out', () => {
  const answered = async (): Promise<readonly unknown[]> =>
    (await tasks()).map((doc) => JSON.parse(doc).alone)

  /** One message was sent to a home that has gone since, and the owner has approved. */
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

  test('a message written before the owner could be notified is answered at the edge, and home never gets it', async () => {
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

  test('when some messages were sent to home the owner is told which', async () => {
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

  test('a stop afterwards also ends the messages that were sent to home', async () => {
    await goneOut()
    await write('/stop')
    await saying(KEPT_ENDS.stopped)
    expect(await read(await kept(await back()))).toBe('empty')
  })

  test('a home that connects without taking the messages starts a new absence, and the owner is asked again', async () => {
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

describe('a home that has gone but still counts as connected', () => {
  /** Home takes nothing of what is sent, and its socket does not show it. */
  beforeEach(async () => {
    await back()
  })

  test('the owner is asked after the usual wait, and told that only home may answer what was sent', async () => {
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

  test('at the deadline the owner is told that it is not answered, and home never gets it', async () => {
    await write('one')
    await settled()
    await later(WHILE)
    await saying(KEPT_ENDS.late)
    await away()
    expect(await read(await kept(await back()))).toBe('empty')
  })
})

test('with home connected the owner is not asked, also for a message written just before the check of the one before it', async () => {
  const peer = await back()
  await write('one')
  await settled()
  // From here on only the alarm checks.
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

test('when home’s key cannot be read nothing is taken, and Telegram’s repeated delivery goes to home', async () => {
  const peer = await back()
  const kernel = env.KERNEL.getByName(KERNEL_NAME)
  // Replaces the method for calls of the other objects.
  await runInDurableObject(kernel, (object) => Object.assign(object, { syncedFor: null }))
  const message = written('one')
  expect((await bring(message)).status).not.toBe(200)
  await settled()
  expect([await said(), await tasks()]).toEqual([[], []])
  await runInDurableObject(kernel, (object) => void Reflect.deleteProperty(object, 'syncedFor'))
  expect(await bring(message)).toEqual({ status: 200 })
  expect(await read(await kept(peer))).toBe('one')
})

test('after the acknowledgement is revoked nothing waits any more, and the owner is told so', async () => {
  await write('one')
  const peer = await back()
  await peer.next('data')
  await tell({ type: 'both_lines', template: null })
  await saying(KEPT_ENDS.revoked)
  expect(await held()).not.toContain('both-lines-wait')
})

describe('messages that the edge answers at once, so that none is lost', () => {
  test('a message is answered at the edge when home has synced no key', async () => {
    await runInDurableObject(env.KERNEL.getByName(KERNEL_NAME), (_, { storage }) =>
      storage.kv.delete('seal-key'),
    )
    await abortAllDurableObjects()
    await write('hello')
    await until(said, (texts) => texts.length > 0)
    expect(await tasks()).toHaveLength(1)
  })

  test('a message beyond the queue’s limit is answered at the edge', async () => {
    for (let n = 0; n < MOST_QUEUED_MESSAGES; n++) await write(`m${n}`)
    expect(await tasks()).toEqual([])
    await write('hello')
    await until(said, (texts) => texts.length > 0)
    expect(await tasks()).toHaveLength(1)
  })

  test('a message too long for a box is answered at the edge', async () => {
    await write('€'.repeat(20_000))
    await until(said, (texts) => texts.length > 0)
    expect(await tasks()).toHaveLength(1)
  })

  test('a message that arrives while others are being ended does not end with them', async () => {
    await write('one')
    await settled()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + WHILE + 1_000 })
    await write('hello')
    await saying(KEPT_ENDS.late)
    await until(said, (texts) => texts.length > 1)
    expect(await tasks()).toHaveLength(1)
  })

  test('a stop is answered at the edge and ends what waits', async () => {
    await write('one')
    await write('/stop')
    await saying(KEPT_ENDS.stopped)
    expect(await tasks()).toHaveLength(1)
    expect(await read(await kept(await back()))).toBe('empty')
  })
})

test('a locked edge takes no message, and keeps those that wait', async () => {
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
