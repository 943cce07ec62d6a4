/**
 * The tools that run at home, and what each may reach (DESIGN §5). Large modules load on first use: an idle home holds
 * no HTML parser and no HTTP client. Must not decide what may run. Called by powers.ts.
 */

import { CHANNELS } from '../integrations/channels/index.ts'
import { toolOf } from '../integrations/channels/runtime/declaration.ts'
import type { FileReading } from '../integrations/extractors/readable.ts'
import type { Transport } from '../integrations/http/transport.ts'
import { isOwnAddress } from '../integrations/models/provider-settings.ts'
import { ADDRESSBOOK } from '../integrations/tools/addressbook/account-port.ts'
import { createToolBreaker } from '../integrations/tools/breaker.ts'
import { CALENDAR } from '../integrations/tools/calendar/account-port.ts'
import type { CredentialSource, IssuedCredential } from '../integrations/tools/credentials.ts'
import type { FolderPort } from '../integrations/tools/files/folder-port.ts'
import { GOOGLE_OAUTH } from '../integrations/tools/google-oauth.ts'
import type { HealthKeeper, HealthPort } from '../integrations/tools/health/health-port.ts'
import { HOME_RUNNERS } from '../integrations/tools/home.ts'
import type { HttpSetting } from '../integrations/tools/http/setting.ts'
import { createToolPort } from '../integrations/tools/port.ts'
import { createTool } from '../integrations/tools/registered.ts'
import { originOf, type SearchSetting } from '../integrations/tools/search/engines.ts'
import { USUAL_HOURS, type WorkingHours } from '../kernel/features/hours/hours.ts'
import type { Sender } from '../kernel/features/sender/sender.ts'
import { isSwitchedOff, switchedOff } from '../kernel/features/tools/switched.ts'
import { err } from '../kernel/flow/verdict.ts'
import type { Store } from '../kernel/powers/all-powers.ts'
import type { ToolPort } from '../kernel/powers/ports.ts'
import { checkCapability } from '../kernel/task/capability.ts'
import type { Credential, Tool, ToolManifest } from '../kernel/tool/manifest.ts'
import { createAddressbookAccounts } from './addressbook/addressbook-accounts.ts'
import { addressbookSecret } from './addressbook/addressbook-settings.ts'
import { createCalendarAccounts } from './calendar/calendar-accounts.ts'
import { calendarSecret, ownServers } from './calendar/calendar-settings.ts'
import type { Config } from './config/config.ts'
import { ownHosts } from './config/http-settings.ts'
import { ownFilesIn } from './folders/own-files.ts'
import { createLazyMail } from './mail/lazy-mail.ts'
import { serverName } from './mail/mail-settings.ts'
import { SPEECH } from './models/models-config.ts'
import { createIdleReader } from './pages/idle-reader.ts'
import type { HomePageReader } from './pages/page-reader.ts'
import { modelTool } from './secrets/service-tokens.ts'

/** Credential for an emulator at an exempt address. It gives access to that emulator only. */
const DEVELOPMENT_CREDENTIAL: Credential = Object.freeze({ scheme: 'bearer', value: 'development' })
const GOOGLE = 'google'
/** Secret with the password of the account that is reached by IMAP and SMTP. */
const MAIL = 'mail'
/** At a configured base address everything is on one host. */
const EMULATED_TOKENS = '/oauth2/token'
const EMULATED_REVOKE = '/oauth2/revoke'
export interface HomeTools {
  /** As they are declared now: another list once the owner has named another web service. */
  readonly tools: readonly Tool[]
  /** Hosts and requests that the owner named, and their change while home runs. */
  readonly webservices: { now(): HttpSetting; renew(next: HttpSetting): void }
  readonly port: ToolPort
  /** Transport for renewing credentials; shares the tools' connections. */
  readonly transport: Transport
  close(): Promise<void>
}

export interface HomeToolsInput {
  readonly config: Config
  readonly store: Pick<Store, 'uses' | 'setting'>
  readonly tokenKey: Uint8Array
  readonly now: () => number
  readonly credentials: CredentialSource
  /** Removes known secrets from the result of a tool. */
  readonly redact: <T>(value: T) => T
  /** Called when the circuit breaker of a failing tool opens. */
  readonly degraded: (tool: string, at: number) => void
  /** Reads a document of the owner's folders or of a mail, in a process of its own. */
  readonly document: FileReading['document']
  /** Home's own folders, of which no tool sees a file. */
  readonly ownFolders: readonly string[]
  readonly health: HealthPort & HealthKeeper
  readonly workingHours: () => WorkingHours
  readonly sender?: () => Promise<Sender>
}

