/** What data of a compartment decides is seen by whoever the call reaches: it decides another call of its tool only where nobody else reads that. */
import { expect, it } from 'vitest'
import { HEALTH_MANIFEST } from '../../integrations/tools/health/manifest.ts'
import type { ToolManifest } from '../../kernel/tool/manifest.ts'
import { createWorld, scriptedModel } from './world.ts'

const ask = (id: string, of: string, more: object = {}) => ({
  ...{ id, do: 'tool', tool: 'health.measure', args: { of, period: 'last night' } },
  ...more,
})
const STEPS = [ask('s1', 'sleep'), ask('s2', 'weight', { when: { ref: 's1.from', is: 'not_empty' } })]
const account = { name: 'ring', credential: 'ring', account: null, network: ['ring.example.com'] }

it.each<[string, Partial<ToolManifest>, number]>([
  ['of home alone', {}, 2],
  ['with a host', { network: ['ring.example.com'] }, 1],
  ['with a host of an account', { accounts: [account] }, 1],
  ['with a credential', { credential: 'ring' }, 1],
  ['that the owner runs somewhere', { selfHosted: true }, 1],
])('a tool %s', async (_, more, calls) => {
  const world = createWorld({
    models: [
      scriptedModel('local', ({ parts }) =>
        parts.purpose === 'plan' ? JSON.stringify({ steps: STEPS, explanation: '' }) : 'Slept.',
      ),
    ],
    manifests: [{ ...HEALTH_MANIFEST, ...more }],
    tools: {
      'health.measure': () => ({
        ok: true,
        output: {
          measure: 'sleep',
          unit: 'minutes',
          from: '2026-11-19',
          to: '2026-11-20',
          counted: 1,
          asked: 1,
        },
      }),
    },
  })
  await world.say('why did I sleep so badly after what I ate, do you think?')
  expect(world.calls.map(({ tool }) => tool)).toEqual(Array(calls).fill('health.measure'))
  const denied = world.audited.filter(({ kind, facts }) => kind === 'denial' && 'step' in facts)
  expect(denied.map(({ facts }) => facts['code'])).toEqual(calls === 1 ? ['compartment_missing'] : [])
})
