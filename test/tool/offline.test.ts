/** What becomes of each capability while home is away (T-07): one row each, and none without a decision. */
import { expect, it } from 'vitest'
import { CALENDAR_MANIFEST } from '../../integrations/tools/calendar/manifest.ts'
import { EMAIL_MANIFEST } from '../../integrations/tools/email/manifest.ts'
import { WEB_MANIFEST } from '../../integrations/tools/web/manifest.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import { RAW_LIFETIME } from '../../kernel/powers/sealed.ts'
import { HOME_WAIT } from '../../kernel/runtime/home-call.ts'
import { OFFLINE_POLICIES, offlinePolicyOf } from '../../kernel/tool/offline.ts'

const MATRIX: readonly (readonly [string, ReturnType<typeof offlinePolicyOf>])[] = [
  ['calendar.freebusy', { do: 'queue', ttl: 1_800_000 }],
  ['calendar.list_events', { do: 'refuse' }],
  ['calendar.create_event', { do: 'refuse' }],
  ['email.list', { do: 'refuse' }],
  ['email.read', { do: 'refuse' }],
  ['web.read', { do: 'degrade' }],
  ['memory.save', { do: 'degrade' }],
  ['memory.search', { do: 'degrade' }],
  ['brain.load', { do: 'refuse' }],
  ['owner.ask', { do: 'degrade' }],
  ['message.reply', { do: 'degrade' }],
  ['job:nightly', { do: 'refuse' }],
  ['tool.nobody_decided_on', { do: 'refuse' }],
  ['constructor', { do: 'refuse' }],
]

it.each(MATRIX)('%s', (capability, policy) => {
  expect(offlinePolicyOf(capability)).toEqual(policy)
})

it('every capability that exists has a row with a reason, and the matrix names it', () => {
  const manifests = [CALENDAR_MANIFEST, EMAIL_MANIFEST, WEB_MANIFEST]
  const ids = [...manifests.flatMap(({ actions }) => actions.map(({ id }) => id)), ...EFFECT_IDS].sort()
  expect(Object.keys(OFFLINE_POLICIES).sort()).toEqual(ids)
  expect(MATRIX.map(([id]) => id)).toEqual(expect.arrayContaining(ids))
  for (const { why } of Object.values(OFFLINE_POLICIES)) expect(why).toMatch(/\w{3}/)
})

it('nothing that waits outlives what it was asked with, and no write waits', () => {
  const writes = [CALENDAR_MANIFEST, EMAIL_MANIFEST, WEB_MANIFEST]
    .flatMap(({ actions }) => actions)
    .filter(({ semantics }) => semantics === 'write')
  for (const { id } of writes) expect(offlinePolicyOf(id).do).not.toBe('queue')
  for (const { policy } of Object.values(OFFLINE_POLICIES)) {
    if (policy.do !== 'queue') continue
    expect(policy.ttl).toBeGreaterThan(HOME_WAIT)
    expect(policy.ttl).toBeLessThan(RAW_LIFETIME)
  }
})