export function createHomeTools(input: HomeToolsInput): HomeTools {
  const { config, store, tokenKey, now, credentials, redact, degraded } = input
  const reader = createIdleReader()
  const own = {
    folders: createLazyFolders(config, input.ownFolders),
    document: input.document,
    ...{ health: input.health, healthKeeper: input.health },
    hours: input.workingHours,
    ...(input.sender !== undefined && { sender: input.sender }),
  }
  let tools = toolsOf(config, reader, own)
  let named = config.http
  const transport = createLazyTransport()
  const off = (): readonly string[] => switchedOff({ store })
  const port = createToolPort({
    place: 'home',
    get tools() {
      return tools
    },
    transport,
    exemptOrigins: config.exemptOrigins,
    ownOrigins: {
      search: ownOriginsOf(config.search),
      calendar: ownServers(config.calendarAccounts),
      addressbook: ownServers(config.addressbooks),
      get http() {
        return ownHosts(named)
      },
    },
    checkToken: (token, action, args) => {
      const { id, task, step, scope } = token.claims
      // The kernel has already counted this use; the check compares with the uses before it.
      const used = Math.max(0, store.uses(id) - 1)
      return checkCapability(
        token,
        { place: 'home', task, step, tool: action, args, scope, now: now(), used },
        tokenKey,
      )
    },
    credentials: whileOn(boundToServers(credentials, config), { config, off }),
    isOff: (manifest) => isSwitchedOff(off(), manifest),
    redact,
    breaker: createToolBreaker(now, degraded),
  })
  return {
    get tools() {
      return tools
    },
    webservices: {
      now: () => named,
      renew(next) {
        named = next
        const made = toolsOf({ ...config, http: next }, reader, own)
        // Others keep what they have open.
        tools = tools.map((tool, at) => (tool.manifest.name === 'http' ? (made[at] ?? tool) : tool))
      },
    },
    port,
    transport,
    close: async () => void (await Promise.all([transport.close(), reader.close()])),
  }
}

/** A search engine on the owner's own network is reached by the tool that searches, and by no other. */
function ownOriginsOf(search: SearchSetting): readonly string[] {
  const origin = originOf(search)
  return isOwnAddress(origin) ? [new URL(origin).origin] : []
}

/**
 * The password of the mail account goes to the servers that it was given for alone: a configuration that names others by now does not get it. Over
 * HTTP the client of the call sees to that; mail has connections of its own.
 */
export function boundToServers(source: CredentialSource, { mail }: Pick<Config, 'mail'>): CredentialSource {
  if (mail === null) return source
  const servers = [serverName(mail.imap), serverName(mail.smtp)]
  return {
    has: (tool) => source.has(tool),
    async issue(request) {
      const issued = await source.issue(request)
      const isMail = request.credential === MAIL && [null, mail.address].includes(request.account)
      if (!issued.ok || !isMail || servers.every((server) => issued.value.hosts.includes(server)))
        return issued
      return err('credential_mismatch', { credential: MAIL, rule: 'host' })
    },
  }
}

/** One mailbox or calendar of a service that is switched off is not opened by a tool that opens those of others, too. */
export function whileOn(
  source: CredentialSource,
  { config, off }: { readonly config: Config; readonly off: () => readonly string[] },
): CredentialSource {
  const isOff = ({
    credential,
    account,
  }: {
    readonly credential: string
    readonly account: string | null
  }) => {
    const name = vaultNameOf(config, credential, account)
    return off().some((service) => service === credential || secretsOf(config, service).includes(name ?? ''))
  }
  return {
    has: (tool) => source.has(tool),
    issue: async (request) =>
      isOff(request) ? err('service_off', { tool: request.tool }) : source.issue(request),
  }
}

function secretsOf(config: Config, service: string): readonly string[] {
  const accounts = service === GOOGLE ? config.google.accounts.map(({ credential }) => credential) : []
  return [vaultName(config, service), ...accounts]
}

