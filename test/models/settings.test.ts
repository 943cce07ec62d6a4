/**
 * The owner's settings of models (S-05, S-06, D-12, D-20): orders, places, clearances, and invalid settings, which disable the
 * models and never prevent the start.
 */
import { describe, expect, it } from 'vitest'
import { edgeModelOf, edgeProviders } from '../../durable-objects/models.ts'
import type { EdgeSettings } from '../../durable-objects/platform/env.ts'
import { edgeModels } from '../../durable-objects/platform/models-setting.ts'
import { edgeRedact, edgeSecrets } from '../../durable-objects/principal/known-secrets.ts'
import { localityOf } from '../../integrations/models/provider-settings.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import { modelManifests } from '../../sidecar/home/home-tools.ts'
import { createHomeModels } from '../../sidecar/models/home-models.ts'
import { edgeModelBindings } from '../../sidecar/secrets/edge-model-keys.ts'

const entry = (name: string, kind: string, more = ''): string =>
  `[[models.providers]]\nname = "${name}"\nkind = "${kind}"\nmodel = "m"\n${more}\n`
const THREE = entry('box', 'ollama') + entry('gpt', 'openai') + entry('claude', 'anthropic')

function models(text: string) {
  const parsed = parseConfig(text)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.reason))
  return parsed.value.models
}

describe('the order of models', () => {
  it.each([
    ['is Anthropic, OpenAI, local where none is said (D-12)', THREE, ['claude', 'gpt', 'box']],
    ['is what is configured of it', entry('box', 'ollama') + entry('claude', 'anthropic'), ['claude', 'box']],
    ['is the owner’s', `[models]\nchain = ["box", "claude"]\n${THREE}`, ['box', 'claude']],
    ['may be empty', `[models]\nchain = []\n${THREE}`, []],
  ])('the order of models %s', (_, text, chain) => {
    expect(models(text).chain).toEqual(chain)
    const keys = { issue: async () => err('credential_missing'), settle: () => undefined }
    const transport = { send: async () => err('network_failed') }
    const made = createHomeModels({ config: models(text), transport, keys })
    expect(made.models.map(({ reader }) => reader.id)).toEqual(chain)
    // A template may name a model outside the order.
    expect(made.modelOf('claude', 'other')?.reader.id).toBe('claude:other')
    expect(made.modelOf('nobody', 'other')).toBeNull()
    // Another model of a local server may be one that it runs in a cloud.
    const reads = ['box', 'big:120b-cloud'] as const
    expect(made.modelOf(...reads)?.reader.level ?? 'sensitive').toBe('sensitive')
    expect(made.modelOf('box', 'qwen3')?.reader.level ?? 'regulated').toBe('regulated')
  })
})

describe('models that home offers to the edge', () => {
  const lent = (text: string) => {
    const keys = { issue: async () => err('credential_missing'), settle: () => undefined }
    const transport = { send: async () => err('network_failed') }
    return createHomeModels({ config: models(text), transport, keys }).lent.map(({ reader }) => reader.id)
  }
  it.each([
    ['is what is the owner’s own, whoever else is asked', THREE, ['box']],
    ['is of the chain', `[models]\nchain = ["claude"]\n${THREE}`, []],
    ['is nothing where the owner says so', `[models]\nlend_to_edge = false\n${THREE}`, []],
    ['is no server that hands on to a company', entry('gate', 'openai', 'cloud = true'), []],
  ])('what home offers the edge %s', (_, text, ids) => {
    expect(lent(text)).toEqual(ids)
  })

  it.each([
    ['behind its clouds where no order is given', {}, 1],
    ['where the order says', { chain: ['home', 'claude'] }, 0],
    ['nowhere in an order without it', { chain: ['claude'] }, null],
    ['nowhere where the setting is wrong', { chain: ['nobody'] }, null],
  ])('home’s model is called at the edge %s', (_, more, at) => {
    const providers = [{ name: 'claude', kind: 'anthropic', model: 'm' }]
    expect(edgeModels({ MODELS: { providers, ...more } }).homeAt).toBe(at)
  })

  it('home’s models have the same position at the local edge as at home', async () => {
    const marked = (chain: string) =>
      models(
        `[models]\nchain = ${chain}\n${entry('claude', 'anthropic', 'edge = true')}${entry('box', 'ollama')}`,
      )
    const input = { env: {}, ask: async () => null }
    const chainOf = async (chain: string): Promise<unknown> => {
      const made = await edgeModelBindings({ models: marked(chain) }, input)
      return made.ok && JSON.parse(made.value['MODELS'] ?? '').chain
    }
    expect(await chainOf('["box", "claude"]')).toEqual(['home', 'claude'])
    expect(await chainOf('["claude", "box"]')).toEqual(['claude', 'home'])
    expect(await chainOf('["claude"]')).toEqual(['claude'])
  })
})

