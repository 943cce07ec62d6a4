/**
 * Contract of the tunnel, one row per body (E-05, T-04): which end may send it, what it reaches, and that a wrong
 * direction, a malformed body and an unknown one reach nothing.
 */

import { describe, expect, test } from 'vitest'
import { createEffects, type EffectsInput } from '../../durable-objects/tunnel/inbox.ts'
import {
  type Body,
  encodeFrame,
  type Frame,
  PROTOCOL_VERSION,
  parseFrame,
} from '../../kernel/tunnel/frame.ts'
import type { SyncedGrant, SyncedLink, SyncedPerson } from '../../kernel/tunnel/synced.ts'
import { createTunnelInbox } from '../../sidecar/tunnel/tunnel-inbox.ts'
import { NO_PAUSE } from '../fakes/pause.ts'
import { TOLD_NOTHING } from '../fakes/self.ts'
import { createWorld } from '../pipeline/world.ts'
import {
  answerBody,
  callBody,
  homeAnswer,
  homeFacts,
  MemoryChannelStore,
  NO_BOTH_LINES,
  NO_FILES,
  NO_LENDER,
  openMemory,
} from '../tunnel/fixtures.ts'

type End = 'edge' | 'home'

interface Row {
  readonly body: Body
  /** The end that may send it. */
  readonly from: End
  /** What it reaches at the other end. */
  readonly reaches: string
}

const KEY = 'k'.repeat(43)
const OFFER = {
  ...{ id: 'o1', principal: 'principal:owner', name: 'google', key: '0'.repeat(32), at: 1 },
  box: 'b'.repeat(80),
}
const SAID = { event: 'e1', principal: 'principal:telegram:peer:1', sink: 'sink:telegram:1', code: 'ABCD' }
const END = { principal: 'principal:telegram:peer:1', sink: 'sink:telegram:1' }
const LINK: SyncedLink = { id: 'l1', ends: [END, { principal: 'principal:owner', sink: null }] }
const GRANT: SyncedGrant = {
  ...{ id: 'g1', template: 'scheduling', action: 'calendar.freebusy', fields: ['slots[].busy'] },
  ...{ daysAhead: 7, expiresAt: 1 },
}
const PERSON: SyncedPerson = { id: 'a1', ...END, expiresAt: 1, templates: ['paired_scheduling'] }
const BODIES: Readonly<Record<Body['type'], Row>> = {
  home_call: { body: callBody('c1'), from: 'edge', reaches: 'serve c1' },
  memory: { body: { type: 'memory', memory: openMemory('m1') }, from: 'edge', reaches: 'remember m1' },
  secret: { body: { type: 'secret', offer: OFFER }, from: 'edge', reaches: 'secret o1' },
  home_answer: { body: answerBody('c1', {}), from: 'home', reaches: 'homeAnswered principal:owner' },
  profile: { body: { type: 'profile', timezone: 'Europe/Madrid' }, from: 'home', reaches: 'setProfile' },
  self: { body: { type: 'self', self: TOLD_NOTHING }, from: 'home', reaches: 'setSelf connected' },
  lock: { body: { type: 'lock', locked: true }, from: 'home', reaches: 'setLocked' },
  seal_key: { body: { type: 'seal_key', key: KEY }, from: 'home', reaches: 'setSealKey' },
  backup: { body: { type: 'backup', at: 1 }, from: 'home', reaches: 'backedUp' },
  link_code: { body: { type: 'link_code', said: SAID }, from: 'edge', reaches: 'code e1' },
  links: { body: { type: 'links', links: [LINK] }, from: 'home', reaches: 'setLinks' },
  grants: { body: { type: 'grants', grants: [GRANT] }, from: 'home', reaches: 'setGrants' },
  people: { body: { type: 'people', people: [PERSON] }, from: 'home', reaches: 'setPeople' },
  kept_said: {
    body: { type: 'kept_said', kept: { id: 'k1', key: '0'.repeat(32), at: 1, box: 'b'.repeat(80) } },
    from: 'edge',
    reaches: 'kept k1, which left at 7',
  },
  both_lines: { body: { type: 'both_lines', template: 'owner_private' }, from: 'home', reaches: 'bothLines' },
}

