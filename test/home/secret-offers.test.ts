/**
 * Secrets that were typed at the edge (E-02, E-12, L-12, L-18): none is used before the owner accepts it with the check
 * word of what was typed, whatever else the edge offers; a bad one is audited with its reason.
 */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { ToolManifest } from '../../kernel/tool/manifest.ts'
import { createKeyRing } from '../../kernel/vault/key-ring.ts'
import { OFFER_LIFETIME, type SecretOffer } from '../../kernel/vault/secret-offer.ts'
import { randomOfNode } from '../../sidecar/keys/home-keys.ts'
import { openKeyStore } from '../../sidecar/keys/key-store.ts'
import { checkWordOf } from '../../sidecar/secrets/check-word.ts'
import type { Looked } from '../../sidecar/secrets/credential-service.ts'
import {
  acceptSchema,
  createOfferService,
  listOffers,
  MAX_WAITING_OFFERS,
  type OfferService,
} from '../../sidecar/secrets/offer-service.ts'
import { createSealingKey } from '../../sidecar/secrets/sealing-key.ts'
import { createSecretService } from '../../sidecar/secrets/secret-service.ts'
import { offerFor } from './fixtures/offers.ts'
import { CANARY, NEXT, SCOPE, type SecretsWorld, secretsWorld, valueInForce } from './fixtures/secrets.ts'

/** The only tool that uses `google`. */
const PROBE: ToolManifest = {
  ...{ name: 'probe', version: '1', ownerOnly: true, places: ['home'], network: SCOPE.hosts },
  ...{ credential: 'google', actions: [] },
}

let world: SecretsWorld
let desk: OfferService
let publicKey: string
let lines: AuditEvent['facts'][]
let told: ReasonCode[]
let look: (value: string) => Result<Looked>

beforeEach(async () => {
  world = await secretsWorld()
  lines = []
  told = []
  look = () => ok({ tried: true, account: 'me@example.com' })
  const sealing = await createSealingKey(world.keys.ring)
  publicKey = sealing.publicKey
  const audit = ({ facts }: Pick<AuditEvent, 'facts'>): void => void lines.push(facts)
  const learn = world.redactor.learn
  const secretDesk = createSecretService({
    ...{ secrets: world.secrets, manifests: [PROBE], custody: 'passphrase', learn, audit },
    ...{ confirmKey: world.keys.ring.ownKey('confirm'), now: () => world.clock.now },
    namesOf: ({ credential }) => (credential === null ? [] : [credential]),
  })
  desk = createOfferService({
    ...{ file: world.file.offers, sealing, secretService: secretDesk, secrets: world.secrets, learn, audit },
    tell: ({ code }) => void told.push(code),
    look: async (_name, value) => look(value),
    now: () => world.clock.now,
  })
})

const offer = (value = CANARY, over: Partial<SecretOffer> = {}) => offerFor(publicKey, value, over)
const accept = async (over: object = {}): Promise<string> => {
  const input = acceptSchema.parse({ name: 'google', check: checkWordOf('google', CANARY), ...over })
  const done = await desk.accept(input)
  if (!done.ok) return done.reason.code
  return 'version' in done.value ? `v${done.value.version}` : JSON.stringify(done.value)
}
const waiting = (): readonly string[] => listOffers(world.file.offers).map(({ name }) => name)
const codes = (): readonly unknown[] => lines.map(({ change, code }) => [change, code ?? null])

test('an offer stays in its box, is announced once, and is used only after it was accepted', async () => {
  await desk.take(await offer())
  expect([waiting(), told, await valueInForce(world.secrets)]).toEqual([
    ['google'],
    ['secret_offered'],
    'credential_missing',
  ])
  for (const end of ['', '-wal'])
    expect(readFileSync(`${world.folder.file('secrets.sqlite')}${end}`).includes(CANARY)).toBe(false)
  expect(world.redactor.text('log', `x ${CANARY}`)).toBe('x [redacted]')
  expect(await accept()).toBe('v1')
  expect([waiting(), await valueInForce(world.secrets)]).toEqual([[], `v1 ${CANARY}`])
  expect(world.secrets.find('google')?.scope.tools).toEqual(['probe'])
  expect(codes()).toEqual([
    ['offer', null],
    ['set', null],
  ])
  expect(JSON.stringify(lines)).not.toContain(CANARY)
})

