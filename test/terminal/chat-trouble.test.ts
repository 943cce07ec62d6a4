/** The message for a person whose chat token did not work (H-03, H-05). */
import { expect, test } from 'vitest'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { chatTrouble } from '../../sidecar/cli/commands/channel-command.ts'

test.each<[ReasonCode, RegExp]>([
  ['credential_rejected', /did not accept that, so nothing was stored\. Give/],
  ['network_failed', /could not be reached\. Run this again/],
  ['response_timeout', /could not be reached/],
  ['remote_unavailable', /could not be reached/],
  ['remote_rate_limited', /asks to slow down/],
  ['remote_rejected', /refused that/],
])('%s names the service and no edge', (code, words) => {
  for (const service of ['Telegram', 'Slack']) {
    const said = chatTrouble({ title: service, tokenHint: 'Give it whole.' }, { code, facts: {} }) ?? ''
    expect(said).toMatch(new RegExp(`^${service} ${words.source}`))
    expect(said).not.toMatch(/edge|npm start/)
  }
})

test.each<[ReasonCode]>([['key_development'], ['home_offline'], ['storage_failed']])(
  'a refusal of home itself has no such message: %s',
  (code) => expect(chatTrouble({ title: 'Slack', tokenHint: '' }, { code, facts: {} })).toBeNull(),
)