/** The effect of a body at home. */
async function atHome(body: Body): Promise<readonly string[]> {
  const reached: string[] = []
  const note = (what: string) => void reached.push(what)
  const inbox = createTunnelInbox({
    files: NO_FILES,
    lender: NO_LENDER,
    pause: NO_PAUSE,
    unlinked: () => undefined,
    bothLines: {
      ...NO_BOTH_LINES,
      takeMessage: async ({ id }, sent) => note(`kept ${id}, which left at ${sent}`),
    },
    ...{ channel: new MemoryChannelStore(), store: createWorld().disk.store },
    ...{ now: () => 1, isWrite: () => false },
    serve: async ({ id }) => {
      note(`serve ${id}`)
      return homeAnswer(id)
    },
    remember: async ({ id }) => note(`remember ${id}`),
    takeSecret: async ({ id }) => note(`secret ${id}`),
    takeCode: async ({ event }) => note(`code ${event}`),
    facts: () => homeFacts('Europe/Madrid', KEY),
    fault: () => note('fault'),
    lost: () => note('lost'),
  })
  const sent: Frame[] = []
  inbox.attach(
    (frame) => sent.push(frame),
    () => undefined,
    1,
  )
  inbox.take({
    kind: 'hello',
    version: PROTOCOL_VERSION,
    epoch: 1,
    received: 0,
    base: 0,
    last: 0,
    proof: null,
  })
  inbox.take({ kind: 'data', seq: 1, body, at: 7 })
  await inbox.settled()
  // Acknowledged in any case: a refused frame would block everything behind it.
  expect(sent.filter(({ kind }) => kind === 'ack')).toEqual([{ kind: 'ack', seq: 1 }])
  return reached
}

/** The effect of a body at the edge, or why it has none. */
async function atEdge(body: Body): Promise<readonly string[]> {
  const reached: string[] = []
  const object = new Proxy(
    {},
    {
      get: (_object, name) => async (first: unknown) => {
        reached.push(name === 'homeAnswered' ? `homeAnswered ${first}` : String(name))
        return { ok: true, value: true }
      },
    },
  )
  const space = { getByName: () => object }
  const effects = createEffects({
    env: { KERNEL: space, PRINCIPALS: space },
    memory: { askedBy: () => 'principal:owner', dropCall: () => undefined },
    nameKey: new Uint8Array(32),
  } as unknown as EffectsInput)
  const done = await effects(body, 1)
  return done.ok ? reached : [...reached, done.reason.code]
}

describe.each(Object.entries(BODIES))('%s', (type, { body, from, reaches }) => {
  test('reaches its target at the other end', async () => {
    expect((await (from === 'edge' ? atHome(body) : atEdge(body))).join(' ')).toBe(reaches)
  })

  test('reaches nothing at the end that may send it', async () => {
    expect(await (from === 'edge' ? atEdge(body) : atHome(body))).toEqual(
      from === 'edge' ? ['frame_malformed'] : [],
    )
  })

  test('is refused with an extra field, a missing one, or one of another type', () => {
    const frame = (changed: object): string =>
      encodeFrame({ kind: 'data', seq: 1, body: changed } as unknown as Frame)
    expect(parseFrame(frame(body)).ok).toBe(true)
    const field = Object.keys(body).find((key) => key !== 'type') ?? ''
    const other = ['links', 'grants', 'people'].includes(field) ? 'none' : []
    for (const changed of [{ ...body, as: 'principal:owner' }, { type }, { ...body, [field]: other }])
      expect(parseFrame(frame(changed))).toMatchObject({ ok: false, reason: { code: 'frame_malformed' } })
  })
})

test.each(['secret_get', 'backup_key', 'constructor', '', 7])('a body of type %s is refused', (type) => {
  const text = JSON.stringify({ kind: 'data', seq: 1, body: { type } })
  expect(parseFrame(text)).toMatchObject({ ok: false, reason: { code: 'frame_malformed' } })
})