test('a second delivery changes nothing, before and after the decision', async () => {
  const one = await offer()
  await desk.take(one)
  await desk.take(one)
  expect([waiting(), told.length, lines.length]).toEqual([['google'], 1, 1])
  await accept()
  await desk.take(one)
  expect([waiting(), told.length, await valueInForce(world.secrets)]).toEqual([[], 1, `v1 ${CANARY}`])
})

test('an accepted offer replaces nothing: under an existing name it is a new value on trial, with the former scope', async () => {
  await world.secrets.set({
    name: 'google',
    kind: 'token',
    scope: { ...SCOPE, hosts: ['own.example'] },
    value: NEXT,
  })
  world.secrets.accepted('google', 1)
  await desk.take(await offer())
  expect(await valueInForce(world.secrets)).toBe(`v1 ${NEXT}`)
  expect(await accept()).toBe('v2')
  expect(world.secrets.find('google')).toMatchObject({
    ...{ state: 'trial', former: true, scope: { hosts: ['own.example'] } },
  })
})

describe('a secret that was sent in a chat, without a check word', () => {
  test('is tested, and accepted only with the check word that is then shown beside its account', async () => {
    await desk.take(await offer())
    const [check, known] = [checkWordOf('google', CANARY), { tried: true, account: 'me@example.com' }]
    expect(JSON.parse(await accept({ check: undefined }))).toEqual({
      ...{ name: 'google', accepted: false, check, ...known },
    })
    expect([waiting(), await valueInForce(world.secrets)]).toEqual([['google'], 'credential_missing'])
    expect(await accept({ check })).toBe('v1')
  })

  test('is deleted if its service rejects it, and kept if it could not be tested', async () => {
    await desk.take(await offer())
    look = () => err('network_failed')
    expect([await accept({ check: undefined }), waiting()]).toEqual(['network_failed', ['google']])
    look = () => err('credential_rejected')
    expect([await accept({ check: undefined }), waiting()]).toEqual(['credential_rejected', []])
    expect(JSON.stringify(lines)).not.toContain(CANARY)
  })
})

describe('a compromised edge', () => {
  test('cannot substitute its own secret: the check word selects', async () => {
    await desk.take(await offer('somebody-elses-token', { id: 'evil-1' }))
    await desk.take(await offer())
    await desk.take(await offer('somebody-elses-token', { id: 'evil-2' }))
    expect(told).toHaveLength(1)
    expect(await accept()).toBe('v1')
    expect(await valueInForce(world.secrets)).toBe(`v1 ${CANARY}`)
  })

  test('cannot get its own secret accepted', async () => {
    await desk.take(await offer('somebody-elses-token'))
    expect(await accept()).toBe('secret_other_value')
    expect([await valueInForce(world.secrets), waiting()]).toEqual(['credential_missing', ['google']])
    expect(codes().at(-1)).toEqual(['accept', 'secret_other_value'])
  })

  test('cannot send an unlimited number of offers', async () => {
    for (let at = 0; at <= MAX_WAITING_OFFERS; at++) await desk.take(await offer(CANARY, { id: `o${at}` }))
    expect(waiting()).toHaveLength(MAX_WAITING_OFFERS)
    expect(codes().at(-1)).toEqual(['offer', 'remote_rate_limited'])
  })
})

const flip = (box: string): string => (box.endsWith('A') ? `${box.slice(0, -1)}Q` : `${box.slice(0, -1)}A`)
const otherKey = Buffer.from(new Uint8Array(32).fill(9)).toString('base64url')

