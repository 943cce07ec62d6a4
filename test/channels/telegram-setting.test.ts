/** Settings of the edge's bot: an invalid one disables the bot and is reported by name, never by value. */
import { describe, expect, it } from 'vitest'
import type { EdgeSettings } from '../../durable-objects/platform/env.ts'
import { createFetchTransport } from '../../durable-objects/platform/fetch-transport.ts'
import { edgeRedact, edgeSecrets } from '../../durable-objects/principal/known-secrets.ts'
import { chatBehind, TELEGRAM_EDGE } from '../../integrations/channels/telegram/edge.ts'
import { edgeTelegram } from '../../integrations/channels/telegram/edge-setting.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { SECRET } from '../fakes/telegram-updates.ts'

const GOOD = { TELEGRAM: '{"owner": 7}', TELEGRAM_TOKEN: BOT_TOKEN, TELEGRAM_SECRET: SECRET }

it('a valid setting has an owner, a token and a secret, and strangers get no answer by default', () =>
  expect(edgeTelegram(GOOD)).toEqual({
    setting: {
      ...{ owner: 7, strangers: 'silent', api: 'https://api.telegram.org', commands: [] },
      ...{ token: BOT_TOKEN, secret: SECRET },
    },
    trouble: null,
  }))

it('without settings there is no bot', () => {
  expect(edgeTelegram({})).toEqual({ setting: null, trouble: null })
  expect(edgeTelegram({ ...GOOD, TELEGRAM: '' })).toEqual({ setting: null, trouble: null })
})

it.each<[string, object, string]>([
  ['no JSON', { TELEGRAM: 'x' }, 'TELEGRAM'],
  ['no owner', { TELEGRAM: '{}' }, 'TELEGRAM.owner'],
  ['a group for an owner', { TELEGRAM: '{"owner": -7}' }, 'TELEGRAM.owner'],
  ['a name for an owner', { TELEGRAM: '{"owner": "me"}' }, 'TELEGRAM.owner'],
  ['an unknown key', { TELEGRAM: '{"owner": 7, "all": true}' }, 'TELEGRAM'],
  ['another word for strangers', { TELEGRAM: '{"owner": 7, "strangers": "yes"}' }, 'TELEGRAM.strangers'],
  ['an address with a path', { TELEGRAM: '{"owner": 7, "api": "https://x.example/y"}' }, 'TELEGRAM.api'],
  [
    'an address of its own in the clear',
    { TELEGRAM: '{"owner": 7, "edge": "http://x.example"}' },
    'TELEGRAM.edge',
  ],
  ['no token', { TELEGRAM_TOKEN: undefined }, 'TELEGRAM_TOKEN'],
  ['a token that would leave its path', { TELEGRAM_TOKEN: `${BOT_TOKEN}/../x` }, 'TELEGRAM_TOKEN'],
  ['no secret', { TELEGRAM_SECRET: undefined }, 'TELEGRAM_SECRET'],
  ['an empty secret', { TELEGRAM_SECRET: '' }, 'TELEGRAM_SECRET'],
  ['a secret that could be tried out', { TELEGRAM_SECRET: 'a'.repeat(31) }, 'TELEGRAM_SECRET'],
])('with %s there is no bot, and the setting is named', (_name, over, trouble) => {
  const made = edgeTelegram({ ...GOOD, ...over })
  expect(made).toEqual({ setting: null, trouble })
})

describe('the bot’s token and secret', () => {
  const bytes = new Uint8Array(32).fill(1)
  const settings = {
    ...{ sealKey: bytes, tokenKey: bytes, nameKey: bytes, signKey: bytes, firstCode: null },
    ...{ models: { providers: [] }, bot: TELEGRAM_EDGE.open(GOOD, createFetchTransport()) },
  } as unknown as EdgeSettings
  it.each([BOT_TOKEN, SECRET])(
    'token and secret are recognised in outgoing text and removed from prompts',
    (key) => {
      expect(edgeSecrets(settings).find(`say ${key} now`)).not.toEqual([])
      expect(edgeRedact(settings)(`say ${key} now`)).toBe('say [redacted] now')
    },
  )
})

it.each<[string, number | null]>([
  ['sink:telegram:open', 7],
  ['sink:telegram:66', 66],
  ['sink:telegram:-100123', -100_123],
  ['sink:telegram:owner', null],
  ['sink:telegram:07', null],
  ['sink:telegram:1e3', null],
  ['sink:openline:owner', null],
  ['xsink:telegram:66', null],
])('the sink %s leads to chat %s', (sink, chat) => expect(chatBehind(sink, { owner: 7 })).toBe(chat))