/** Manifests for the keys of models: like a tool's credential, each is bound to one provider and its current host. */
export function modelManifests({ models, speech, vision }: Config): readonly ToolManifest[] {
  const heard = speech === null ? [] : [{ ...speech, name: SPEECH }]
  const seen = vision === null ? [] : [vision]
  return [...models.providers, ...heard, ...seen].flatMap(({ name, baseUrl, key }) =>
    key === null
      ? []
      : [
          {
            ...{ name: modelTool(name), version: '1', ownerOnly: true, places: ['home'], actions: [] },
            ...{ network: [new URL(baseUrl).host], credential: key },
          },
        ],
  )
}

/** Manifests for the tokens of channels, each bound to the host of its service. */
export function channelManifests({ channels }: Config): readonly ToolManifest[] {
  return CHANNELS.flatMap((channel) => {
    const origin = channels[channel.name]?.api ?? channel.origin
    if (origin === null) return []
    const owned = { version: '1', ownerOnly: true, places: ['home'], actions: [] } as const
    return channel.needs.map(({ service: credential }) => ({
      ...{ ...owned, name: toolOf(channel), network: [new URL(origin).host], credential },
    }))
  })
}

/** Manifests of home's tools, models and channels. They determine which secret each may receive. */
export function homeManifests(
  config: Config,
  tools: readonly Tool[] = toolsOf(config, createIdleReader()),
): readonly ToolManifest[] {
  return [...tools.map(({ manifest }) => manifest), ...modelManifests(config), ...channelManifests(config)]
}

/** Vault name for the credential name of a manifest (S-14), for the default account. */
export function vaultName({ google }: Config, credential: string): string {
  return credential === GOOGLE && google.credential !== null ? google.credential : credential
}

/** What the owner is told a service is called. */
export function serviceTitle({ google }: Config, credential: string): string {
  return credential === GOOGLE && google.demo ? 'demo mail and calendar' : credential
}

/** The same for the account that a call names; null for an account that is not configured (I-12). */
export function vaultNameOf(config: Config, credential: string, account: string | null): string | null {
  const { google, mail } = config
  if (credential === CALENDAR) {
    const known = config.calendarAccounts.find(({ name }) => name === account)
    return known === undefined ? null : calendarSecret(known.name)
  }
  if (credential === ADDRESSBOOK) {
    const known = config.addressbooks.find(({ name }) => name === account)
    return known === undefined ? null : addressbookSecret(known.name)
  }
  if (credential === MAIL) {
    if (mail !== null && (account === null || account === mail.address)) return MAIL
    // Other mailboxes of the mail tool are Google's.
    return account === null ? null : vaultNameOf(config, GOOGLE, account)
  }
  if (account === null || (credential === GOOGLE && account === google.account))
    return vaultName(config, credential)
  const other = credential === GOOGLE ? google.accounts.find(({ name }) => name === account) : undefined
  return other?.credential ?? null
}

/** Every secret that a tool may receive: one for each account, if it takes an account. */
export function vaultNames(config: Config, manifest: ToolManifest): readonly string[] {
  const { credential, actions, accounts = [] } = manifest
  if (accounts.length > 0)
    return accounts.flatMap((one) => vaultNameOf(config, one.credential, one.account) ?? [])
  if (credential === null) return []
  if (credential === MAIL)
    return [MAIL, ...googleAccounts(config).map((account) => vaultNameOf(config, GOOGLE, account) ?? MAIL)]
  const routed = credential === GOOGLE && actions.some(({ args }) => Object.hasOwn(args.fields, 'account'))
  return [
    vaultName(config, credential),
    ...(routed ? config.google.accounts.map((one) => one.credential) : []),
  ]
}

function googleAccounts({ google }: Config): readonly string[] {
  return [...(google.account === null ? [] : [google.account]), ...google.accounts.map(({ name }) => name)]
}

/** URL that exchanges the refresh token of this name for an access token (I-11). Null if no service uses that name. */
export function tokenUrl(config: Config, name: string): string | null {
  const { baseUrl, accounts } = config.google
  if (name !== vaultName(config, GOOGLE) && !accounts.some(({ credential }) => credential === name))
    return null
  return baseUrl === null ? GOOGLE_OAUTH.token : `${baseUrl}${EMULATED_TOKENS}`
}

