/**
 * Messages that the owner wrote at the edge for home (DESIGN §1): opened for that purpose only, taken once like any
 * message, and refused if the owner did not write them or has revoked the acknowledgement.
 */

import { beforeEach, expect, test } from 'vitest'
import { closeBox } from '../../integrations/sealing/sealed-box.ts'
import { queueEndsAt } from '../../kernel/features/memory/queued-messages.ts'
import { HOME_WAIT } from '../../kernel/features/places/home-call.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import {
  packMessage,
  QUEUE_PURPOSE,
  type QueuedMessage,
  queuedBound,
  waitOf,
} from '../../kernel/tunnel/queued-message.ts'
import { OFFER_PURPOSE, sealKeyId } from '../../kernel/vault/secret-offer.ts'
import { encodeText } from '../../kernel/vault/text.ts'
import { tell } from '../../kernel/wording/words.ts'
import { createSealingKey, type SealingKey } from '../../sidecar/secrets/sealing-key.ts'
import { createRemoteMessages } from '../../sidecar/tunnel/remote-messages.ts'
import { acknowledgeTransport, OPEN_CHAT } from '../fakes/both-lines.ts'
import { calendarTools, mailTools } from '../pipeline/mailbox.ts'
import { createWorld, type World } from '../pipeline/world.ts'
import { secretsWorld } from './fixtures/secrets.ts'

const SUBJECT = 'Q3 budget'

let sealing: SealingKey
let world: World
let heard: ReturnType<typeof createRemoteMessages>
beforeEach(async () => {
  sealing = await createSealingKey((await secretsWorld()).keys.ring)
  world = createWorld({ tools: mailTools() })
  await acknowledgeTransport(world)
  world.sent.length = 0
  heard = createRemoteMessages({ shell: world.shell, sealing, drive: () => undefined }, world.powers)
})

interface Made {
  readonly id?: string
  readonly purpose?: string
  readonly plain?: Uint8Array
}

/** Sealed as by an honest edge, with every part replaceable. */
async function keptFor({ id = 'm1', purpose = QUEUE_PURPOSE, plain }: Made = {}): Promise<QueuedMessage> {
  const key = new Uint8Array(Buffer.from(sealing.publicKey, 'base64url'))
  const bare = { id, key: sealKeyId(key), at: 1 }
  const inside = plain ?? packMessage({ text: 'check my email', quoted: [] })
  const box = await closeBox(key, { purpose, bound: queuedBound(bare) }, inside)
  if (!box.ok) throw new Error(box.reason.code)
  return { ...bare, box: Buffer.from(box.value).toString('base64url') }
}

/** Takes the message; returns what is shown in that chat, and why it was refused. */
async function take(
  kept: QueuedMessage,
  sent = kept.at,
  work = 0,
): Promise<{ readonly there: string; readonly codes: readonly unknown[] }> {
  await heard.takeMessage(kept, sent)
  world.clock.now += work
  await world.shell.run(OWNER_PRINCIPAL)
  const there = world.sent.filter(({ sink }) => sink === OPEN_CHAT).map(({ text }) => text)
  const codes = world.audited
    .filter(({ kind }) => kind === 'event_rejected')
    .map(({ facts }) => facts['code'])
  return { there: there.join('\n'), codes }
}

const revoke = async (): Promise<void> => {
  for (const { id, kind } of await world.ports.grants.list())
    if (kind === 'transport') expect((await world.ports.grants.revoke(id, OWNER_PRINCIPAL)).ok).toBe(true)
  world.sent.length = 0
}

test('it is answered there from data the edge may not know, once, even if sent twice or in another box', async () => {
  const kept = await keptFor()
  expect((await take(kept)).there).toContain(SUBJECT)
  await take(kept)
  expect(await take(await keptFor())).toMatchObject({ codes: [] })
  expect(world.sent).toHaveLength(1)
})

/**
 * Milliseconds: how long it was queued at the edge, by a clock other than home's, and how long the answer took; and the
 * resulting time of the message.
 */
test.each<[string, number, number, boolean, number]>([
  ['at once', 0, 0, false, 0],
  ['at once, and is slow', 0, 61_000, false, 0],
  ['before anybody took it for away, and is slow', HOME_WAIT - 1, 61_000, false, 0],
  ['within the minute', HOME_WAIT, 60_000 - HOME_WAIT, false, HOME_WAIT],
  ['within the minute, and answers after it', HOME_WAIT, 60_001 - HOME_WAIT, true, HOME_WAIT],
  ['later', 60_001, 0, true, 60_001],
  ['longer than anything is kept', 10 * queueEndsAt(0), 0, true, queueEndsAt(0)],
  ['before it was written', -60_001, 0, false, 0],
])('an answer to a message fetched %s states its delay, or not', async (_when, wait, work, late, before) => {
  const kept = await keptFor()
  const heardAt = world.clock.now
  const { there } = await take(kept, kept.at + wait, work)
  expect(there).toContain(SUBJECT)
  expect(there.startsWith(`${tell('wording.late')}\n\n`)).toBe(late)
  expect(there.includes(tell('wording.late'))).toBe(late)
  // The message has the time at which it was written.
  const [turn] = world.powers.store.runningTurns(OWNER_PRINCIPAL, 9)
  expect(turn?.at).toBe(heardAt - before)
})

