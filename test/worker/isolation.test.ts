/**
 * Regression 1 and invariant A: a principal's object serves that principal only (B-02, B-10, R-01, R-12), and its storage is sealed
 * (B-13).
 */
import { env } from 'cloudflare:workers'
import { afterAll, expect, inject, test } from 'vitest'
import { objectName } from '../../durable-objects/names.ts'
import { PrincipalObject } from '../../durable-objects/principal/principal.ts'
import { KernelObject } from '../../durable-objects/registry/kernel.ts'
import { TunnelObject } from '../../durable-objects/tunnel/tunnel.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { homeAnswer } from '../tunnel/fixtures.ts'
import { NAME_KEY } from './bindings.ts'
import { dumpStorage } from './dump.ts'
import { answersTo, endOf, fakeSource, inside, objectOf, peer, say, sayAs, slowModel } from './edge.ts'

afterAll(() => slowModel(0))

test('regression 1: two people who ask for their history get their own only', async () => {
  await sayAs('alice', 'my plant is called basil-4417')
  await sayAs('bob', 'my plant is called fern-9902')
  await answersTo('alice', 1)
  await answersTo('bob', 1)
  await sayAs('alice', 'what did I tell you about plants?')
  await sayAs('bob', 'what did I tell you about plants?')
  const [alice, bob] = [(await answersTo('alice', 2)).at(-1)?.text, (await answersTo('bob', 2)).at(-1)?.text]
  expect(alice).toContain('basil-4417')
  expect(alice).not.toContain('fern-9902')
  expect(bob).toContain('fern-9902')
  expect(bob).not.toContain('basil-4417')
})

type Call = (object: DurableObjectStub<PrincipalObject>, principal: string) => Promise<Result<unknown>>

const eventOf = (user: string): unknown => ({
  id: crypto.randomUUID(),
  at: 1,
  source: fakeSource(user),
  kind: 'message',
  text: 'hello',
  quoted: [],
  attachments: [],
  replyTo: null,
  place: 'edge',
})

const ASKER = { sink: 'sink:whatsapp:alice', template: 'fake_peers', turns: 3 }

/** Every method of the object that takes a principal; a test below fails when one is missing. */
const CALLS: Readonly<Record<string, Call>> = {
  receive: async (object, principal) => object.receive(principal, eventOf(principal.split(':').at(-1) ?? '')),
  deliveries: async (object, principal) =>
    object.deliveries(principal, { sink: 'sink:whatsapp:alice', after: 0, waitMs: 0 }),
  draft: async (object, principal) => object.draft(principal, 'sink:whatsapp:alice'),
  report: async (object, principal) => object.report(principal, 't1'),
  waiting: async (object, principal) => object.waiting(principal),
  operate: async (object, principal) =>
    object.operate(principal, { operation: 'memory.list', args: {}, sink: 'sink:whatsapp:alice' }),
  stop: async (object, principal) => object.stop(principal, 't1'),
  homeAnswered: async (object, principal) => object.homeAnswered(principal, homeAnswer('e1')),
  homeMoved: async (object, principal) => object.homeMoved(principal, true),
  notify: async (object, principal) => object.notify(principal, { id: 'n1', code: 'secret_expired' }),
  beginPart: async (object, principal) => object.beginPart({ id: 'p1', principal, schema: [] }),
  addToPart: async (object, principal) =>
    object.addToPart({ id: 'p1', principal }, { table: 'tasks', columns: [], rows: [] }),
  endPart: async (object, principal) => object.endPart({ id: 'p1', principal, rows: 0, box: null }),
  setLinks: async (object, principal) => object.setLinks(principal, []),
  setAgreements: async (object, principal) => object.setAgreements(principal, []),
  linkedLines: async (object, principal) =>
    object.linkedLines(principal, { ...ASKER, principal: peer('alice') }),
  connected: async (object, principal) => object.connected(principal),
  tapped: async (object, principal) =>
    object.tapped(principal, { button: '0'.repeat(16), chat: 1, message: 1 }),
  word: async (object, principal) =>
    object.word(principal, { given: { id: 'a1', asker: principal, decision: 'approve' } }),
  bothLines: async (object, principal) => object.bothLines(principal, { do: 'spoke' }),
  page: async (object, principal) => object.page(principal, { hash: new Uint8Array(32), box: null }),
}

/** Methods that take no principal. Nobody outside can address an object: a route or another object calls these, as noted. */
const WITHOUT_PRINCIPAL: Readonly<Record<string, string>> = {
  alarm: 'the platform, for this object',
  locked: 'the kernel object, for the owner’s lock',
  setGrants: 'the kernel object, for what home has granted to whoever asks',
  setLocked: 'the kernel object, for the owner’s lock',
  setPause: 'the kernel object, for what the owner said of pausing',
  spent: 'the kernel object, for what a day of the plan has used: numbers alone',
  parts: 'the constructor; the Worker alone has this object’s binding, and it brings these parts itself',
  partHead: 'home’s backup, by a device that is enrolled; rows are sealed to home',
  partPage: 'home’s backup, after the head',
}

