/** What becomes of each capability while home is away (T-07): one row each, and none without a decision. */
import { expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { HOME_WAIT } from '../../kernel/features/places/home-call.ts'
import { EFFECT_IDS, lookUpAction, offlinePolicyOf } from '../../kernel/powers/effects.ts'
import { RAW_LIFETIME } from '../../kernel/powers/sealed.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'

const REGISTRY = createRegistry(TOOL_MANIFESTS)

const ACTIONS = TOOL_MANIFESTS.flatMap(({ actions, places }) =>
  actions.map((action) => ({ ...action, places })),
)

/** Of a tool: the edge does it itself; what runs at home is refused, but for the one read that waits. */
function rowOf({ id, places }: (typeof ACTIONS)[number]): (typeof MATRIX)[number] {
  return [id, places.includes('edge') ? { do: 'degrade' } : { do: 'refuse' }]
}

const MATRIX: readonly (readonly [string, ReturnType<typeof offlinePolicyOf>])[] = [
  ['calendar.freebusy', { do: 'queue', ttl: 1_800_000 }],
  ...ACTIONS.filter(({ id }) => id !== 'calendar.freebusy').map(rowOf),
  ['tools.search', { do: 'degrade' }],
  ['memory.save', { do: 'degrade' }],
  ['memory.search', { do: 'degrade' }],
  ['reminder.set', { do: 'degrade' }],
  ['reminder.list', { do: 'degrade' }],
  ['task.list', { do: 'degrade' }],
  ['reminder.about', { do: 'degrade' }],
  ['reminder.later', { do: 'degrade' }],
  ['reminder.change', { do: 'degrade' }],
  ['reminder.cancel', { do: 'degrade' }],
  ['reminder.which', { do: 'degrade' }],
  ['task.add', { do: 'degrade' }],
  ['task.done', { do: 'degrade' }],
  ['contact.new', { do: 'degrade' }],
  ['contact.which', { do: 'degrade' }],
  ['contact.add', { do: 'degrade' }],
  ['memory.which', { do: 'degrade' }],
  ['memory.forget', { do: 'degrade' }],
  ['memory.correct', { do: 'degrade' }],
  ['job.which', { do: 'degrade' }],
  ['job.set', { do: 'degrade' }],
  ['job.stop', { do: 'degrade' }],
  ['job.resume', { do: 'degrade' }],
  ['job.skip', { do: 'degrade' }],
  ['job.run', { do: 'degrade' }],
  ['job.move', { do: 'degrade' }],
  ['job.remove', { do: 'degrade' }],
  // How home is set up.
  ...EFFECT_IDS.filter((id) => id.startsWith('admin.')).map((id) => [id, { do: 'refuse' }] as const),
  ['brain.load', { do: 'refuse' }],
  ['owner.ask', { do: 'degrade' }],
  ['message.reply', { do: 'degrade' }],
  ['job:nightly', { do: 'refuse' }],
  ['tool.nobody_decided_on', { do: 'refuse' }],
  ['constructor', { do: 'refuse' }],
]

it.each(MATRIX)('%s', (capability, policy) => {
  expect(offlinePolicyOf(REGISTRY, capability)).toEqual(policy)
})

const IDS = [...REGISTRY.actions.keys(), ...EFFECT_IDS]

it('every action that exists declares what becomes of it, with a reason, and the matrix names it', () => {
  expect(MATRIX.map(([id]) => id)).toEqual(expect.arrayContaining(IDS))
  for (const id of IDS) {
    const action = lookUpAction(REGISTRY, id)
    expect(action.ok && action.value.offline?.why, id).toMatch(/\w{3}/)
  }
})

it('nothing that waits outlives what it was asked with, and no write waits', () => {
  const writes = [...REGISTRY.actions.values()].filter(({ semantics }) => semantics === 'write')
  for (const { id } of writes) expect(offlinePolicyOf(REGISTRY, id).do).not.toBe('queue')
  for (const id of IDS) {
    const policy = offlinePolicyOf(REGISTRY, id)
    if (policy.do !== 'queue') continue
    expect(policy.ttl).toBeGreaterThan(HOME_WAIT)
    expect(policy.ttl).toBeLessThan(RAW_LIFETIME)
  }
})
