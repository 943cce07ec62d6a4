/**
 * Configuration of home: `config.toml`, decoded, validated once and frozen (S-01, S-02, S-14). A refusal names the setting and
 * the problem, never the value, which may be a secret. Called by foundation.ts, the start script and the CLI.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import * as z from 'zod/mini'
import { CHANNELS, HOME_CHATS } from '../../integrations/channels/index.ts'
import type { ChannelTable } from '../../integrations/channels/runtime/declaration.ts'
import { budgetOf } from '../../integrations/models/budget-settings.ts'
import type { HttpSetting } from '../../integrations/tools/http/setting.ts'
import { DEFAULT_SEARCH, type SearchSetting } from '../../integrations/tools/search/engines.ts'
import type { HistoryWindow } from '../../kernel/features/history/history-window.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Budget } from '../../kernel/inference/budget.ts'
import { type Models, PHASE_NAMES } from '../../kernel/powers/ports.ts'
import type { OwnCommandEntry } from '../../kernel/task/command.ts'
import type { CarddavSettings } from '../addressbook/addressbook-settings.ts'
import type { Kept } from '../backup/archive.ts'
import type { CalendarAccountSettings } from '../calendar/calendar-settings.ts'
import { type MailConfig, mailOf, mailProblem } from '../mail/mail-accounts.ts'
import {
  type HomeProvider,
  type ModelsConfig,
  modelsConfig,
  type SpeechConfig,
  speechConfig,
  VISION,
  visionConfig,
} from '../models/models-config.ts'
import type { LogLevel } from '../process/decision-log.ts'
import { VAULT_SCHEME } from '../secrets/secret.ts'
import { configSchema, type ParsedConfig } from './config-schema.ts'
import { httpSettingOf } from './http-settings.ts'
import { findLiteralSecret, looksSecret } from './literal-secret.ts'
import { certificatesOf, isServiceAddress, looseCertificate } from './own-services.ts'

export interface Config extends MailConfig {
  readonly owner: {
    readonly name: string | null
    readonly timezone: string
    readonly language: NonNullable<ParsedConfig['owner']['language']> | null
    /** The owner's preferences, one a line. Only prompts that answer the owner at home contain them. */
    readonly preferences: readonly string[]
  }
  readonly persona: { readonly name: string | null; readonly style: string | null }
  readonly commands: readonly OwnCommandEntry[]
  readonly contacts: readonly { readonly name: string; readonly email: string }[]
  /** Origin of the edge. Null: home runs without an edge. */
  readonly edge: string | null
  readonly google: {
    readonly baseUrl: string | null
    readonly account: string | null
    /** The demo of `npm start`. */
    readonly demo: boolean
    /** Name of a secret. Null: the secret that is called `google`. */
    readonly credential: string | null
    /** Further mailboxes: the owner's name for each, and the name of its secret (I-12). */
    readonly accounts: readonly { readonly name: string; readonly credential: string }[]
  }
  /** Addresses of the owner's own servers, by the name of the credential; without a slash at the end. */
  readonly services: Readonly<Record<string, string>>
  /** By origin, the SHA-256 of the certificate that the owner confirmed for it. */
  readonly certificates: Readonly<Record<string, string>>
  /** Names or ids of calendars. `chosen` empty: all that the account shows. `standard` null: the account's own default. */
  readonly calendars: { readonly chosen: readonly string[]; readonly standard: string | null }
  /** Calendar accounts besides Google's. The secret of each is `calendar-` and its name. */
  readonly calendarAccounts: readonly CalendarAccountSettings[]
  /** Address books besides Google's. The secret of each is `addressbook-` and its name. */
  readonly addressbooks: readonly CarddavSettings[]
  /** Absolute paths of the folders whose files may be read and written. */
  readonly folders: readonly string[]
  /** Absolute path of the folder in which home looks for health exports; null without one. */
  readonly healthFolder: string | null
  /** Hosts that the owner labelled, and the requests that they saved. */
  readonly http: HttpSetting
  /** The search engine of the owner's choice. */
  readonly search: SearchSetting
  /** Tables of the channels that home listens to, by channel name. */
  readonly channels: ChannelTables
  /** Server that transcribes recordings; null without one. */
  readonly speech: SpeechConfig | null
  /** Model that describes pictures, separate from `models`; null without one. */
  readonly vision: HomeProvider | null
  /** Parses PDFs without bubblewrap as well. */
  readonly documentsWithoutSandbox: boolean
  /** Exact origins that may use plain http and a private address, for emulators and tests. */
  readonly exemptOrigins: readonly string[]
  readonly models: ModelsConfig
  /** Absolute path of the backup folder. Null: `backups` in the state folder. */
  readonly backupFolder: string | null
  /** When the daily backup is made: five fields of cron in the owner's zone (S-04). */
  readonly backupTimes: string
  /** For how many days, and for how many weeks before them, one backup is kept. */
  readonly backupKept: Kept
  /** Time until an unanswered approval expires, milliseconds (S-03, F-05). */
  readonly approvalTimeout: number
  /** The owner's chats for questions and notices, the preferred one first (F-18), connected now or not. */
  readonly ownerChats: readonly string[]
  /** What home writes to its log besides faults (S-03). */
  readonly logLevel: LogLevel
  /** How much of the conversation a prompt includes (B-18). */
  readonly history: HistoryWindow
  /** The owner's limits of a model call, milliseconds. */
  readonly modelTime: NonNullable<Models['modelTime']>
  /** A model at home first takes notes of long texts by others; the answer is written from the notes (N-25). */
  readonly readerPass: boolean
  /** Spending limits for models, by place (B-37). */
  readonly budget: Budget
}

