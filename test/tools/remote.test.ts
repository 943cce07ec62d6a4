/** How tools ask a JSON service: with the credential of one call, or with none where the service asks for none (E-06). */
import { expect, it } from 'vitest'
import { callJson } from '../../integrations/tools/remote.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import type { HttpRequest, ToolCall } from '../../kernel/tool/manifest.ts'

function asking(credential: ToolCall['credential']) {
  const seen: HttpRequest[] = []
  const http = {
    request: async (request: HttpRequest) => {
      seen.push(request)
      return ok({ status: 200, body: '{"a":1}', url: request.url, headers: {} })
    },
  }
  return { seen, call: { credential, http, args: {} } as unknown as ToolCall }
}

const URL = 'https://find.example/v1'

it('sends the credential of the call, and nothing without one', async () => {
  const { seen, call } = asking({ scheme: 'bearer', value: 'tok' })
  expect(await callJson(call, { method: 'GET', url: URL })).toEqual(ok({ a: 1 }))
  expect(seen[0]?.headers?.['authorization']).toBe('Bearer tok')
  const none = asking(null)
  expect(await callJson(none.call, { method: 'GET', url: URL })).toMatchObject({
    reason: { code: 'credential_missing' },
  })
  expect(none.seen).toEqual([])
})

it.each([[null], [{ scheme: 'bearer', value: 'tok' } as const]])(
  'sends none to a service that asks for none: %j',
  async (credential) => {
    const { seen, call } = asking(credential)
    expect(await callJson(call, { method: 'GET', url: URL, keyless: true })).toEqual(ok({ a: 1 }))
    expect(seen[0]?.headers).not.toHaveProperty('authorization')
  },
)