describe('whether a provider is local', () => {
  it.each<[string, Parameters<typeof localityOf>[0], 'home' | 'cloud']>([
    [
      'at this machine',
      { kind: 'openai', base_url: 'http://127.0.0.1:8080/v1', model: 'm', cloud: false },
      'home',
    ],
    [
      'at localhost',
      { kind: 'openai', base_url: 'http://localhost:8080/v1', model: 'm', cloud: false },
      'home',
    ],
    ['at ::1', { kind: 'openai', base_url: 'http://[::1]:8080', model: 'm', cloud: false }, 'home'],
    [
      'in a private network',
      { kind: 'ollama', base_url: 'http://192.168.1.5:11434', model: 'm', cloud: false },
      'home',
    ],
    ['where Ollama is by itself', { kind: 'ollama', base_url: undefined, model: 'm', cloud: false }, 'home'],
    [
      'under a name, which may lead anywhere',
      { kind: 'ollama', base_url: 'https://box.lan', model: 'm', cloud: false },
      'cloud',
    ],
    [
      'under a name like an address',
      { kind: 'openai', base_url: 'https://127.0.0.1.example.com', model: 'm', cloud: false },
      'cloud',
    ],
    [
      'at a public address',
      { kind: 'openai', base_url: 'https://8.8.8.8', model: 'm', cloud: false },
      'cloud',
    ],
    [
      'at the address of metadata',
      { kind: 'openai', base_url: 'http://169.254.169.254', model: 'm', cloud: false },
      'cloud',
    ],
    ['where OpenAI is', { kind: 'openai', base_url: undefined, model: 'm', cloud: false }, 'cloud'],
    [
      'with Anthropic’s interface at this machine',
      { kind: 'anthropic', base_url: 'http://127.0.0.1:1', model: 'm', cloud: false },
      'cloud',
    ],
    [
      'with a model that Ollama runs elsewhere',
      { kind: 'ollama', base_url: undefined, model: 'big:120b-cloud', cloud: false },
      'cloud',
    ],
    [
      'with such a model by another interface of Ollama’s',
      { kind: 'openai', base_url: 'http://127.0.0.1:11434/v1', model: 'big:120b-cloud ', cloud: false },
      'cloud',
    ],
    [
      'and hands prompts on',
      { kind: 'openai', base_url: 'http://127.0.0.1:4000', model: 'm', cloud: true },
      'cloud',
    ],
  ])('a provider is local or not: %s: %#', (_, provider, locality) =>
    expect(localityOf(provider)).toBe(locality),
  )
})

describe('an invalid setting leaves the rules model, and is named without its value', () => {
  const KEY = 'a-value-that-nobody-repeats'
  it.each([
    ['a misspelt one', entry('a', 'openai', 'modle = "x"'), 'models.providers.0.modle', 'is not a setting'],
    ['a kind that there is not', entry('a', 'gemini'), 'models.providers.0.kind', 'has the wrong form'],
    [
      'a name twice',
      entry('a', 'openai') + entry('a', 'ollama'),
      'models.providers',
      'must each have a name of their own',
    ],
    ['a name that is taken', entry('rules', 'openai'), 'models.providers.0.name', 'is a name that is taken'],
    [
      'a key in the open',
      entry('a', 'openai', `key = "${KEY}"`),
      'models.providers.0.key',
      'must be a reference such as',
    ],
    [
      'an address with a name in it',
      entry('a', 'openai', 'base_url = "https://u@h.example"'),
      'models.providers.0.base_url',
      'must be an address',
    ],
    [
      'plain http abroad',
      entry('a', 'openai', 'base_url = "http://api.example.com"'),
      'models.providers.a.base_url',
      'must be https',
    ],
    [
      'a port abroad',
      entry('a', 'openai', 'base_url = "https://api.example.com:8443/v1"'),
      'models.providers.a.base_url',
      'must have no port of its own',
    ],
    [
      'a name that no public service has',
      entry('a', 'openai', 'base_url = "https://printer.local/v1"'),
      'models.providers.a.base_url',
      'must be a public address',
    ],
    [
      'a chain of strangers',
      `[models]\nchain = ["b"]\n${entry('a', 'openai')}`,
      'models.chain',
      'names a provider that is not set up',
    ],
    [
      'a chain that stutters',
      `[models]\nchain = ["a", "a"]\n${entry('a', 'openai')}`,
      'models.chain',
      'names a provider twice',
    ],
    [
      'a breaker of none',
      `[models.breaker]\nfailures = 0\n${entry('a', 'openai')}`,
      'models.breaker.failures',
      'must be at least 1',
    ],
  ])('an invalid setting is named: %s', (_, text, key, problem) => {
    const { trouble, providers, chain } = models(text)
    expect(trouble?.key).toBe(key)
    expect(trouble?.problem).toContain(problem)
    expect(JSON.stringify(trouble)).not.toContain(KEY)
    expect([providers, chain]).toEqual([[], []])
  })

  it('a setting that looks like a key prevents the start, as anywhere in the file', () => {
    const key = `sk-proj-${'a1B2c3D4'.repeat(4)}`
    expect(parseConfig(entry('a', 'openai', `key = "${key}"`))).toMatchObject({
      ok: false,
      reason: { facts: { key: 'models.providers.0.key' } },
    })
  })
})