export type ChannelTables = Readonly<Record<string, ChannelTable>>

type Environment = Readonly<Record<string, string | undefined>>

/** Bytes. A configuration is about a page; a file that grows without end must not fill memory. */
const MAX_CONFIG_BYTES = 262_144

/** Levels of nesting. No setting lies deeper than three, and the code that walks the document is recursive. */
const MAX_DEPTH = 16

/** `PFAR_CONFIG_PATH`, or `config.toml` in the state folder. */
export function configPath(env: Environment, folder: string): string {
  return resolve(env['PFAR_CONFIG_PATH'] || join(folder, 'config.toml'))
}

/** File that settings made by command or chat are written to: the owner's own, even if home reads another one. */
export function ownConfigPath(env: Environment, folder: string): string {
  return resolve(env['PFAR_OWN_CONFIG'] || configPath(env, folder))
}

/**
 * Reads only the owner's own file, such as just after a command has changed it. Another file that home read at its
 * start is not read again. Refusal: as for `loadConfig`.
 */
export function loadOwnConfig(env: Environment, folder: string): Result<Config> {
  return loadConfig({ ...env, PFAR_CONFIG_PATH: ownConfigPath(env, folder) }, folder)
}

/**
 * Reads and validates the file. A missing file counts as empty, unless its path was given. Refusal: config_malformed.
 * `PFAR_EDGE_URL` replaces `[edge] url`, because the start script chooses the port of a local edge.
 */
export function loadConfig(env: Environment, folder: string): Result<Config> {
  const path = configPath(env, folder)
  const text = readConfig(path, Boolean(env['PFAR_CONFIG_PATH']))
  if (!text.ok) return text
  return parseConfig(text.value, env['PFAR_EDGE_URL'] || null)
}

/** Validates the text of a configuration. Refusal: config_malformed with `key` and `problem`. */
export function parseConfig(text: string, edgeOverride: string | null = null): Result<Config> {
  const decoded = decode(text)
  if (!decoded.ok) return decoded
  if (isDeeper(decoded.value, MAX_DEPTH)) return malformed('config.toml', 'is nested too deeply')
  const document = edgeOverride === null ? decoded.value : withEdge(decoded.value, edgeOverride)
  const secret = findLiteralSecret(document)
  if (secret !== null) {
    return malformed(secret, 'holds a secret; put it in the vault and write vault:<name> here')
  }
  const channels = channelTables(document)
  if (!channels.ok) return channels
  const others = Object.entries(document).filter(([key]) => !CHANNEL_KEYS.includes(key))
  const parsed = z.safeParse(configSchema, Object.fromEntries(others))
  if (!parsed.success) return refuseIssue(parsed.error.issues[0])
  const loose = looseCertificate(parsed.data.services)
  if (loose !== null) return malformed(`services.${loose}.fingerprint`, 'is for https on your own network')
  return checkOrigins(normalise(parsed.data, channels.value))
}

const CHANNEL_KEYS: readonly string[] = CHANNELS.flatMap(({ name, settings }) =>
  settings === null ? [] : name,
)

/** Validated by the schemas of the channel packages. Refusal: config_malformed. */
function channelTables(document: Readonly<Record<string, unknown>>): Result<ChannelTables> {
  const tables: Record<string, ChannelTable> = {}
  for (const { name, settings, origin } of CHANNELS) {
    if (settings === null || document[name] === undefined) continue
    const parsed = z.safeParse(settings, document[name])
    const [issue] = parsed.error?.issues ?? []
    if (!parsed.success) return refuseIssue(issue && { ...issue, path: [name, ...issue.path] })
    tables[name] = { ...parsed.data, api: String(parsed.data['api'] ?? origin) }
  }
  return ok(tables)
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1))
}

