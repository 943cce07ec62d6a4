/**
 * `pfar connect calendar` and `pfar connect ics`: asks for a server, a user and a password without echo, shows the calendars
 * found, and stores only settings that worked. Must not print a password or a secret address, or take a password from an
 * argument. Called by local/secret.ts.
 */
import { stringify } from 'smol-toml'
import { cleanLine } from '../../../integrations/extractors/page-clean.ts'
import { CALENDAR } from '../../../integrations/tools/calendar/account-port.ts'
import { isAddress } from '../../../integrations/tools/reading.ts'
import type { Refusal } from '../../../kernel/flow/verdict.ts'
import { nameOf } from '../../calendar/caldav-call.ts'
import {
  type CalendarAccountSettings,
  calendarSecret,
  hostOf,
  isCalendarServer,
  MAX_CALENDAR_ACCOUNTS,
} from '../../calendar/calendar-settings.ts'
import type { DavCalendar } from '../../calendar/dav.ts'
import {
  type CalendarProvider,
  calendarProviders,
  type FoundCalendars,
  findCalendars,
  tryIcs,
} from '../../calendar/find-calendars.ts'
import { type Config, loadConfig } from '../../config/config.ts'
import { addCalendarAccount } from '../../config/config-edit.ts'
import { isSaying, prompt, tell } from '../../language/wording.ts'
import { createPinnedTransport } from '../../pages/pinned-transport.ts'
import { checkValue } from '../../secrets/secret.ts'
import type { TerminalAsker } from '../chat/asker.ts'
import { askSocket, type CommandContext, type ExitCode, fail, said } from '../command.ts'
import { readValue } from '../hidden-input.ts'
import { statePaths } from '../state-paths.ts'
import { freeAccountName } from './account-name.ts'
import { readyForSecrets } from './custody-question.ts'
import { secretSentence, sendToService } from './secret-command.ts'

export interface CalendarOptions {
  /** Name of a known provider, a web address, or a mail address. */
  readonly where?: string
  readonly user?: string
  /** The account's name in answers; derived from the server if absent. */
  readonly name?: string
  /** Names of the calendars to read; asked for, or all, if absent. */
  readonly calendar?: readonly string[]
  readonly allowDevelopmentKey: boolean
  /** Null if nobody can be asked. */
  readonly asker: TerminalAsker | null
}

export async function connectCalendar(context: CommandContext, options: CalendarOptions): Promise<ExitCode> {
  const { screen } = context
  const config = roomIn(context)
  if (config === null) return 1
  const place = await placeOf(context, options)
  if (place === null) return 1
  const { url, provider, usual } = place
  if (!isCalendarServer(url.origin))
    return refuse(context, {
      code: url.protocol === 'https:' ? 'address_private' : 'scheme_not_allowed',
      facts: {},
    })
  if (url.protocol === 'http:') screen.out(tell('dav_setup.no_tls'))
  if (provider !== null) screen.out(tell(provider.hint))
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
  const found = await findCalendars(url, { user, password: value.value, transport })
  await transport.close()
  if (!found.ok) return refuse(context, found.reason, { at: url })
  if (found.value.server !== url.origin)
    screen.out(tell('dav_setup.calendars_at', { server: found.value.server }))
  const chosen = await chooseFrom(context, found.value, options)
  if (chosen === null) return 1
  const name = freeAccountName(options.name ?? provider?.name ?? url.hostname, {
    taken: config.calendarAccounts,
    otherwise: CALENDAR,
  })
  const { server, home, address, invites } = found.value
  const settings: CalendarAccountSettings = {
    ...{ kind: 'caldav', name, server, user, home, invites },
    address: address ?? (isAddress(user) ? user.toLowerCase() : null),
    calendars: chosen.calendars,
  }
  const { allowDevelopmentKey } = ready.value
  // Sealing may ask for a passphrase on this terminal, so no other reader may hold it.
  options.asker?.letGo()
  const isStored = await store(context, { settings, value: value.value, allowDevelopmentKey })
  if (!isStored) return 1
  const standard =
    config.calendars.standard === null && chosen.standard !== null ? `${name}:${chosen.standard}` : null
  return keep(context, settings, standard)
}

