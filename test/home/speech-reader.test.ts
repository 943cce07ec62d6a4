/**
 * The transcription of recordings, over real sockets (H-15): the request format, a code for each kind of failure, no
 * redirect, no key to another host, and the locality by address.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { parseConfig } from '../../sidecar/config/config.ts'
import type { SpeechConfig } from '../../sidecar/models/models-config.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import type { ModelKeys } from '../../sidecar/secrets/service-tokens.ts'
import { createSpeech, speechAnswers } from '../../sidecar/speech/speech-reader.ts'
import { type SpeechServer, startSpeechServer } from '../fakes/speech-server.ts'

const transport = createPinnedTransport()
let server: SpeechServer
beforeAll(async () => {
  server = await startSpeechServer()
})
afterAll(async () => {
  await server.close()
  await transport.close()
})
beforeEach(() => {
  server.answer = 'The lantern opens at nine.'
  server.heard.length = 0
  server.refused.length = 0
})

const settled: string[] = []
const keys = (value: Result<string>): ModelKeys => ({
  issue: async () => value,
  settle: (_call, use) => void settled.push(use),
})
const config = (over: Partial<SpeechConfig> = {}): SpeechConfig => ({
  ...{ baseUrl: server.url, model: 'whisper-1', locality: 'home', key: null, language: null },
  ...over,
})
/** Contains what looks like the end of a form, and non-text bytes. */
const SOUND = Buffer.from('OggS\r\n--pfar\u0000\u00ff\r\n--\r\n', 'latin1')
const read = (over: Partial<SpeechConfig> = {}, key: Result<string> = err('credential_missing')) =>
  createSpeech({ config: config(over), transport, keys: keys(key) }).read(SOUND, 'ogg')
const code = (result: Result<unknown>): string => (result.ok ? 'ok' : result.reason.code)

it('a transcription request contains the recording, byte for byte, and no other data', async () => {
  expect(await read()).toEqual({ ok: true, value: { text: 'The lantern opens at nine.' } })
  expect(server.heard).toEqual([
    {
      file: { name: 'recording.ogg', bytes: SOUND },
      fields: { model: 'whisper-1', response_format: 'json' },
      authorization: null,
    },
  ])
})

it('a transcription request names the language if one is set, and contains the key if one is needed', async () => {
  settled.length = 0
  expect(code(await read({ language: 'de', key: 'whisper' }, ok('sk-very-secret')))).toBe('ok')
  expect(server.heard[0]).toMatchObject({
    fields: { language: 'de' },
    authorization: 'Bearer sk-very-secret',
  })
  expect(settled).toEqual(['accepted'])
})

describe('a transcription fails', () => {
  it.each<[string, SpeechServer['answer'], string]>([
    ['where nothing was said', '  ', 'nothing_found'],
    ['where it does not take the sound', { status: 422, body: '{}' }, 'field_malformed'],
    ['where it is busy', { status: 503, body: '{}' }, 'model_overloaded'],
    ['where it breaks', { status: 500, body: 'A canary of the server.' }, 'model_unavailable'],
    ['where the key is none', { status: 401, body: '{}' }, 'model_misconfigured'],
    ['where it answers as something else', { status: 200, body: '<html>' }, 'model_garbled'],
    ['where its answer has no text', { status: 200, body: '{"words":[]}' }, 'model_garbled'],
    ['where it leads elsewhere', { status: 303, body: '' }, 'model_misconfigured'],
    [
      'where its answer has no end',
      { status: 200, body: `{"text":"${'a'.repeat(300_000)}"}` },
      'model_garbled',
    ],
  ])('%s', async (_what, answer, reason) => {
    server.answer = answer
    const failed = await read()
    expect(code(failed)).toBe(reason)
    expect(JSON.stringify(failed)).not.toContain('canary')
    // No further request is made, wherever a redirect leads.
    expect([server.heard.length, server.refused]).toEqual([1, []])
  })

  it.each<[string, Partial<SpeechConfig>, string]>([
    ['where there is no such model', { model: 'another' }, 'model_misconfigured'],
    ['where its key is not there, and nobody is asked', { key: 'whisper' }, 'model_misconfigured'],
    ['where nobody listens', { baseUrl: 'http://127.0.0.1:1/v1' }, 'model_unavailable'],
  ])('%s', async (_what, over, reason) => {
    expect(code(await read(over))).toBe(reason)
    expect(server.heard).toEqual([])
  })
})

it('a server counts as answering with any status, and not without a response', async () => {
  expect(await speechAnswers(config(), transport)).toBe(true)
  expect(await speechAnswers(config({ baseUrl: `${server.url}/nothing` }), transport)).toBe(true)
  expect(await speechAnswers(config({ baseUrl: 'http://127.0.0.1:1/v1' }), transport)).toBe(false)
})

describe('[speech]', () => {
  const parsed = (lines: string) => {
    const result = parseConfig(`[speech]\n${lines}`)
    return result.ok ? result.value.speech : result.reason.facts
  }
  const own = 'base_url = "http://127.0.0.1:8000/v1/"\nmodel = "whisper-1"'

  it.each([
    ['of this machine', own, 'home'],
    ['of the network at home', own.replace('127.0.0.1', '192.168.1.9'), 'home'],
    ['of this machine that hands on', `${own}\ncloud = true`, 'cloud'],
    ['of a company', 'base_url = "https://api.example.com/v1"\nmodel = "whisper-1"', 'cloud'],
  ])('one %s', (_what, lines, locality) => expect(parsed(lines)).toMatchObject({ locality }))

  it('drops a trailing slash of the address, and takes a key by name', () => {
    expect(parsed(`${own}\nkey = "vault:whisper"\nlanguage = "en"`)).toEqual({
      ...{ baseUrl: 'http://127.0.0.1:8000/v1', model: 'whisper-1', locality: 'home' },
      ...{ key: 'whisper', language: 'en' },
    })
    expect(parsed('')).toMatchObject({ key: 'speech.base_url' })
  })

  it.each([
    [
      'a company that is asked in the clear',
      'base_url = "http://api.example.com/v1"\nmodel = "m"',
      'base_url',
    ],
    ['a secret in the address', 'base_url = "http://a:b@127.0.0.1/v1"\nmodel = "m"', 'base_url'],
    ['no address', 'base_url = "here"\nmodel = "m"', 'base_url'],
    ['a language that is none', `${own}\nlanguage = "English"`, 'language'],
    ['a setting that is none', `${own}\nvoice = "x"`, 'voice'],
  ])('%s is refused', (_what, lines, key) => expect(parsed(lines)).toMatchObject({ key: `speech.${key}` }))
})