test.each([
  ['as long as it lay there', 5, 9, 4],
  ['no time that is still to come', 9, 5, 0],
  ['no more than it may', 5, queueEndsAt(6), queueEndsAt(0)],
])('it counts as queued for %s', (_what, at, sent, wait) => expect(waitOf({ at }, sent)).toBe(wait))

test.each<[string, () => Promise<QueuedMessage>, string]>([
  ['of another message', async () => ({ ...(await keptFor()), id: 'm2' }), 'record_unreadable'],
  ['of another time', async () => ({ ...(await keptFor()), at: 2 }), 'record_unreadable'],
  ['made for something else', () => keptFor({ purpose: OFFER_PURPOSE }), 'record_unreadable'],
  ['for a key that home has not', async () => ({ ...(await keptFor()), key: '0'.repeat(32) }), 'key_wrong'],
  ['cut', async () => ({ ...(await keptFor()), box: 'b'.repeat(64) }), 'record_unreadable'],
  ['with no message in it', () => keptFor({ plain: encodeText('[1') }), 'frame_malformed'],
  [
    'with a field too many',
    () => keptFor({ plain: encodeText('{"quoted":[],"text":"x","as":"y"}') }),
    'frame_malformed',
  ],
  ['with bytes that are no text', () => keptFor({ plain: new Uint8Array([255, 254]) }), 'frame_malformed'],
])('a box %s is refused with its reason, and the next one is taken', async (_what, make, code) => {
  expect(await take(await make())).toEqual({ there: tell('wording.queued_unread'), codes: [code] })
  // The edge could send any number of them: a chat gets one notice per id.
  await take(await make())
  expect(new Set(world.sent.map(({ id }) => id)).size).toBe(1)
  expect((await take(await keptFor({ id: 'next' }))).there).toContain(SUBJECT)
})

test('a box that the edge has emptied is ignored', async () => {
  expect(await take({ ...(await keptFor()), box: null })).toEqual({ there: '', codes: [] })
  expect(world.sent).toEqual([])
})

test('after a revocation it stays unopened, and the owner is notified once, at home', async () => {
  await revoke()
  expect(await take(await keptFor())).toEqual({ there: '', codes: ['grant_missing'] })
  await take(await keptFor({ id: 'm2' }))
  const told = world.sent.filter(({ text }) => text.includes(tell('wording.queued_in_vain')))
  expect(new Set(told.map(({ id }) => id)).size).toBe(1)
  expect(told.every(({ sink }) => sink !== OPEN_CHAT)).toBe(true)
  expect(world.calls).toEqual([])
})

test('without any acknowledgement it is refused without a notice', async () => {
  world = createWorld({ tools: mailTools() })
  heard = createRemoteMessages({ shell: world.shell, sealing, drive: () => undefined }, world.powers)
  expect(await take(await keptFor())).toEqual({ there: '', codes: ['grant_missing'] })
  expect(world.sent).toEqual([])
})

test('a message whose new version the edge answers is withdrawn at home, with its card', async () => {
  const book = packMessage({ text: 'book "Checkup" tomorrow from 9:00 to 10:00', quoted: [] })
  world = createWorld({ tools: calendarTools() })
  await acknowledgeTransport(world)
  heard = createRemoteMessages({ shell: world.shell, sealing, drive: () => undefined }, world.powers)
  await take(await keptFor({ id: '7.31.aa', plain: book }))
  const [asked] = await world.ports.approvals.list(OWNER_PRINCIPAL)
  expect(asked).toBeDefined()
  const elsewhere = packMessage({ text: '', quoted: [], version: 'elsewhere' })
  for (const id of ['7.32.bb', 'none']) await take(await keptFor({ id, plain: elsewhere }))
  expect(await world.ports.approvals.list(OWNER_PRINCIPAL)).toHaveLength(1)
  for (let time = 0; time < 2; time++) await take(await keptFor({ id: '7.31.bb', plain: elsewhere }))
  expect(await world.ports.approvals.list(OWNER_PRINCIPAL)).toEqual([])
  const yes = { approval: asked?.id ?? '', decision: 'approve', principal: OWNER_PRINCIPAL } as const
  expect(await world.shell.decide({ ...yes, place: 'home' })).toMatchObject({
    reason: { code: 'approval_withdrawn' },
  })
  expect(world.disk.store.loadTask(asked?.task ?? '')?.state.at).toBe('cancelled')
  expect(world.calls).toEqual([])
})