it('the breaker’s bounds are the owner’s, in seconds', () => {
  const text = `[models.breaker]\nfailures = 5\nwithin_seconds = 10\nrest_seconds = 20\n${THREE}`
  expect(models(text).breaker).toEqual({ failures: 5, window: 10_000, rest: 20_000 })
})

it('a key is bound to one provider and its host', () => {
  const parsed = parseConfig(entry('claude', 'anthropic', 'key = "vault:mine"') + entry('box', 'ollama'))
  expect(parsed.ok && modelManifests(parsed.value)).toMatchObject([
    { name: 'model.claude', credential: 'mine', network: ['api.anthropic.com'], actions: [] },
  ])
})

describe('models of the edge', () => {
  const CLAUDE = { name: 'claude', kind: 'anthropic', model: 'm' }
  const KEY = 'key-of-the-edge-4711'

  it('the edge’s models come from its variable and secrets', () => {
    const { providers, trouble } = edgeModels({
      MODELS: JSON.stringify({ providers: [{ ...CLAUDE, name: 'gpt', kind: 'openai' }, CLAUDE] }),
      MODEL_KEY_CLAUDE: KEY,
    })
    expect(trouble).toBeNull()
    expect(providers).toMatchObject([
      { name: 'claude', key: KEY, baseUrl: 'https://api.anthropic.com' },
      { name: 'gpt', key: null, baseUrl: 'https://api.openai.com/v1' },
    ])
  })

  it('origins in MODEL_ORIGINS can be reached at any port', () => {
    const MODELS = { providers: [{ ...CLAUDE, base_url: 'http://127.0.0.1:4000/v1' }] }
    expect(edgeModels({ MODELS }).trouble).toBe('MODELS.providers.claude.base_url')
    const { trouble, providers } = edgeModels({ MODELS }, ['http://127.0.0.1:4000'])
    expect([trouble, providers.map(({ baseUrl }) => baseUrl)]).toEqual([null, ['http://127.0.0.1:4000/v1']])
  })

  it('a provider outside the chain is called only when a template names it', () => {
    const models = edgeModels({
      MODELS: { chain: ['claude'], providers: [{ ...CLAUDE, name: 'gpt', kind: 'openai' }, CLAUDE] },
    })
    const ways = { models, localOrigins: [], modelOrigins: [] }
    expect(edgeProviders(ways).map(({ reader }) => reader.id)).toEqual(['claude'])
    expect(edgeModelOf(ways)('gpt', null)?.reader.id).toBe('gpt')
  })

  it.each([
    ['no JSON', { MODELS: '{' }, 'MODELS'],
    ['a key in the list', { MODELS: { providers: [{ ...CLAUDE, key: KEY }] } }, 'MODELS.providers.0'],
    [
      'Ollama, which is home’s',
      { MODELS: { providers: [{ ...CLAUDE, kind: 'ollama' }] } },
      'MODELS.providers.claude.kind',
    ],
    [
      'a key of two words',
      { MODELS: { providers: [CLAUDE] }, MODEL_KEY_CLAUDE: `${KEY} x` },
      'MODEL_KEY_CLAUDE',
    ],
    [
      'a port',
      { MODELS: { providers: [{ ...CLAUDE, base_url: 'https://api.example.com:8443' }] } },
      'MODELS.providers.claude.base_url',
    ],
    [
      'plain http',
      { MODELS: { providers: [{ ...CLAUDE, base_url: 'http://api.example.com' }] } },
      'MODELS.providers.claude.base_url',
    ],
    ['a chain of strangers', { MODELS: { chain: ['b'], providers: [CLAUDE] } }, 'MODELS.chain'],
  ])('the edge answers by rules with %s, and names the setting', (_, env, trouble) => {
    const made = edgeModels(env)
    expect(made.trouble).toBe(trouble)
    expect(made.providers).toEqual([])
    expect(JSON.stringify(made)).not.toContain(KEY)
  })

  it('a model’s key is recognised in outgoing text and removed from prompts', () => {
    const models = edgeModels({ MODELS: { providers: [CLAUDE] }, MODEL_KEY_CLAUDE: KEY })
    const keys = { sealKey: 1, tokenKey: 2, nameKey: 3, signKey: 4 }
    const bytes = Object.fromEntries(
      Object.entries(keys).map(([name, fill]) => [name, new Uint8Array(32).fill(fill)]),
    )
    const bot = { channel: null, trouble: null }
    const settings = { ...bytes, firstCode: null, models, bot } as unknown as EdgeSettings
    expect(edgeSecrets(settings).find(`say ${KEY} now`)).not.toEqual([])
    expect(edgeRedact(settings)(`say ${KEY} now`)).toBe('say [redacted] now')
  })
})