export async function connectIcs(context: CommandContext, options: CalendarOptions): Promise<ExitCode> {
  const config = roomIn(context)
  if (config === null) return 1
  // Anybody with the address can read the calendar, so it is typed without echo like a password, unless it was given as an
  // argument.
  const ready = await readyForSecrets(context, options)
  if (!ready.ok) return refuse(context, ready.reason)
  options.asker?.letGo()
  const typed = options.where ?? (await typedAddress())
  const url = URL.parse(typed.trim().replace(/^webcals?:/i, 'https:'))
  if (url === null || !/^https?:$/.test(url.protocol)) return said(context, tell('dav_setup.ics_address'))
  url.hash = ''
  if (!isCalendarServer(url.origin))
    return refuse(context, {
      code: url.protocol === 'https:' ? 'address_private' : 'scheme_not_allowed',
      facts: {},
    })
  context.screen.out(tell('dav_setup.trying', { host: url.host }))
  const transport = createPinnedTransport()
  const events = await tryIcs(url, transport)
  await transport.close()
  if (!events.ok) return refuse(context, events.reason, { isFeed: true })
  const name = freeAccountName(options.name ?? url.hostname, {
    taken: config.calendarAccounts,
    otherwise: CALENDAR,
  })
  const settings: CalendarAccountSettings = { kind: 'ics', name, server: url.origin }
  const { allowDevelopmentKey } = ready.value
  const isStored = await store(context, { settings, value: url.href, allowDevelopmentKey })
  if (!isStored) return 1
  context.screen.out(
    events.value === 1 ? tell('dav_setup.event') : tell('dav_setup.events', { count: events.value }),
  )
  return keep(context, settings, null)
}

async function typedAddress(): Promise<string> {
  const typed = await readValue(prompt('dav_setup.ics_ask'))
  return typed.ok ? typed.value : ''
}

/** The configuration, if there is room for another account; otherwise null, after printing the reason. */
function roomIn(context: CommandContext): Config | null {
  const config = loadConfig(context.environment, statePaths(context.environment).root)
  if (!config.ok) {
    fail(context, config)
    return null
  }
  if (config.value.calendarAccounts.length < MAX_CALENDAR_ACCOUNTS) return config.value
  said(context, tell('dav_setup.calendars_full', { most: MAX_CALENDAR_ACCOUNTS }))
  return null
}

interface Place {
  readonly url: URL
  readonly provider: CalendarProvider | null
  /** The user name, if the address contains it. */
  readonly usual: string | null
}

/** Null if the owner has to give more information; what is missing has been printed. */
async function placeOf(context: CommandContext, options: CalendarOptions): Promise<Place | null> {
  const providers = calendarProviders()
  const list = providers.map(({ name }) => name).join(', ')
  const where = options.where ?? (await asked(options, prompt('dav_setup.calendar_where', { list })))
  const more = (words: string): null => {
    said(context, words)
    return null
  }
  if (where === null || where === '')
    return more(tell('dav_setup.calendar_say', { list: list.replaceAll(', ', '|') }))
  const domain = where.includes('@') ? where.split('@').at(-1)?.toLowerCase() : undefined
  const provider =
    providers.find(({ name, domains }) =>
      domain === undefined ? name === where.toLowerCase() : domains.includes(domain),
    ) ?? null
  if (provider?.url !== undefined)
    return { url: new URL(provider.url), provider, usual: isAddress(where) ? where : null }
  if (domain !== undefined && !where.includes('://'))
    return more(tell('dav_setup.calendar_unknown', { domain }))
  const typed = provider === null ? where : await asked(options, prompt('dav_setup.where'))
  const url = URL.parse(typed === null || typed.includes('://') ? (typed ?? '') : `https://${typed}`)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '')
    return more(tell('dav_setup.calendar_address'))
  // The address of the web page is not the address of the calendars, so the provider's path is added.
  if (provider?.path !== undefined && url.pathname === '/') url.pathname = provider.path
  return { url, provider, usual: null }
}

async function asked({ asker }: CalendarOptions, question: string): Promise<string | null> {
  return (await asker?.ask(question))?.trim() ?? null
}

interface ChosenCalendars {
  /** Empty: all calendars. */
  readonly calendars: readonly string[]
  /** The calendar that new events go to; null: none can be written to. */
  readonly standard: string | null
}

