/** What `pfar init` says about each chat and account, depending on the configuration (H-03, H-05). */
import { describe, expect, test } from 'vitest'
import { calendarStep, contactsStep, mailStep } from '../../sidecar/cli/account-steps.ts'
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

const MAIL =
  '[tools.mail]\naddress = "you@example.com"\nimap = "imap.example.com:993"\nsmtp = "smtp.example.com:465"\n'
const CALENDAR =
  '[[tools.calendar.accounts]]\nname = "nextcloud"\nkind = "caldav"\nserver = "https://cloud.example.com"\nuser = "you"\nhome = "/dav/"\n'
const FEED =
  '[[tools.calendar.accounts]]\nname = "holidays"\nkind = "ics"\nserver = "https://cal.example.com"\n'
const BOOK =
  '[[tools.addressbook.accounts]]\nname = "friends"\nserver = "https://cloud.example.com"\nuser = "you"\nhome = "/dav/"\n'

describe('an account of the owner', () => {
  const stepAt = (what: 'mail' | 'calendar' | 'contacts', toml: string, typed: readonly string[] = []) => {
    const left = [...typed]
    const make = { mail: mailStep, calendar: calendarStep, contacts: contactsStep }[what]
    return make({
      ...{ context: {} as never, folder: {} as never, config: configOf(toml), letGo: () => undefined },
      asker: { ask: async () => left.shift() ?? null, letGo: () => undefined },
    })
  }
  const due = (question: RegExp) => ({
    ...{ state: 'due', usual: 'later', question: expect.stringMatching(question) },
  })

  test.each([
    ['mail', '', due(/^Which mail address is yours/)],
    ['mail', MAIL, { state: 'done', says: 'you@example.com, as config.toml says' }],
    ['calendar', '', due(/google, icloud, fastmail, nextcloud[\s\S]*an address[\s\S]*ics/)],
    ['calendar', MAIL, due(/^Where is your calendar/)],
    ['calendar', FEED, { state: 'done', says: 'holidays; another: `pfar connect calendar`' }],
    // Nobody without an account is asked for one that belongs to it.
    ['contacts', '', { state: 'absent', says: expect.stringContaining('`pfar connect contacts`') }],
    ['contacts', MAIL, due(/icloud, fastmail, nextcloud/)],
    ['contacts', CALENDAR, due(/\(nextcloud, icloud/)],
    ['contacts', CALENDAR + BOOK, { state: 'done', says: 'friends; another: `pfar connect contacts`' }],
  ] as const)('%s, with %j', async (what, toml, look) =>
    expect(await stepAt(what, toml).look()).toEqual(look),
  )

  test.each([
    ['mail', /^later: `pfar connect mail/],
    ['calendar', /^later: `pfar connect calendar`, or `pfar connect ics`/],
    ['contacts', /^later: `pfar connect contacts`/],
  ] as const)('is left for later: %s', async (what, says) =>
    expect(await stepAt(what, '').take('later')).toEqual({ ok: true, says: expect.stringMatching(says) }),
  )
})