function readConfig(path: string, mustExist: boolean): Result<string> {
  try {
    const bytes = readFileSync(path)
    return bytes.length > MAX_CONFIG_BYTES
      ? malformed('config.toml', 'is too large')
      : ok(bytes.toString('utf8'))
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return missing && !mustExist ? ok('') : malformed('config.toml', 'cannot be read')
  }
}

/** The parser's own message quotes the line it fails on, so only its position is passed on. */
function decode(text: string): Result<Record<string, unknown>> {
  try {
    return ok(parse(text))
  } catch (error) {
    const at = error instanceof TomlError ? ` at line ${error.line}, column ${error.column}` : ''
    return malformed('config.toml', `is not valid TOML${at}`)
  }
}

function withEdge(document: Record<string, unknown>, url: string): Record<string, unknown> {
  const edge = typeof document['edge'] === 'object' ? document['edge'] : {}
  return { ...document, edge: { ...edge, url } }
}

function normalise(parsed: ParsedConfig, channels: ChannelTables): Config {
  const { owner, commands, contacts, edge, tools, services, network, approvals, session, models } = parsed
  return Object.freeze({
    owner: {
      name: owner.name ?? null,
      timezone: owner.timezone ?? machineTimezone(),
      language: owner.language ?? null,
      preferences: owner.preferences,
    },
    persona: { name: parsed.persona.name ?? null, style: parsed.persona.style ?? null },
    commands,
    contacts,
    edge: edge.url === undefined ? null : withoutSlash(edge.url),
    google: {
      baseUrl: tools.google?.base_url === undefined ? null : withoutSlash(tools.google.base_url),
      account: tools.google?.account ?? null,
      demo: tools.google?.demo ?? false,
      credential: tools.google?.credential?.slice(VAULT_SCHEME.length) ?? null,
      accounts: (tools.google?.accounts ?? []).map(({ name, credential }) => ({
        name,
        credential: credential.slice(VAULT_SCHEME.length),
      })),
    },
    services: Object.fromEntries(
      Object.entries(services).flatMap(([name, own]) =>
        own?.base_url === undefined ? [] : [[name, withoutSlash(own.base_url)]],
      ),
    ),
    certificates: certificatesOf(services),
    calendars: { chosen: tools.calendar?.chosen ?? [], standard: tools.calendar?.default ?? null },
    calendarAccounts: (tools.calendar?.accounts ?? []).map((one) =>
      one.kind === 'ics' ? one : { ...one, address: one.address ?? null },
    ),
    addressbooks: tools.addressbook?.accounts ?? [],
    ...mailOf(tools.mail),
    folders: tools.files?.folders ?? [],
    healthFolder: tools.health?.folder ?? null,
    http: httpSettingOf(tools.http),
    search:
      tools.web === undefined
        ? DEFAULT_SEARCH
        : {
            engine: tools.web.engine,
            url: tools.web.engine === 'searxng' ? (tools.web.searxng ?? null) : null,
          },
    channels,
    speech: speechConfig(parsed.speech),
    vision: visionConfig(parsed.vision),
    documentsWithoutSandbox: parsed.documents.without_sandbox,
    exemptOrigins: network.exempt_origins.map(withoutSlash),
    models: modelsConfig(models, issueIn),
    backupFolder: parsed.backup.folder ?? null,
    backupTimes: `${Number(parsed.backup.at.slice(3))} ${Number(parsed.backup.at.slice(0, 2))} * * *`,
    backupKept: { days: parsed.backup.keep_days, weeks: parsed.backup.keep_weeks },
    approvalTimeout: approvals.timeout_seconds * 1_000,
    ownerChats: approvals.chats,
    logLevel: parsed.log.level,
    history: {
      plannerTurns: session.planner_turns,
      writerTurns: session.writer_turns,
      tokens: session.history_tokens,
    },
    modelTime: modelTimeOf(parsed.timeouts),
    readerPass: parsed.reader.pass,
    budget: budgetOf(parsed.budget),
  })
}

function modelTimeOf(timeouts: ParsedConfig['timeouts']): Config['modelTime'] {
  return Object.fromEntries(
    PHASE_NAMES.flatMap((phase) => {
      const seconds = timeouts[`${phase}_seconds`]
      return seconds === undefined ? [] : [[phase, seconds * 1_000]]
    }),
  )
}

