/**
 * The tools that run at home, and what each may reach (DESIGN §5). Large modules load on first use: an idle home holds
 * no HTML parser and no HTTP client. Must not decide what may run. Called by powers.ts.
 */

import { CHANNELS } from '../../integrations/channels/index.ts'
import { toolOf } from '../../integrations/channels/runtime/declaration.ts'
import type { FileReading } from '../../integrations/extractors/readable.ts'
import type { Transport } from '../../integrations/http/transport.ts'
import { isOwnAddress } from '../../integrations/models/provider-settings.ts'
import { createToolBreaker, TOOL_BREAKER } from '../../integrations/tools/breaker.ts'
import type { CredentialSource } from '../../integrations/tools/credentials.ts'
import type { FeedItems } from '../../integrations/tools/feed/feed-port.ts'
import type { FolderPort } from '../../integrations/tools/files/folder-port.ts'
import type { HealthKeeper, HealthPort } from '../../integrations/tools/health/health-port.ts'
import { HOME_RUNNERS } from '../../integrations/tools/home.ts'
import type { HttpSetting } from '../../integrations/tools/http/setting.ts'
import { createToolPort } from '../../integrations/tools/port.ts'
import { createTool } from '../../integrations/tools/registered.ts'
import { originOf, type SearchSetting } from '../../integrations/tools/search/engines.ts'
import { USUAL_HOURS, type WorkingHours } from '../../kernel/features/hours/hours.ts'
import type { Sender } from '../../kernel/features/sender/sender.ts'
import { isSwitchedOff, switchedOff } from '../../kernel/features/tools/switched.ts'
import type { Store } from '../../kernel/powers/all-powers.ts'
import type { ToolPort } from '../../kernel/powers/ports.ts'
import { checkCapability } from '../../kernel/task/capability.ts'
import type { Tool, ToolManifest } from '../../kernel/tool/manifest.ts'
import { createAddressbookAccounts } from '../addressbook/addressbook-accounts.ts'
import { createCalendarAccounts } from '../calendar/calendar-accounts.ts'
import { ownServers } from '../calendar/calendar-settings.ts'
import type { Config } from '../config/config.ts'
import { ownHosts } from '../config/http-settings.ts'
import { isSelfHosted, ownServiceOrigins } from '../config/own-services.ts'
import { ownFilesIn } from '../folders/own-files.ts'
import { createLazyMail } from '../mail/lazy-mail.ts'
import { SPEECH } from '../models/models-config.ts'
import { createIdleReader } from '../pages/idle-reader.ts'
import type { HomePageReader } from '../pages/page-reader.ts'
import { boundToServers, exceptSwitchedOff } from '../secrets/bound-credentials.ts'
import { modelTool } from '../secrets/service-tokens.ts'
import { GOOGLE, googleAccounts } from '../secrets/vault-names.ts'

export interface HomeTools {
  /** The current tools. The list changes when the owner names another web service. */
  readonly tools: readonly Tool[]
  /** Hosts and requests that the owner named; `renew` replaces them while home runs. */
  readonly webservices: { now(): HttpSetting; renew(next: HttpSetting): void }
  /** The owner's folders; `renew` replaces them while home runs. */
  readonly folders: { now(): readonly string[]; renew(next: readonly string[]): void }
  /** Where the services are that the owner runs, and their change while home runs. */
  /** `renew` gives the services that are asked at another address, or by another certificate, from now on. */
  readonly services: { now(): ServiceAddresses; renew(next: ServiceAddresses): readonly string[] }
  readonly port: ToolPort
  /** Tools whose circuit breaker is open, and when each may be called again, epoch milliseconds. */
  readonly resting: () => readonly { readonly tool: ToolManifest; readonly until: number }[]
  /** Closes the breaker of this tool, because its service answered a call made outside the breaker. */
  readonly answered: (tool: string) => void
  /** Transport for renewing credentials; shares the tools' connections. */
  readonly transport: Transport
  close(): Promise<void>
}

