/**
 * `pfar connect contacts`: asks for a server, a user and a password without echo, shows the address books found, and stores only
 * settings that worked. Given the name of a calendar account, it reuses its server and user. Must not print a password. Called by
 * local/secret.ts.
 */
import { stringify } from 'smol-toml'
import { cleanLine } from '../../../integrations/extractors/page-clean.ts'
import { ADDRESSBOOK } from '../../../integrations/tools/addressbook/account-port.ts'
import { isAddress } from '../../../integrations/tools/reading.ts'
import type { Refusal } from '../../../kernel/flow/verdict.ts'
import {
  addressbookSecret,
  type CarddavSettings,
  MAX_ADDRESSBOOKS,
} from '../../addressbook/addressbook-settings.ts'
import { findBooks } from '../../addressbook/find-books.ts'
import { isCalendarServer } from '../../calendar/calendar-settings.ts'
import { calendarProviders } from '../../calendar/find-calendars.ts'
import { type Config, loadConfig } from '../../config/config.ts'
import { addAddressbookAccount } from '../../config/config-edit.ts'
import { isSaying, prompt, type Saying, tell } from '../../language/wording.ts'
import { createPinnedTransport } from '../../pages/pinned-transport.ts'
import { checkValue } from '../../secrets/secret.ts'
import type { TerminalAsker } from '../chat/asker.ts'
import { askSocket, type CommandContext, type ExitCode, fail, said } from '../command.ts'
import { readValue } from '../hidden-input.ts'
import { statePaths } from '../state-paths.ts'
import { freeAccountName } from './account-name.ts'
import { readyForSecrets } from './custody-question.ts'
import { secretSentence, sendToService } from './secret-command.ts'

export interface ContactsOptions {
  /** Name of a calendar account or a known provider, a web address, or a mail address. */
  readonly where?: string
  readonly user?: string
  /** The account's name in answers. */
  readonly name?: string
  readonly allowDevelopmentKey: boolean
  /** Null if nobody can be asked. */
  readonly asker: TerminalAsker | null
}

export async function connectContacts(context: CommandContext, options: ContactsOptions): Promise<ExitCode> {
  const { screen } = context
  const config = roomIn(context)
  const place = config === null ? null : await placeOf(context, config, options)
  if (config === null || place === null) return 1
  const { url, hint, usual, title } = place
  if (!isCalendarServer(url.origin))
    return refuse(context, {
      code: url.protocol === 'https:' ? 'address_private' : 'scheme_not_allowed',
      facts: {},
    })
  if (url.protocol === 'http:') screen.out(tell('dav_setup.no_tls'))
  if (hint !== null) screen.out(tell(hint))
  const user = options.user ?? usual ?? (await asked(options, prompt('dav_setup.user')))
  if (user === null || user === '') return said(context, tell('dav_setup.no_user'))
  const ready = await readyForSecrets(context, options)
  if (!ready.ok) return refuse(context, ready.reason)
  options.asker?.letGo()
  const typed = await readValue(prompt('dav_setup.password', { user, host: url.host }))
  const value = typed.ok ? checkValue('token', typed.value) : typed
  if (!value.ok) return refuse(context, value.reason)
  screen.out(tell('dav_setup.trying', { host: url.host }))
  const transport = createPinnedTransport()
  const found = await findBooks(url, { user, password: value.value, transport })
  await transport.close()
  if (!found.ok) return refuse(context, found.reason)
  const { server, home, books } = found.value
  if (server !== url.origin) screen.out(tell('dav_setup.books_at', { server }))
  screen.out(tell('dav_setup.books'))
  for (const { name, path } of books)
    screen.out(
      `  ${cleanLine(name, 60) || cleanLine(path.split('/').findLast((part) => part !== '') ?? '', 60)}`,
    )
  const settings: CarddavSettings = {
    ...{
      name: freeAccountName(options.name ?? title ?? url.hostname, {
        taken: config.addressbooks,
        otherwise: ADDRESSBOOK,
      }),
      server,
      user,
      home,
    },
  }
  const { allowDevelopmentKey } = ready.value
  return store(context, { settings, value: value.value, allowDevelopmentKey })
}