/** Shows the calendars found. Null if a given name is not among them. */
async function chooseFrom(
  context: CommandContext,
  { calendars }: FoundCalendars,
  options: CalendarOptions,
): Promise<ChosenCalendars | null> {
  const { screen } = context
  const isAsked = options.calendar === undefined && process.stdin.isTTY === true
  screen.out(tell('dav_setup.calendars'))
  for (const [at, one] of calendars.entries())
    screen.out(`  ${at + 1}  ${shown(one)}${one.writable ? '' : `  (${tell('dav_setup.only_read')})`}`)
  const typed = isAsked ? await asked(options, prompt('dav_setup.which')) : null
  const wanted = options.calendar ?? (typed ?? '').split(/[\s,]+/).filter((one) => one !== '')
  const read = wanted.length === 0 ? calendars : wanted.flatMap((one) => calledIn(calendars, one) ?? [])
  if (wanted.length > 0 && read.length < wanted.length) {
    said(context, tell('dav_setup.one_missing'))
    return null
  }
  const writable = read.filter((one) => one.writable)
  const answer =
    isAsked && writable.length > 1
      ? await asked(options, prompt('dav_setup.default', { first: shown(writable[0]) }))
      : null
  const standard = (answer ? calledIn(calendars, answer) : undefined) ?? writable[0]
  return {
    calendars: read.length === calendars.length ? [] : read.map(nameOf),
    standard: standard === undefined ? null : nameOf(standard),
  }
}

function calledIn(calendars: readonly DavCalendar[], typed: string): DavCalendar | undefined {
  const named = calendars.find((one) => nameOf(one).toLowerCase() === typed.toLowerCase())
  return named ?? (/^\d+$/.test(typed) ? calendars[Number(typed) - 1] : undefined)
}

/** The name of a shared calendar comes from whoever shares it, so it is cleaned. */
function shown(calendar: DavCalendar | undefined): string {
  return calendar === undefined ? '' : cleanLine(nameOf(calendar), 60)
}

interface Stored {
  readonly settings: CalendarAccountSettings
  readonly value: string
  readonly allowDevelopmentKey: boolean
}

async function store(
  context: CommandContext,
  { settings, value, allowDevelopmentKey }: Stored,
): Promise<boolean> {
  const stored = await sendToService(context, {
    method: 'secret_set',
    params: {
      ...{ name: calendarSecret(settings.name), value, kind: 'token', allowDevelopmentKey },
      ...{ tools: [CALENDAR], actions: [], hosts: [hostOf(settings)] },
    },
  })
  if (!stored.ok) context.screen.err(secretSentence(stored.reason))
  return stored.ok
}

async function keep(
  context: CommandContext,
  settings: CalendarAccountSettings,
  standard: string | null,
): Promise<ExitCode> {
  const { screen, environment } = context
  const table = tableOf(settings)
  if (!addCalendarAccount(statePaths(environment).config, { table, name: settings.name, standard })) {
    screen.err(tell('dav_setup.by_hand', { table }))
    return 1
  }
  const runs = await askSocket(context, { method: 'connectable', params: {} })
  screen.out(tell('dav_setup.calendar_connected', { name: settings.name }))
  if (standard !== null) screen.out(tell('dav_setup.new_events', { calendar: cleanLine(standard, 80) }))
  if (settings.kind === 'caldav' && !settings.invites) screen.out(tell('dav_setup.no_invitations'))
  screen.out(tell(runs.ok ? 'dav_setup.calendar_again' : 'dav_setup.calendar_start'))
  return 0
}

function tableOf(settings: CalendarAccountSettings): string {
  const { kind, name, server } = settings
  const own =
    settings.kind === 'ics'
      ? {}
      : {
          ...{ user: settings.user, home: settings.home },
          ...(settings.address !== null && { address: settings.address }),
          ...(settings.calendars.length > 0 && { calendars: [...settings.calendars] }),
          ...(settings.invites && { invites: true }),
        }
  return `[[tools.calendar.accounts]]\n${stringify({ name, kind, server, ...own }).trim()}\n`
}

/**
 * `isFeed`: a published calendar without sign-in. `at`: the address that was tried; over plain http the words about TLS do not
 * apply.
 */
interface Trying {
  readonly isFeed?: boolean
  readonly at?: URL
}

function refuse({ screen }: CommandContext, reason: Refusal, { isFeed, at }: Trying = {}): ExitCode {
  const plain = at !== undefined && at.protocol !== 'https:' && reason.code === 'network_failed'
  const sayings = [
    ...(isFeed === true ? [`dav_setup.ics_${reason.code}`] : []),
    ...[`dav_setup.calendar_${reason.code}`, `dav_setup.tried_${reason.code}`],
  ]
  const saying = sayings.find(isSaying)
  if (plain) screen.err(tell('dav_setup.plain_failed', { host: at.host }))
  else screen.err(saying === undefined ? secretSentence(reason) : tell(saying))
  return 1
}
