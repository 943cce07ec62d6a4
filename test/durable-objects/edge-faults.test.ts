/** A fault at the edge writes an audit line and notifies the owner (D-20, Q-01): by names and codes, without a setting's value. */
import { expect, test } from 'vitest'
import { createEdgeFaults, type EdgeFaults } from '../../durable-objects/registry/ports.ts'

test.each<[string, (faults: EdgeFaults) => Promise<boolean>, object, object]>([
  [
    'a wrong setting',
    ({ setting }) => setting('MODEL_ORIGINS.0'),
    { code: 'config_malformed', setting: 'MODEL_ORIGINS.0' },
    { code: 'config_malformed', about: 'MODEL_ORIGINS.0' },
  ],
  [
    'a model that rests',
    ({ model }) => model('claude', 'model_degraded', 7),
    { code: 'model_degraded', model: 'claude' },
    { id: 'model_degraded:claude:7', code: 'model_degraded', about: 'claude' },
  ],
  [
    'home',
    ({ home }) => home({ id: 'h1', code: 'home_offline' }),
    { code: 'home_offline', told: 1 },
    { id: 'h1', code: 'home_offline' },
  ],
])('a fault is audited and the owner notified: %s', async (_what, happen, line, word) => {
  const [lines, words]: [unknown[], unknown[]] = [[], []]
  const note = (kind: string, facts: object): void => void lines.push([kind, facts])
  const tell = async (notice: object): Promise<boolean> => words.push(notice) > 0
  expect(await happen(createEdgeFaults({ note, tell }))).toBe(true)
  expect(lines).toEqual([['fault', line]])
  expect(words).toEqual([expect.objectContaining(word)])
})
