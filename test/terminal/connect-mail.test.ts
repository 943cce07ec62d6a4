/** What `pfar connect mail` asks where the servers of an address are not sure: the owner is asked for them, and nothing goes elsewhere unasked. */
import { expect, test } from 'vitest'
import { createContext } from '../../sidecar/cli/command.ts'
import { settingsFor } from '../../sidecar/cli/commands/mail-command.ts'
import type { FoundSettings } from '../../sidecar/mail/find-settings.ts'

const ELSEWHERE: FoundSettings = {
  ...{ how: 'dns', title: null, user: 'ada@firm.example', filesSent: false, hint: null, sure: false },
  ...{ imap: { host: 'mail.host.example', port: 993 }, smtp: { host: 'out.host.example', port: 465 } },
}
const HOSTED: FoundSettings = { ...ELSEWHERE, how: 'mx', title: 'Fastmail', hint: 'Make one.', sure: true }

/** `typed`: one answer after the other; null where nobody is there to ask. */
async function found(settings: FoundSettings | null, typed: readonly string[] | null) {
  const [shown, asked]: [string[], string[]] = [[], []]
  const show = (text: string) => void shown.push(text)
  const context = createContext({ out: show, err: show, progress: () => undefined, dim: String }, {})
  const left = [...(typed ?? [])]
  const ask = async (question: string) => {
    asked.push(question)
    return left.shift() ?? null
  }
  const asker = typed === null ? null : { ask, letGo: () => undefined }
  const options = { address: 'ada@firm.example', allowDevelopmentKey: false, asker }
  const result = await settingsFor(context, options, async () => settings)
  return { servers: result && [result.imap.host, result.smtp.host], shown: shown.join('\n'), asked }
}

test.each([
  ['a yes', ['yes'], ['mail.host.example', 'out.host.example']],
  [
    'a no, and both servers',
    ['no', 'imap.firm.example:993', 'smtp.firm.example:465', ''],
    ['imap.firm.example', 'smtp.firm.example'],
  ],
  ['a no alone', ['no', ''], null],
  ['nothing', [], null],
])('servers elsewhere that the domain names: after %s', async (_, typed, servers) => {
  const ran = await found(ELSEWHERE, typed)
  expect(ran.servers).toEqual(servers)
  expect(ran.asked[0]).toContain('mail.host.example:993 for reading and out.host.example:465 for sending')
})

test('with nobody to ask, the command to say is shown and nothing is taken', async () => {
  const { servers, shown } = await found(ELSEWHERE, null)
  expect(servers).toBeNull()
  expect(shown).toContain('pfar connect mail ada@firm.example --imap mail.host.example:993')
})

test('a domain at a provider of the list: it is named, and nothing is asked', async () => {
  const { servers, shown, asked } = await found(HOSTED, [])
  expect([servers, asked]).toEqual([['mail.host.example', 'out.host.example'], []])
  expect(shown).toBe('The mail of firm.example is at Fastmail.\nMake one.')
})
