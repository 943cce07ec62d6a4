/** `[vision]`: a local model of the owner's that describes pictures, or none (B-27, D-04): no setting allows one of a company. */
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../sidecar/config/config.ts'
import { modelManifests } from '../../sidecar/home/home-tools.ts'

const parsed = (lines: string) => {
  const result = parseConfig(`[vision]\n${lines}`)
  return result.ok ? result.value.vision : result.reason.facts
}
const OWN = 'model = "some-vision"'
const HOME_ONLY = 'pictures are looked at at home or not at all'

describe('the owner’s own model', () => {
  it.each([
    ['of this machine’s Ollama', OWN, 'ollama', 'http://127.0.0.1:11434'],
    [
      'of the owner’s network',
      `${OWN}\nbase_url = "http://192.168.1.9:11434/"`,
      'ollama',
      'http://192.168.1.9:11434',
    ],
    [
      'of another server',
      `${OWN}\nkind = "openai"\nbase_url = "http://localhost:8080/v1"`,
      'openai',
      'http://localhost:8080/v1',
    ],
  ])('%s', (_what, lines, kind, baseUrl) =>
    expect(parsed(lines)).toMatchObject({
      ...{ name: 'vision', model: 'some-vision', kind, baseUrl, locality: 'home', key: null },
      ...{ edge: false, warm: false },
    }),
  )

  it('takes a key by name, for that model and address only', () => {
    const config = parseConfig(
      `[vision]\n${OWN}\nkind = "openai"\nbase_url = "http://127.0.0.1:8080/v1"\nkey = "vault:eyes"`,
    )
    if (!config.ok) throw new Error(config.reason.code)
    expect(modelManifests(config.value)).toMatchObject([
      { name: 'model.vision', network: ['127.0.0.1:8080'], credential: 'eyes' },
    ])
  })

  it('is absent if not configured', () => {
    const config = parseConfig('')
    expect(config.ok && config.value.vision).toBeNull()
  })
})

describe('is refused', () => {
  it.each([
    ['a company', `${OWN}\nkind = "openai"\nbase_url = "https://api.openai.com/v1"`, 'vision', HOME_ONLY],
    ['a company by its usual address', `${OWN}\nkind = "openai"`, 'vision', HOME_ONLY],
    ['an Ollama of somebody’s', `${OWN}\nbase_url = "https://ollama.com"`, 'vision', HOME_ONLY],
    ['a model that Ollama runs elsewhere', 'model = "some-vision:235b-cloud"', 'vision', HOME_ONLY],
    ['a name that may lead anywhere', `${OWN}\nbase_url = "http://box.lan:11434"`, 'vision', HOME_ONLY],
    ['what says that it hands on', `${OWN}\ncloud = true`, 'vision.cloud', 'is not a setting'],
    ['a company’s kind', `${OWN}\nkind = "anthropic"`, 'vision.kind', 'has the wrong form'],
    ['no model', '', 'vision.model', 'must be string'],
    ['a key that is one', `${OWN}\nkey = "abc"`, 'vision.key', ''],
    [
      'the name of a provider',
      `${OWN}\n[[models.providers]]\nname = "vision"\nkind = "ollama"\nmodel = "m"`,
      'vision',
      'call that one otherwise',
    ],
  ])('%s', (_what, lines, key, problem) =>
    expect(parsed(lines)).toMatchObject({ key, problem: expect.stringContaining(problem) }),
  )
})
