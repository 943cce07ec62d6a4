/**
 * `pfar connect contacts`: asks for a server, a user and a password without echo, shows the address books that are there, and stores only what
 * worked. A calendar account's server and user are taken over by its name. Must not print a password. Called by local/secret.ts.
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
  /** A calendar account's name, a provider of the list, an address of the web, or a mail address. */
  readonly where?: string
  readonly user?: string
  /** The account's name in answers. */
  readonly name?: string
  readonly allowDevelopmentKey: boolean
  /** Null where nobody can be asked. */
  readonly asker: TerminalAsker | null
}

/** Sentences about trying the account. */
const TRIED: Readonly<Record<string, string>> = {
  remote_unauthorized:
    'The server did not take that user and password. Nothing was stored. Most providers want an app password here, not the password of your account.',
  remote_not_found: 'There is no address book at that address. Nothing was stored.',
  remote_rejected: 'The server has no address book for you at that address. Nothing was stored.',
  tool_result_invalid: 'What answers there is no server of address books. Nothing was stored.',
  redirect_refused:
    'That address leads to another server. Name the one that it leads to. Nothing was stored.',
  host_not_allowed:
    'That address leads to another server. Name the one that it leads to. Nothing was stored.',
  scheme_not_allowed:
    'That address has no TLS: everybody on the way could read your password. It was told nothing, and nothing was stored.',
  address_private:
    'That name leads into a private network. For a server of your own network say its address in figures, such as http://192.168.1.20:5232. Nothing was stored.',
  network_failed: 'The server cannot be reached with TLS. Nothing was stored. Is the address right?',
  response_timeout: 'The server does not answer. Nothing was stored.',
  response_too_large: 'The server answers with more than 5 MB. Nothing was stored.',
  remote_unavailable: 'The server cannot answer just now. Nothing was stored; try again later.',
  remote_rate_limited: 'The server wants to be left alone for now. Nothing was stored; try again later.',
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
  if (url.protocol === 'http:')
    screen.out('That server has no TLS: whoever is on your network can read the password.')
  if (hint !== null) screen.out(hint)
  const user = options.user ?? usual ?? (await asked(options, 'Your user name there: '))
  if (user === null || user === '') return said(context, 'Say who you are there: --user <name>')
  const ready = await readyForSecrets(context, options)
  if (!ready.ok) return refuse(context, ready.reason)
  options.asker?.letGo()
  const typed = await readValue(`Password of ${user} at ${url.host}: `)
  const value = typed.ok ? checkValue('token', typed.value) : typed
  if (!value.ok) return refuse(context, value.reason)
  screen.out(`Trying ${url.host} …`)
  const transport = createPinnedTransport()
  const found = await findBooks(url, { user, password: value.value, transport })
  await transport.close()
  if (!found.ok) return refuse(context, found.reason)
  const { server, home, books } = found.value
  if (server !== url.origin) screen.out(`Your address books lie at ${server}.`)
  screen.out('Your address books there:')
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

/** The configuration, if another account fits in; what is wrong has been said. */
function roomIn(context: CommandContext): Config | null {
  const config = loadConfig(context.environment, statePaths(context.environment).root)
  if (!config.ok) {
    fail(context, config)
    return null
  }
  if (config.value.addressbooks.length < MAX_ADDRESSBOOKS) return config.value
  said(context, `There are ${MAX_ADDRESSBOOKS} address books already. Take one out of config.toml first.`)
  return null
}

interface Place {
  readonly url: URL
  readonly hint: string | null
  /** The user, where the place names one. */
  readonly usual: string | null
  /** What the account is called, where the place says so. */
  readonly title: string | null
}

/** Null when the owner has to say more; what that is has been printed. */
async function placeOf(
  context: CommandContext,
  { calendarAccounts }: Config,
  options: ContactsOptions,
): Promise<Place | null> {
  const calendars = calendarAccounts.flatMap((one) => (one.kind === 'caldav' ? [one] : []))
  const providers = calendarProviders()
  const names = [...new Set([...calendars, ...providers].map(({ name }) => name))]
  const where =
    options.where ??
    (await asked(options, `Where is your address book? (${names.join(', ')}, or the server's address)\n> `))
  const wanted = (where ?? '').trim().toLowerCase()
  if (where === null || wanted === '') {
    said(context, `Say where: pfar connect contacts <${names.join('|')}|https://…>`)
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
  const typed = at ?? (await asked(options, 'Where is it? Such as https://cloud.example.com: '))
  if (domain !== undefined && provider === undefined) {
    said(
      context,
      `I know no address book server of ${cleanLine(domain, 80)}. Your provider names it; then say: pfar connect contacts https://…`,
    )
    return null
  }
  const url = URL.parse(typed === null || typed.includes('://') ? (typed ?? '') : `https://${typed}`)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    said(context, 'Say the address of your server, such as https://cloud.example.com/remote.php/dav/')
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
    screen.err(`The password lies sealed in your home. Put this into config.toml:\n${table}`)
    return 1
  }
  const runs = await askSocket(context, { method: 'connectable', params: {} })
  screen.out(`Your address book is connected: ${name}. I read it, and change nothing there.`)
  screen.out(
    `${runs.ok ? 'Start home again' : 'Start it with `npm start`'}, and say: "suggest contacts from my address book"`,
  )
  return 0
}

function refuse({ screen }: CommandContext, reason: Refusal): ExitCode {
  screen.err(TRIED[reason.code] ?? secretSentence(reason))
  return 1
}