/** Addresses, and by origin the certificates that the owner confirmed. */
export type ServiceAddresses = Pick<Config, 'services' | 'certificates'>

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
  /** Reads a document of the owner's folders or of a mail, in a separate process. */
  readonly document: FileReading['document']
  /** Home's own folders: tools cannot see any file in them. */
  readonly ownFolders: readonly string[]
  readonly health: HealthPort & HealthKeeper
  /** What each conversation was shown of a feed. */
  readonly feedItems: FeedItems
  readonly workingHours: () => WorkingHours
  /** Where the owner is now, IANA name. */
  readonly zoneNow: () => string
  readonly sender?: () => Promise<Sender>
}

export function createHomeTools(input: HomeToolsInput): HomeTools {
  const { config, store, tokenKey, now, credentials, redact, degraded } = input
  const reader = createIdleReader()
  let folders = config.folders
  const own = {
    folders: createLazyFolders(() => folders, input.ownFolders),
    document: input.document,
    ...{ health: input.health, healthKeeper: input.health, feedItems: input.feedItems },
    ...{ hours: input.workingHours, zoneNow: input.zoneNow },
    ...(input.sender !== undefined && { sender: input.sender }),
  }
  let tools = toolsOf(config, reader, own)
  let named = config.http
  let addresses: ServiceAddresses = config
  const transport = createLazyTransport(() => addresses.certificates)
  const off = (): readonly string[] => switchedOff({ store })
  const breaker = createToolBreaker(now, degraded)
  const port = createToolPort({
    place: 'home',
    get tools() {
      return tools
    },
    transport,
    exemptOrigins: config.exemptOrigins,
    get ownOrigins() {
      return {
        search: ownOriginsOf(config.search),
        calendar: ownServers(config.calendarAccounts),
        addressbook: ownServers(config.addressbooks),
        ...ownServiceOrigins(addresses.services),
        http: ownHosts(named),
      }
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
    credentials: exceptSwitchedOff(boundToServers(credentials, config), { config, off }),
    isOff: (manifest) => isSwitchedOff(off(), manifest),
    redact,
    breaker,
  })
  const remake = (isMeant: (manifest: ToolManifest) => boolean): void => {
    const made = toolsOf({ ...config, ...addresses, http: named }, reader, own)
    // Others keep what they have open.
    tools = tools.map((tool, at) => (isMeant(tool.manifest) ? (made[at] ?? tool) : tool))
  }
  return {
    get tools() {
      return tools
    },
    webservices: {
      now: () => named,
      renew(next) {
        named = next
        remake(({ name }) => name === 'http')
      },
    },
    services: {
      now: () => addresses,
      renew(next) {
        // Other services keep the address that they had at the start.
        const own = Object.entries(next.services).filter(([service]) => isSelfHosted(service))
        const others = Object.entries(config.services).filter(([service]) => !isSelfHosted(service))
        const before = addresses
        addresses = { services: Object.fromEntries([...others, ...own]), certificates: next.certificates }
        remake(({ selfHosted }) => selfHosted === true)
        return changedServices(before, addresses)
      },
    },
    folders: {
      now: () => folders,
      renew(next) {
        folders = next
      },
    },
    port,
    transport,
    resting: () =>
      tools.flatMap(({ manifest: tool }) => {
        const { since } = breaker.state(tool.name)
        const until = (since ?? 0) + TOOL_BREAKER.rest
        return since === null || until <= now() ? [] : [{ tool, until }]
      }),
    answered: (tool) => breaker.leave(tool, 'works'),
    close: async () => void (await Promise.all([transport.close(), reader.close()])),
  }
}

/** A search engine on the owner's own network may be reached by the search tool only. */
function ownOriginsOf(search: SearchSetting): readonly string[] {
  const origin = originOf(search)
  return isOwnAddress(origin) ? [new URL(origin).origin] : []
}

/** Manifests for the keys of models: like a tool's credential, each is bound to one provider and its current host. */
export function modelManifests({ models, speech, vision }: Config): readonly ToolManifest[] {
  const speechModels = speech === null ? [] : [{ ...speech, name: SPEECH }]
  const seen = vision === null ? [] : [vision]
  return [...models.providers, ...speechModels, ...seen].flatMap(({ name, baseUrl, key }) =>
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

/** `own`: absent if only the manifests are needed. */
function toolsOf(
  config: Config,
  reader: HomePageReader,
  own: {
    readonly folders?: FolderPort
    readonly document?: FileReading['document']
    readonly health?: HealthPort
    readonly healthKeeper?: HealthKeeper
    readonly feedItems?: FeedItems
    readonly hours?: () => WorkingHours
    readonly zoneNow?: () => string
    readonly sender?: () => Promise<Sender>
  } = {},
): readonly Tool[] {
  const { google } = config
  const base = google.baseUrl === null ? {} : { baseUrl: google.baseUrl }
  const mail = createLazyMail(config)
  const accounts = createCalendarAccounts(config.calendarAccounts, {
    standard: config.calendars.standard,
    timezone: config.owner.timezone,
    zone: own.zoneNow ?? (() => config.owner.timezone),
  })
  const books = createAddressbookAccounts(config.addressbooks)
  const addressbooks = { accounts: books, withoutGoogle: google.demo }
  const { hours = () => USUAL_HOURS, zoneNow = () => config.owner.timezone, ...ownPowers } = own
  const times = { timezone: config.owner.timezone, zone: zoneNow, hours }
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

/** Loads the file access when it is first needed, and again when the list of folders has changed. */
function createLazyFolders(now: () => readonly string[], ownFolders: readonly string[]): FolderPort {
  let made: { readonly of: readonly string[]; readonly port: Promise<FolderPort> } | null = null
  const get = (): Promise<FolderPort> => {
    const folders = now()
    if (made?.of !== folders) {
      const port = import('../folders/folders.ts').then(({ createFolders }) =>
        createFolders({ folders, excluded: ownFolders }),
      )
      made = { of: folders, port }
    }
    return made.port
  }
  return {
    get named() {
      return now().length > 0
    },
    list: async () => (await get()).list(),
    read: async (...place) => (await get()).read(...place),
    write: async (change) => (await get()).write(change),
    kept: async (...copy) => (await get()).kept(...copy),
    version: async (place) => (await get()).version(place),
    move: async (...moved) => (await get()).move(...moved),
    putAway: async (...put) => (await get()).putAway(...put),
    bringBack: async (...kept) => (await get()).bringBack(...kept),
  }
}

/** Made with the first request, and anew once other certificates are confirmed: a connection of before was checked against those. */
function createLazyTransport(
  certificates: () => Config['certificates'],
): Transport & { close(): Promise<void> } {
  type Made = Transport & { close(): Promise<void> }
  let made: { readonly of: string; readonly transport: Promise<Made> } | null = null
  const get = (): Promise<Made> => {
    const own = certificates()
    // Another address with the same certificates leaves what is under way alone.
    const of = JSON.stringify(own)
    if (made?.of !== of) {
      const before = made?.transport
      const transport = import('../pages/pinned-transport.ts').then(async ({ createPinnedTransport }) => {
        await (await before)?.close()
        return createPinnedTransport(undefined, own)
      })
      made = { of, transport }
    }
    return made.transport
  }
  return {
    send: async (request) => (await get()).send(request),
    close: async () => {
      if (made !== null) await (await made.transport).close()
    },
  }
}

function changedServices(before: ServiceAddresses, after: ServiceAddresses): readonly string[] {
  const shown = ({ services, certificates }: ServiceAddresses, service: string): string => {
    const origin = services[service] ?? ''
    return `${origin} ${certificates[origin] ?? ''}`
  }
  const all = new Set([before, after].flatMap(({ services }) => Object.keys(services)))
  return [...all].filter((service) => shown(before, service) !== shown(after, service))
}
