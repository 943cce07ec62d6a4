/** Who gets the token of home's bot: one request at a time, for its host and its bot; no reason and no audit row quotes it (H-04). */
import { expect, test } from 'vitest'
import { toolOf } from '../../integrations/channels/runtime/declaration.ts'
import { TELEGRAM as BOT_SECRET, TELEGRAM_CHANNEL } from '../../integrations/channels/telegram/channel.ts'
import { tokenAsked } from '../../integrations/channels/telegram/home-bot.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import type { SecretKind } from '../../sidecar/secrets/secret.ts'
import { createTokenCustodian } from '../../sidecar/secrets/service-tokens.ts'
import { PRIVATE_TOKEN } from '../fakes/telegram-token.ts'
import { secretsWorld } from './fixtures/secrets.ts'

const BOT_TOOL = toolOf(TELEGRAM_CHANNEL)
const HOST = 'api.telegram.org'
const ASKED = tokenAsked({ api: `https://${HOST}`, bot: 5151 })
const SCOPE = { tools: [BOT_TOOL], actions: [], hosts: [HOST] }

async function given(over: { scope?: Partial<typeof SCOPE>; kind?: SecretKind } | null = {}) {
  const { secrets } = await secretsWorld()
  if (over !== null)
    await secrets.set({
      ...{ name: BOT_SECRET, value: PRIVATE_TOKEN, kind: over.kind ?? 'token' },
      scope: { ...SCOPE, ...over.scope },
    })
  const lines: Omit<AuditEvent, 'at' | 'place'>[] = []
  const rejected: number[] = []
  const learnt: string[] = []
  const custodian = createTokenCustodian(
    {
      secrets,
      redactor: { learn: (_name, value) => void learnt.push(value) },
      audit: (line) => void lines.push(line),
      rejected: (_name, version) => void rejected.push(version),
    },
    { secret: BOT_SECRET, tool: BOT_TOOL },
  )
  return { token: custodian, lines, rejected, learnt }
}

test('a token is issued for a request, redacted, and audited once', async () => {
  const { token, lines, learnt } = await given()
  for (const _ of [1, 2, 3])
    expect(await token.issue(ASKED)).toEqual({ ok: true, value: { value: PRIVATE_TOKEN, version: 1 } })
  expect(learnt).toContain(PRIVATE_TOKEN)
  expect(lines).toMatchObject([{ kind: 'credential_issued', facts: { credential: BOT_SECRET, ok: true } }])
  expect(JSON.stringify(lines)).not.toContain(PRIVATE_TOKEN)
})

test.each([
  ['nothing is stored', null, ASKED, 'credential_missing', undefined],
  ['it was stored for something else', { scope: { tools: ['web'] } }, ASKED, 'credential_mismatch', 'tool'],
  ['it is for another host', {}, { ...ASKED, host: 'other.example.com' }, 'credential_mismatch', 'host'],
  ['it is no token', { kind: 'key' as const }, ASKED, 'credential_mismatch', 'kind'],
  ['it is another bot’s', {}, tokenAsked({ api: `https://${HOST}`, bot: 515 }), 'credential_mismatch', 'bot'],
])('no token is issued where %s', async (_what, stored, asked, code, rule) => {
  const { token, lines } = await given(stored)
  const issued = await token.issue(asked)
  expect(issued).toMatchObject({ ok: false, reason: { code, facts: rule === undefined ? {} : { rule } } })
  expect(JSON.stringify([issued, lines])).not.toContain(PRIVATE_TOKEN)
})

test('the rejection of a version is reported once', async () => {
  const { token, rejected } = await given()
  for (const _ of [1, 2]) token.settle(1, 'rejected')
  expect(rejected).toEqual([1])
})
