/**
 * The `fetch` given to a provider's library: one origin, few headers, one key, and errors without content. No network: a recording
 * transport.
 */
import { describe, expect, it } from 'vitest'
import type { TransportRequest } from '../../integrations/http/transport.ts'
import { watchCall } from '../../integrations/models/call-watch.ts'
import type { ProviderFailure } from '../../integrations/models/failure.ts'
import { createProviderFetch, type ProviderFetch } from '../../integrations/models/provider-fetch.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'

interface Setting {
  readonly fetch: ProviderFetch
  readonly sent: TransportRequest[]
  readonly failures: ProviderFailure[]
}

function setting(baseUrl: string, exemptOrigins: readonly string[] = [], refusal?: ReasonCode): Setting {
  const sent: TransportRequest[] = []
  const failures: ProviderFailure[] = []
  const body = (async function* () {
    yield new TextEncoder().encode('data: a\n\n')
  })()
  const watch = watchCall(5_000, undefined)
  watch.close()
  const fetch = createProviderFetch({
    connection: {
      ...{ baseUrl, exemptOrigins, key: null },
      transport: {
        send: async (request) => {
          sent.push(request)
          if (refusal !== undefined) return err(refusal)
          return ok({ status: 200, headers: { 'content-type': 'text/event-stream' }, body })
        },
      },
    },
    watch: { ...watch, silence: () => undefined },
    key: 'the-key',
    headers: { 'x-version': '1' },
    frames: 'event',
    limits: { maxBytes: 100, maxFrame: 100 },
    idle: 1_000,
    failed: (failure) => failures.push(failure),
  })
  return { fetch, sent, failures }
}

const API = 'https://api.provider.example/v1'
const LOCAL = 'http://127.0.0.1:4100'

describe('a request through the provider’s fetch', () => {
  it.each<[url: string, base: string, exempt: readonly string[], rule: string | null]>([
    ['https://api.provider.com/v1/chat', 'https://api.provider.com/v1', [], null],
    [`${LOCAL}/api/chat`, LOCAL, [LOCAL], null],
    ['https://elsewhere.com/v1', 'https://api.provider.com/v1', [], 'host_not_allowed'],
    ['https://api.provider.com.evil.com/v1', 'https://api.provider.com/v1', [], 'host_not_allowed'],
    ['https://api.provider.com:8443/v1', 'https://api.provider.com/v1', [], 'host_not_allowed'],
    ['http://api.provider.com/v1', 'https://api.provider.com/v1', [], 'scheme_not_allowed'],
    ['http://api.provider.com/v1', 'https://api.provider.com/v1', ['http://api.provider.com'], 'origin'],
    ['https://user@api.provider.com/v1', 'https://api.provider.com/v1', [], 'url_malformed'],
    ['http://127.0.0.1:4200/', LOCAL, [LOCAL, 'http://127.0.0.1:4200'], 'host_not_allowed'],
    [`${LOCAL}/`, LOCAL, [], 'scheme_not_allowed'],
    [API, API, [], 'address_private'],
    [LOCAL, 'no address', [LOCAL], 'host_not_allowed'],
  ])('a request to %s, of a provider at %s', async (url, base, exempt, rule) => {
    const { fetch, sent, failures } = setting(base, exempt)
    const answer = await fetch(url).catch((error: Error) => error.message)
    expect(sent).toHaveLength(rule === null ? 1 : 0)
    if (rule === null) return
    expect(answer).toBe('the provider gave no answer')
    expect(failures).toEqual([{ reason: { code: 'model_misconfigured', facts: { rule } } }])
  })

  it('a request has no header of the client, and the key that only this fetch adds', async () => {
    const { fetch, sent } = setting(LOCAL, [LOCAL])
    const headers = ['accept', 'content-type', 'x-version', 'x-api-key', 'authorization', 'cookie', 'host']
    await fetch(LOCAL, {
      method: 'POST',
      body: '{}',
      headers: Object.fromEntries(headers.map((name) => [name, 'of the client'])),
    })
    expect(sent[0]).toMatchObject({ method: 'POST', body: '{}', exempt: true })
    expect(sent[0]?.headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'x-version': '1',
      authorization: 'Bearer the-key',
      'user-agent': 'pfar/0.1',
    })
  })

  it.each<[ReasonCode, ReasonCode, string]>([
    ['network_failed', 'model_failed', 'connection'],
    ['address_private', 'model_misconfigured', 'address_private'],
  ])('a request that ends as %s is %s', async (refusal, code, rule) => {
    const { fetch, failures } = setting(LOCAL, [LOCAL], refusal)
    await expect(fetch(LOCAL)).rejects.toThrow('the provider gave no answer')
    expect(failures).toEqual([{ reason: { code, facts: { rule } } }])
  })
})