/**
 * Plain http exposes the traffic to the network. It is allowed for this machine only, and for a tool only if its origin
 * is exempted by name.
 */
function checkOrigins(config: Config): Result<Config> {
  const exempt = config.exemptOrigins.find((origin) => !isLoopback(origin))
  if (exempt !== undefined)
    return malformed('network.exempt_origins', 'may only hold addresses of this machine')
  if (config.edge !== null && isPlain(config.edge) && !isLoopback(config.edge)) {
    return malformed('edge.url', 'must be https, unless it is on this machine')
  }
  if (config.vision !== null && config.models.providers.some(({ name }) => name === VISION))
    return malformed('vision', 'is the name of a provider in [models], too: call that one otherwise')
  if (config.search.engine === 'searxng' && config.search.url === null)
    return malformed('tools.web.searxng', 'must be the address of your SearXNG')
  const names = config.calendarAccounts.map(({ name }) => name)
  if (new Set(names).size < names.length)
    return malformed('tools.calendar.accounts', 'must have a name of its own each')
  const books = config.addressbooks.map(({ name }) => name)
  if (new Set(books).size < books.length)
    return malformed('tools.addressbook.accounts', 'must have a name of its own each')
  const mails = mailProblem(config)
  if (mails !== null) return malformed('tools.mail.accounts', mails)
  const { baseUrl } = config.google
  if (baseUrl !== null && isPlain(baseUrl) && !config.exemptOrigins.includes(baseUrl)) {
    return malformed('tools.google.base_url', 'must be https, or be listed in network.exempt_origins')
  }
  const open = Object.entries(config.services).find(
    ([service, url]) =>
      isPlain(url) && !config.exemptOrigins.includes(new URL(url).origin) && !isServiceAddress(service, url),
  )
  if (open !== undefined)
    return malformed(`services.${open[0]}.base_url`, 'must be https, or be listed in network.exempt_origins')
  const plain = Object.entries(config.channels).find(([, { api }]) => isPlain(api) && !isLoopback(api))
  if (plain !== undefined) return malformed(`${plain[0]}.api`, 'must be https, unless it is on this machine')
  const [chat] = config.ownerChats
  if (!config.ownerChats.some((name) => isThere(config, name)))
    return malformed('approvals.chats', `names no chat that is there: pfar channel connect ${chat} --private`)
  return checkAccounts(config)
}

/** A chat that needs no table, such as the terminal, is always available. */
function isThere({ channels }: Pick<Config, 'channels'>, name: string): boolean {
  return HOME_CHATS.has(name) && (!CHANNEL_KEYS.includes(name) || channels[name] !== undefined)
}

/** With a duplicate name or secret it would be ambiguous whose mail is read. */
function checkAccounts(config: Config): Result<Config> {
  const { account, credential, accounts } = config.google
  const names = [...(account === null ? [] : [account]), ...accounts.map(({ name }) => name)]
  const secrets = [credential ?? 'google', ...accounts.map((one) => one.credential)]
  const isTwice = (all: readonly string[]): boolean => new Set(all).size < all.length
  return isTwice(names) || isTwice(secrets)
    ? malformed('tools.google.accounts', 'must each have a name and a secret of their own')
    : ok(config)
}

export function isLoopback(origin: string): boolean {
  const host = URL.parse(origin)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

function isPlain(origin: string): boolean {
  return origin.startsWith('http:')
}

function withoutSlash(origin: string): string {
  return origin.endsWith('/') ? origin.slice(0, -1) : origin
}

export function machineTimezone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** Names the setting. zod's texts for types and bounds state what was expected and never quote the value. */
function refuseIssue(issue: z.core.$ZodIssue | undefined): Result<never> {
  if (issue === undefined) return malformed('config.toml', 'is malformed')
  const { key, problem } = issueIn(issue)
  return malformed(key, problem)
}

function issueIn(issue: z.core.$ZodIssue): { readonly key: string; readonly problem: string } {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys')
    return { key: [...path, issue.keys[0] ?? ''].filter(isName).join('.'), problem: 'is not a setting' }
  return { key: path.join('.'), problem: problemOf(issue) }
}

function problemOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `must be ${issue.expected}`
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`
  return issue.code === 'custom' ? issue.message : 'has the wrong form'
}

function isName(key: string): boolean {
  return key !== '' && !looksSecret(key)
}

function malformed(key: string, problem: string): Result<never> {
  return err('config_malformed', { key, problem })
}