/** An offer, and the reason in the audit. */
const BAD: readonly (readonly [string, () => Promise<SecretOffer>, ReasonCode])[] = [
  ['for another name', async () => ({ ...(await offer()), name: 'github' }), 'record_unreadable'],
  ['under another id', async () => ({ ...(await offer()), id: 'o2' }), 'record_unreadable'],
  ['of another time', async () => ({ ...(await offer()), at: 1_795_000_000_001 }), 'record_unreadable'],
  [
    'with a changed bit',
    async () => ({ ...(await offer()), box: flip((await offer()).box) }),
    'record_unreadable',
  ],
  ['cut', async () => ({ ...(await offer()), box: (await offer()).box.slice(0, 64) }), 'record_unreadable'],
  ['closed for another key', () => offerFor(otherKey, CANARY), 'key_wrong'],
  [
    'closed for another key, named as ours',
    async () => ({ ...(await offerFor(otherKey, CANARY)), key: (await offer()).key }),
    'record_unreadable',
  ],
  [
    'of somebody else',
    () => offer(CANARY, { principal: 'principal:telegram:peer:7' }),
    'principal_not_allowed',
  ],
  ['too late', () => offer(CANARY, { at: 1_795_000_000_000 - OFFER_LIFETIME - 1 }), 'secret_expired'],
  ['from the future', () => offer(CANARY, { at: 1_795_000_000_000 + OFFER_LIFETIME + 1 }), 'secret_expired'],
  ['thrown away at the edge', async () => ({ ...(await offer()), box: null }), 'secret_expired'],
]

test.each(BAD)('%s: refused with its reason, and later offers are taken', async (_, bad, code) => {
  await desk.take(await bad())
  expect([codes(), waiting(), told]).toEqual([[['offer', code]], [], []])
  await desk.take(await offer(CANARY, { id: 'next' }))
  expect(waiting()).toEqual(['google'])
})

test.each([
  ['without anything waiting', [], {}, 'nothing_found'],
  ['with a wrong check', [CANARY], { check: '00000-00000' }, 'secret_other_value'],
  ['for a name that no tool asks for', [CANARY], { name: 'nobody' }, 'nothing_found'],
  [
    'however the check is typed',
    [CANARY],
    { check: ` ${checkWordOf('google', CANARY).toUpperCase()} ` },
    'v1',
  ],
  [
    'as a kind that it is not',
    ['two words here'],
    { check: checkWordOf('google', 'two words here') },
    'field_malformed',
  ],
] as const)('an offer accepted %s has this result', async (_, values, over, result) => {
  for (const value of values) await desk.take(await offer(value))
  expect(await accept(over)).toBe(result)
  expect(waiting()).toEqual(result === 'v1' ? [] : values.map(() => 'google'))
})

test('a declined offer is deleted, and its row records the decision', async () => {
  await desk.take(await offer())
  expect(await desk.decline({ name: 'google' })).toEqual({ ok: true, value: { name: 'google' } })
  expect([waiting(), await accept()]).toEqual([[], 'nothing_found'])
  expect((await desk.decline({ name: 'google' })).ok).toBe(false)
})

test('after a week only the row of an offer is left, and after two weeks nothing', async () => {
  const one = await offer()
  await desk.take(one)
  world.clock.now += OFFER_LIFETIME + 1
  desk.expire()
  expect([waiting(), world.file.offers.knows(one.id)]).toEqual([[], true])
  await desk.take({ ...one })
  expect(waiting()).toEqual([])
  world.clock.now += OFFER_LIFETIME
  desk.expire()
  expect(world.file.offers.knows(one.id)).toBe(false)
  await desk.take(one)
  expect([waiting(), codes().at(-1)]).toEqual([[], ['offer', 'secret_expired']])
})

test('a new master key renews the sealing key; the former one opens pending boxes, and the one before that nothing', async () => {
  const store = openKeyStore(world.folder)
  if (!store.ok) throw new Error('no key store')
  const text = readFileSync(world.folder.file('dev.key'), 'utf8').trim()
  let master: Uint8Array = new Uint8Array(Buffer.from(text, 'base64url'))
  if (!store.value.fits(master)) throw new Error('not the development key')
  const keys = [publicKey]
  const opens = async (): Promise<readonly string[]> => {
    const sealing = await createSealingKey(createKeyRing({ ...store.value, master, random: randomOfNode }))
    if (!keys.includes(sealing.publicKey)) keys.push(sealing.publicKey)
    return Promise.all(
      keys.map(async (key) => {
        const opened = await sealing.open(await offerFor(key, CANARY))
        return opened.ok ? opened.value : opened.reason.code
      }),
    )
  }
  const rotate = (): void => {
    const to = randomOfNode(32)
    store.value.rewrap({ from: master, to, random: randomOfNode })
    master = to
  }
  expect(await opens()).toEqual([CANARY])
  rotate()
  expect(await opens()).toEqual([CANARY, CANARY])
  rotate()
  expect(await opens()).toEqual(['key_wrong', CANARY, CANARY])
  store.value.close()
})
