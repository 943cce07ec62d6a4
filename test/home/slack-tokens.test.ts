/** Who gets the tokens of the Slack app: one request at a time, each for its own use, its host and its app (H-05, invariant 4). */
import { expect, test } from 'vitest'
import { toolOf } from '../../integrations/channels/runtime/declaration.ts'
import { appOf, SLACK_CHANNEL } from '../../integrations/channels/slack/channel.ts'
import { tokenAsked } from '../../integrations/channels/slack/home-app.ts'
import type { AuditEvent } from '../../kernel/powers/stores.ts'
import { createTokenCustodian } from '../../sidecar/secrets/service-tokens.ts'
import { SLACK_APP, SLACK_APP_TOKEN, SLACK_BOT_TOKEN } from '../fakes/slack-server.ts'
import { secretsWorld } from './fixtures/secrets.ts'

const SLACK_TOOL = toolOf(SLACK_CHANNEL)
const HOST = 'slack.com'
const ASKED = { api: `https://${HOST}`, app: SLACK_APP }
const VALUES = { app: SLACK_APP_TOKEN, bot: SLACK_BOT_TOKEN }

async function custodian(values: Partial<typeof VALUES> = VALUES) {
  const { secrets } = await secretsWorld()
  for (const which of ['app', 'bot'] as const) {
    const value = values[which]
    const name = `slack-${which}`
    if (value !== undefined)
      await secrets.set({
        name,
        value,
        kind: 'token',
        scope: { tools: [SLACK_TOOL], actions: [], hosts: [HOST] },
      })
  }
  const lines: Omit<AuditEvent, 'at' | 'place'>[] = []
  const learnt: string[] = []
  const ways = {
    secrets,
    redactor: { learn: (_name: string, value: string) => void learnt.push(value) },
    audit: (line: Omit<AuditEvent, 'at' | 'place'>) => void lines.push(line),
    rejected: () => undefined,
  }
  const tokenOf = (secret: string) => createTokenCustodian(ways, { secret, tool: SLACK_TOOL })
  const tokens = { app: tokenOf('slack-app'), bot: tokenOf('slack-bot') }
  return { tokens, lines, learnt }
}

test.each(['app', 'bot'] as const)(
  'the token of the %s is issued, redacted, and audited once',
  async (of) => {
    const { tokens, lines, learnt } = await custodian()
    for (const _ of [1, 2]) {
      const issued = await tokens[of].issue(tokenAsked(of, ASKED))
      expect(issued).toMatchObject({ ok: true, value: { value: VALUES[of] } })
    }
    expect([learnt.includes(VALUES[of]), lines.length]).toEqual([true, 1])
    expect(JSON.stringify(lines)).not.toContain(VALUES[of])
  },
)

test.each<[string, 'app' | 'bot', Partial<typeof VALUES>, object, string, string | undefined]>([
  ['nothing is stored', 'bot', {}, {}, 'credential_missing', undefined],
  [
    'it is for another host',
    'bot',
    VALUES,
    { api: 'https://slack.example.com' },
    'credential_mismatch',
    'host',
  ],
  ['it is another app’s', 'app', VALUES, { app: 'A2' }, 'credential_mismatch', 'app'],
  [
    'it is a person’s',
    'bot',
    { bot: SLACK_BOT_TOKEN.replace('xoxb', 'xoxp') },
    {},
    'credential_mismatch',
    'bot',
  ],
  [
    'it is the bot’s, and the app’s is asked for',
    'app',
    { app: SLACK_BOT_TOKEN },
    {},
    'credential_mismatch',
    'app',
  ],
])('no token is issued where %s', async (_what, of, values, over, code, rule) => {
  const { tokens, lines } = await custodian(values)
  const issued = await tokens[of].issue(tokenAsked(of, { ...ASKED, ...over }))
  expect(issued).toMatchObject({ ok: false, reason: { code, facts: rule === undefined ? {} : { rule } } })
  expect(JSON.stringify([issued, lines])).not.toMatch(/xox[bp]-|xapp-/)
})

test('the app of a token is known without issuing it', async () => {
  const { tokens } = await custodian()
  expect(await tokens.app.whose(appOf, 'app')).toEqual({ ok: true, value: SLACK_APP })
  const { tokens: wrong } = await custodian({ app: SLACK_BOT_TOKEN })
  expect(await wrong.app.whose(appOf, 'app')).toMatchObject({ reason: { code: 'credential_mismatch' } })
})
