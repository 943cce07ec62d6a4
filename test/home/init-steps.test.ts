/** What `pfar init` says about each chat, depending on the configuration (H-03, H-05). */
import { describe, expect, test } from 'vitest'
import { channelSteps } from '../../sidecar/cli/init-steps.ts'
import { parseConfig } from '../../sidecar/config/config.ts'

const EDGE = '[edge]\nurl = "https://edge.example.com"\n'
const BOT = '[telegram]\nowner = 1\nbot = 2\n'
const APP = '[slack]\nteam = "T1"\nowner = "U1"\napp = "A1"\nchat = "D1"\n'

const configOf = (toml: string) => () => {
  const config = parseConfig(toml)
  if (!config.ok) throw new Error(JSON.stringify(config.reason))
  return config.value
}

const look = (title: string, toml: string) =>
  channelSteps({
    ...{ context: {} as never, folder: {} as never, config: configOf(toml) },
    ...{ letGo: () => undefined, ask: async () => null },
  })
    .find((step) => step.title === title)
    ?.look()

describe('a chat at', () => {
  test.each([
    [
      'Telegram',
      '',
      'absent',
      /pfar channel connect telegram`; by your home box only: `pfar channel connect telegram --private`$/,
    ],
    ['Telegram, at home already', BOT, 'done', /is your private line; another, by an edge/],
  ])('%s', async (_what, toml, state, says) =>
    expect(await look('telegram', toml)).toEqual({ state, says: expect.stringMatching(says) }),
  )

  test('Telegram with an edge is asked about, whether or not it is at home', async () => {
    for (const toml of [EDGE, EDGE + BOT])
      expect(await look('telegram', toml)).toMatchObject({ state: 'due' })
  })

  test.each([
    ['Slack', '', { state: 'absent', says: 'by your home box only: `pfar channel connect slack`' }],
    [
      'Slack, with an edge',
      EDGE,
      { state: 'absent', says: 'by your home box only: `pfar channel connect slack`' },
    ],
    ['Slack, connected', APP, { state: 'done', says: 'an app of yours is your private line' }],
  ])('%s', async (_what, toml, said) => expect(await look('slack', toml)).toEqual(said))
})
