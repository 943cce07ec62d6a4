/**
 * The routing matrix as a table (D-01 – D-07): six guards under five ceilings, acknowledged or not, at both places, against an
 * oracle written separately. On the wire: matrix-wire.test.ts.
 */
import { expect, it } from 'vitest'
import { edgeProviders, withRemoteModels } from '../../durable-objects/models.ts'
import { edgeModels } from '../../durable-objects/platform/models-setting.ts'
import { createRemoteModel } from '../../durable-objects/principal/remote-models.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import type { Place } from '../../kernel/flow/place.ts'
import { err } from '../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { DEFAULT_BREAKER } from '../../kernel/powers/breaker.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { createHomeModels } from '../../sidecar/models/home-models.ts'
import { mayRead, nameOf, ROWS } from './matrix.ts'
import { askAll, canaryOf } from './matrix-call.ts'

const NO_NETWORK = { send: async () => err('network_failed') } as const
const TOML = `
[[models.providers]]
name = "local"
kind = "ollama"
model = "m"
[[models.providers]]
name = "openai"
kind = "openai"
model = "m"
[[models.providers]]
name = "anthropic"
kind = "anthropic"
model = "m"
`
const MODELS = { providers: ['openai', 'anthropic'].map((name) => ({ name, kind: name, model: 'm' })) }

/** `home`: whether home has offered its models. */
function chainAt(place: Place, home: boolean): readonly ModelProvider[] {
  const rules = createRulesModel({ place })
  if (place === 'edge') {
    const models = edgeModels({ MODELS })
    const ways = { door: () => never(), newId: () => 'c1' }
    const lent = home ? [createRemoteModel({ name: 'local' }, ways)] : []
    const own = edgeProviders({ models, modelOrigins: [], localOrigins: [] })
    return [...withRemoteModels(own, lent, models), rules]
  }
  const parsed = parseConfig(TOML)
  if (!parsed.ok) throw new Error(parsed.reason.code)
  const keys = { issue: async () => err('credential_missing'), settle: () => undefined }
  return [...createHomeModels({ config: parsed.value.models, transport: NO_NETWORK, keys }).models, rules]
}

function never(): never {
  throw new Error('asked')
}

/** Reader id without the prefix of a place. */
const readerOf = (model: string): string => model.replace(/^home\//, '')

/** The configured readers, each replaced by one that records its prompts and does not answer. */
function silent(place: Place, home: boolean) {
  const seen: { readonly by: string; readonly text: string }[] = []
  const models = chainAt(place, home).map(
    ({ complete: _, ...known }): ModelProvider => ({
      ...known,
      complete: async ({ user, parts }) => {
        seen.push({ by: known.reader.id, text: `${user}${JSON.stringify(parts)}` })
        return err('model_failed')
      },
    }),
  )
  return { models, seen }
}

it.each(ROWS.map((row) => [nameOf(row), row] as const))(
  'the router calls exactly the models that may read it: %s',
  async (_, row) => {
    const { models, seen } = silent(row.place, row.home)
    const failed = await askAll(row, models)
    expect(failed.map(({ model }) => readerOf(model))).toEqual(mayRead(row))
    expect(seen.map(({ by }) => readerOf(by))).toEqual(mayRead(row))
    expect(seen.every(({ text }) => text.includes(canaryOf(row)))).toBe(true)
  },
)

it('every possible answer of the matrix has at least one row', () => {
  const answers = new Set(ROWS.map((row) => mayRead(row).join()))
  expect([...answers].sort()).toEqual([
    '',
    'anthropic,openai,local,rules',
    'anthropic,openai,rules',
    'local',
    'local,rules',
    'rules',
  ])
  expect(DEFAULT_BREAKER).toEqual({ failures: 3, window: 60_000, rest: 300_000 })
})
