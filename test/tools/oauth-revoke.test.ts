/** A permission is ended at exactly one address, and its token stands in the body alone. */
import { expect, it } from 'vitest'
import { type OAuthClient, revokeToken } from '../../integrations/tools/oauth-token.ts'

const ADDRESS = 'https://oauth2.googleapis.com/revoke'

async function revoke(status: number, body = '', client: OAuthClient | null = null) {
  const asked: { readonly url: string; readonly body: string }[] = []
  const done = await revokeToken({
    ...{ url: ADDRESS, token: 'refresh-token-1', client, exemptOrigins: [] },
    transport: {
      send: async (request) => {
        asked.push({ url: String(request.url), body: String(request.body) })
        return {
          ok: true,
          value: {
            ...{ status, headers: {} },
            body: (async function* () {
              yield new TextEncoder().encode(body)
            })(),
          },
        } as never
      },
    },
  })
  return { done, asked }
}

it.each([
  ['ended', 200, '', true],
  ['ended before', 400, '{"error":"invalid_token"}', true],
  ['not ended', 503, '', false],
  ['refused for another reason', 400, '{"error":"invalid_client"}', false],
])('is %s', async (_, status, body, isOk) => {
  const { done, asked } = await revoke(status, body)
  expect(done.ok).toBe(isOk)
  expect(asked).toEqual([{ url: ADDRESS, body: 'token=refresh-token-1&token_type_hint=refresh_token' }])
})

it('names its client where the service wants that, in the body alone', async () => {
  const { asked } = await revoke(200, '', { clientId: 'ada-1234', clientSecret: 'secret-5678' })
  const body =
    'token=refresh-token-1&token_type_hint=refresh_token&client_id=ada-1234&client_secret=secret-5678'
  expect(asked).toEqual([{ url: ADDRESS, body }])
})