/** The configuration, if there is room for another account; otherwise null, after printing the reason. */
function roomIn(context: CommandContext): Config | null {
  const config = loadConfig(context.environment, statePaths(context.environment).root)
  if (!config.ok) {
    fail(context, config)
    return null
  }
  if (config.value.addressbooks.length < MAX_ADDRESSBOOKS) return config.value
  said(context, tell('dav_setup.books_full', { most: MAX_ADDRESSBOOKS }))
  return null
}

interface Place {
  readonly url: URL
  readonly hint: Saying | null
  /** The user name, if the place contains it. */
  readonly usual: string | null
  /** Name of the account, if the place gives one. */
  readonly title: string | null
}

/** Null if the owner has to give more information; what is missing has been printed. */
async function placeOf(
  context: CommandContext,
  { calendarAccounts }: Config,
  options: ContactsOptions,
): Promise<Place | null> {
  const calendars = calendarAccounts.flatMap((one) => (one.kind === 'caldav' ? [one] : []))
  const providers = calendarProviders()
  const names = [...new Set([...calendars, ...providers].map(({ name }) => name))]
  const where =
    options.where ?? (await asked(options, prompt('dav_setup.book_where', { list: names.join(', ') })))
  const wanted = (where ?? '').trim().toLowerCase()
  if (where === null || wanted === '') {
    said(context, tell('dav_setup.book_say', { list: names.join('|') }))
    return null
  }
  const domain = wanted.includes('@') ? wanted.split('@').at(-1) : undefined
  const calendar = calendars.find(({ name }) => name === wanted)
  const provider = providers.find(({ name, domains }) =>
    domain === undefined ? name === (calendar?.name ?? wanted) : domains.includes(domain),
  )
  const usual = calendar?.user ?? (isAddress(where) ? where : null)
  const known = provider?.contacts ?? (provider?.path === undefined ? provider?.url : undefined)
  const at = known ?? calendar?.server ?? (provider === undefined ? where : null)
  const typed = at ?? (await asked(options, prompt('dav_setup.where')))
  if (domain !== undefined && provider === undefined) {
    said(context, tell('dav_setup.book_unknown', { domain: cleanLine(domain, 80) }))
    return null
  }
  const url = URL.parse(typed === null || typed.includes('://') ? (typed ?? '') : `https://${typed}`)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    said(context, tell('dav_setup.book_address'))
    return null
  }
  if (provider?.path !== undefined && url.pathname === '/') url.pathname = provider.path
  return { url, hint: provider?.hint ?? null, usual, title: calendar?.name ?? provider?.name ?? null }
}

async function asked({ asker }: ContactsOptions, question: string): Promise<string | null> {
  return (await asker?.ask(question))?.trim() ?? null
}

interface Stored {
  readonly settings: CarddavSettings
  readonly value: string
  readonly allowDevelopmentKey: boolean
}

async function store(
  context: CommandContext,
  { settings, value, allowDevelopmentKey }: Stored,
): Promise<ExitCode> {
  const { screen, environment } = context
  const { name, server } = settings
  const stored = await sendToService(context, {
    method: 'secret_set',
    params: {
      ...{ name: addressbookSecret(name), value, kind: 'token', allowDevelopmentKey },
      ...{ tools: [ADDRESSBOOK], actions: [], hosts: [new URL(server).host] },
    },
  })
  if (!stored.ok) {
    screen.err(secretSentence(stored.reason))
    return 1
  }
  const table = `[[tools.addressbook.accounts]]\n${stringify({ ...settings }).trim()}\n`
  if (!addAddressbookAccount(statePaths(environment).config, table, name)) {
    screen.err(tell('dav_setup.by_hand', { table }))
    return 1
  }
  const runs = await askSocket(context, { method: 'connectable', params: {} })
  screen.out(tell('dav_setup.book_connected', { name }))
  screen.out(tell(runs.ok ? 'dav_setup.book_again' : 'dav_setup.book_start'))
  return 0
}

function refuse({ screen }: CommandContext, reason: Refusal): ExitCode {
  const saying = [`dav_setup.book_${reason.code}`, `dav_setup.tried_${reason.code}`].find(isSaying)
  screen.err(saying === undefined ? secretSentence(reason) : tell(saying))
  return 1
}