/** Methods of the edge's own objects, grouped by caller, so that a new method needs a decision. */
const OF_THE_EDGE: Readonly<Record<string, readonly string[]>> = {
  'a route, once the signature of an enrolled device is checked': [
    ...[
      'admit',
      'admitWriter',
      'devices',
      'openCode',
      'revoke',
      'setRecoveryKey',
      'sealKeyFor',
      'offer',
      'paused',
    ],
    ...['stores', 'isStore', 'registryHead', 'registryPage', 'restoreRegistry', 'noteRestored', 'setLocked'],
  ],
  'a route, for whoever has the pairing code or the recovery phrase': [
    ...['pair', 'recoveryKey', 'admitRecovery', 'replaceHome'],
  ],
  'a route, for what was refused': ['denied'],
  'the Telegram route, before an object of a stranger’s wakes': ['paired', 'met'],
  'a principal’s object': [
    ...[
      'syncedFor',
      'profile',
      'join',
      'linked',
      'grantsFor',
      'enqueue',
      'tell',
      'tellTurns',
      'tellCode',
      'keepSaid',
      'keptSaid',
      'cardWaits',
      'unsent',
      'endLink',
      'liveLinks',
      'setEdgePause',
      'connected',
    ],
    ...[
      'enterModel',
      'leaveModel',
      'askModel',
      'dropModel',
      'askFile',
      'dropFile',
      'reserveSpend',
      'spentOnPlan',
    ],
  ],
  'the tunnel, for what a greeted home said': [
    ...[
      'setProfile',
      'setSelf',
      'setSealKey',
      'setLinks',
      'setGrants',
      'setPeople',
      'homeGreeted',
      'homeIncompatible',
      'backedUp',
      'setHomePause',
    ],
  ],
  'the kernel object': ['disconnect', 'homeSeenAt', 'setPause', 'setUnlinked', 'spent'],
  'the platform': ['alarm', 'fetch', 'webSocketMessage', 'webSocketClose', 'webSocketError'],
}

test('every method of a principal’s object is in these tables', () => {
  const known = [...Object.keys(CALLS), ...Object.keys(WITHOUT_PRINCIPAL)]
  expect(methodsOf(PrincipalObject).toSorted()).toEqual(known.toSorted())
})

test('every method of the edge’s own objects has a listed caller', () => {
  const known = new Set(Object.values(OF_THE_EDGE).flat())
  const methods = new Set([KernelObject, TunnelObject].flatMap(methodsOf))
  expect([...methods].toSorted()).toEqual([...known].toSorted())
})

function methodsOf(object: { readonly prototype: object }): readonly string[] {
  return Object.getOwnPropertyNames(object.prototype).filter((name) => name !== 'constructor')
}

const PRINCIPALS = [OWNER_PRINCIPAL, peer('alice'), peer('bob'), 'principal:whatsapp:peer:', '']
const PAIRS = PRINCIPALS.flatMap((own) =>
  PRINCIPALS.filter((other) => other !== own).map((other) => [own, other] as const),
)

test.each(Object.keys(CALLS))(
  '%s with the id of another principal is refused, for every pair',
  async (name) => {
    for (const [own, other] of PAIRS) {
      const result = await CALLS[name]?.(objectOf(own), other)
      expect(result).toMatchObject({ ok: false, reason: { code: 'principal_not_allowed' } })
    }
  },
)

test('an object that has served nobody yet refuses a wrong first caller', async () => {
  const object = env.PRINCIPALS.getByName(objectName(NAME_KEY, peer('nobody-yet')))
  expect(await object.report(peer('alice'), 't1')).toMatchObject({
    reason: { code: 'principal_not_allowed' },
  })
  expect(await object.report(peer('nobody-yet'), 't1')).toMatchObject({ reason: { code: 'task_unknown' } })
})

test('no object’s name reveals its principal', () => {
  const name = objectName(NAME_KEY, 'principal:whatsapp:peer:+4915112345678')
  expect(name).toMatch(/^[0-9a-f]{64}$/)
  expect(objectName(new Uint8Array(32), 'principal:whatsapp:peer:+4915112345678')).not.toBe(name)
})

test('a task cannot be inspected or stopped through another principal’s object', async () => {
  const { task } = await sayAs('alice', 'hello')
  await endOf(task, peer('alice'))
  for (const result of [
    await objectOf(peer('bob')).report(peer('bob'), task),
    await objectOf(peer('bob')).stop(peer('bob'), task),
  ])
    expect(result).toMatchObject({ ok: false, reason: { code: 'task_unknown' } })
})

test('storage holds ciphertext only: neither messages, nor read content, nor answers', async () => {
  const { task } = await say('remember that my locker is canary-5551')
  await endOf(task)
  const page = await say(`read ${inject('loopback')}/page and tell canary-5552`)
  const { reply } = await endOf(page.task)
  await sayAs('alice', 'canary-5553 is what I say')
  await answersTo('alice', 4)
  const stored =
    (await inside(OWNER_PRINCIPAL, ({ storage }) => dumpStorage(storage))) +
    (await inside(peer('alice'), ({ storage }) => dumpStorage(storage)))
  expect(reply).toContain('Gooseberr')
  expect(stored).toContain(task)
  for (const canary of ['canary-555', 'Gooseberr', 'locker']) expect(stored).not.toContain(canary)
})