/** URL that ends the permission of that name at its service (RFC 7009). Null where none does. */
export function revokeUrl(config: Config, name: string): string | null {
  if (tokenUrl(config, name) === null) return null
  const { baseUrl } = config.google
  return baseUrl === null ? GOOGLE_OAUTH.revoke : `${baseUrl}${EMULATED_REVOKE}`
}

/**
 * Fixed credential for an emulator if the configuration names no secret. Only for an exempted origin, which is on this
 * machine, so that it never leaves the machine.
 */
export function standIn(
  { google, exemptOrigins }: Config,
  credential: string,
  account: string | null = null,
): IssuedCredential | null {
  const { baseUrl } = google
  if ((credential !== GOOGLE && credential !== MAIL) || google.credential !== null) return null
  // Another mailbox has its own secret, or none.
  if (account === null ? credential === MAIL : account !== google.account) return null
  if (baseUrl === null || !exemptOrigins.includes(baseUrl)) return null
  return { credential: DEVELOPMENT_CREDENTIAL, hosts: [new URL(baseUrl).host], settle: () => undefined }
}

/** `own`: absent where manifests alone are wanted. */
function toolsOf(
  config: Config,
  reader: HomePageReader,
  own: {
    readonly folders?: FolderPort
    readonly document?: FileReading['document']
    readonly health?: HealthPort
    readonly healthKeeper?: HealthKeeper
    readonly hours?: () => WorkingHours
    readonly sender?: () => Promise<Sender>
  } = {},
): readonly Tool[] {
  const { google } = config
  const base = google.baseUrl === null ? {} : { baseUrl: google.baseUrl }
  const mail = createLazyMail(config)
  const accounts = createCalendarAccounts(config.calendarAccounts, {
    standard: config.calendars.standard,
    timezone: config.owner.timezone,
  })
  const books = createAddressbookAccounts(config.addressbooks)
  const addressbooks = { accounts: books, withoutGoogle: google.demo }
  const { hours = () => USUAL_HOURS, ...ownPowers } = own
  const times = { timezone: config.owner.timezone, hours }
  const calendars = { ...config.calendars, accounts, times, withoutGoogle: google.demo }
  const pages = { rows: reader.rows, feed: reader.feed, search: config.search, http: config.http }
  const all = {
    accounts: googleAccounts(config),
    reader,
    timezone: config.owner.timezone,
    htmlText: reader.text,
    ...pages,
    ...{ mail, calendars, addressbooks, ...ownPowers, ownFiles: ownFilesIn(own.folders) },
  }
  return HOME_RUNNERS.map((runner) => {
    const { credential } = runner.manifest
    const service = credential === null ? undefined : config.services[credential]
    return createTool(
      runner,
      credential === GOOGLE
        ? { ...base, ...all }
        : { ...all, accounts: [], ...(service !== undefined && { baseUrl: service }) },
    )
  })
}

/** The way into the owner's folders loads with the first file that is looked for. */
function createLazyFolders({ folders }: Config, ownFolders: readonly string[]): FolderPort {
  let made: Promise<FolderPort> | null = null
  const get = (): Promise<FolderPort> => {
    made ??= import('./folders/folders.ts').then(({ createFolders }) =>
      createFolders({ folders, excluded: ownFolders }),
    )
    return made
  }
  return {
    named: folders.length > 0,
    list: async () => (await get()).list(),
    read: async (...place) => (await get()).read(...place),
    write: async (change) => (await get()).write(change),
    version: async (place) => (await get()).version(place),
    move: async (...moved) => (await get()).move(...moved),
    putAway: async (...put) => (await get()).putAway(...put),
    bringBack: async (...kept) => (await get()).bringBack(...kept),
  }
}

function createLazyTransport(): Transport & { close(): Promise<void> } {
  let made: Promise<Transport & { close(): Promise<void> }> | null = null
  const get = (): NonNullable<typeof made> => {
    made ??= import('./pages/pinned-transport.ts').then(({ createPinnedTransport }) =>
      createPinnedTransport(),
    )
    return made
  }
  return {
    send: async (request) => (await get()).send(request),
    close: async () => {
      if (made !== null) await (await made).close()
    },
  }
}
