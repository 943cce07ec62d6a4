/**
 * The tools that run at home, and what each may reach (DESIGN §5). What is large is loaded when it is first used: an
 * idle home holds no HTML parser and no HTTP client. Must not decide what may run. Called by powers.ts.
 */

import { CHANNELS } from '../integrations/channels/index.ts'
import { toolOf } from '../integrations/channels/runtime/declaration.ts'
import type { Transport } from '../integrations/http/transport.ts'
import { createToolBreaker } from '../integrations/tools/breaker.ts'
import type { CredentialSource, IssuedCredential } from '../integrations/tools/credentials.ts'
import { HOME_RUNNERS } from '../integrations/tools/home.ts'
import { createToolPort } from '../integrations/tools/port.ts'
import { createTool } from '../integrations/tools/registered.ts'
import type { Store } from '../kernel/powers/all-powers.ts'
import type { ToolPort } from '../kernel/powers/ports.ts'
import { checkCapability } from '../kernel/task/capability.ts'
import type { Credential, Tool, ToolManifest } from '../kernel/tool/manifest.ts'
import type { Config } from './config.ts'
import { createPageReader, type HomePageReader } from './page-reader.ts'
import { modelTool } from './secrets/model-keys.ts'
import { SPEECH } from './speech/speech-config.ts'

/** The account of an emulator at an exempt address: it opens nothing but that emulator. */
const DEVELOPMENT_CREDENTIAL: Credential = Object.freeze({ scheme: 'bearer', value: 'development' })
const GOOGLE = 'google'
/** Google's token endpoint has a host of its own; at a configured address all of Google lies together. */
const GOOGLE_TOKENS = 'https://oauth2.googleapis.com/token'
const EMULATED_TOKENS = '/oauth2/token'
/** Milliseconds without a page before its parser is let go. */
const READER_IDLE = 60_000

export interface HomeTools {
  readonly tools: readonly Tool[]
  readonly port: ToolPort
  /** For who renews credentials: the same connections. */
  readonly transport: Transport
  /** Ends the connections. */
  close(): Promise<void>
}

export interface HomeToolsInput {
  readonly config: Config
  readonly store: Pick<Store, 'uses'>
  readonly tokenKey: Uint8Array
  readonly now: () => number
  readonly credentials: CredentialSource
  /** Takes known secrets out of what a tool gives back. */
  readonly redact: <T>(value: T) => T
  /** Told when a tool is left alone because it keeps failing. */
  readonly degraded: (tool: string, at: number) => void
}

export function createHomeTools(input: HomeToolsInput): HomeTools {
  const { config, store, tokenKey, now, credentials, redact, degraded } = input
  const reader = createIdleReader()
  const tools = toolsOf(config, reader)
  const transport = createLazyTransport()
  const port = createToolPort({
    place: 'home',
    tools,
    transport,
    exemptOrigins: config.exemptOrigins,
    checkToken: (token, action, args) => {
      const { id, task, step, scope } = token.claims
      // The kernel has counted this use already; the check compares with those before it.
      const used = Math.max(0, store.uses(id) - 1)
      return checkCapability(
        token,
        { place: 'home', task, step, tool: action, args, scope, now: now(), used },
        tokenKey,
      )
    },
    credentials,
    redact,
    breaker: createToolBreaker({ now, opened: degraded }),
  })
  return {
    tools,
    port,
    transport,
    close: async () => void (await Promise.all([transport.close(), reader.close()])),
  }
}

/** A model's key is kept as a tool's credential is: for one provider, and for the host that it has now. */
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

/** A channel's token is kept so, too: for its service's host alone. */
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

/** What the tools of home declare under this configuration, for who decides which secret they may get. */
export function homeManifests(config: Config): readonly ToolManifest[] {
  const tools = toolsOf(config, createIdleReader()).map(({ manifest }) => manifest)
  return [...tools, ...modelManifests(config), ...channelManifests(config)]
}

/** Name in the vault of what a manifest calls its credential (S-14), for the account that is used when none is named. */
export function vaultName({ google }: Config, credential: string): string {
  return credential === GOOGLE && google.credential !== null ? google.credential : credential
}

/** The same for an account that a call names; null for one that nobody configured (I-12). */
export function vaultNameOf(config: Config, credential: string, account: string | null): string | null {
  const { google } = config
  if (account === null || (credential === GOOGLE && account === google.account))
    return vaultName(config, credential)
  const other = credential === GOOGLE ? google.accounts.find(({ name }) => name === account) : undefined
  return other?.credential ?? null
}

/** Every secret that a tool could be given: a tool that takes an account has one for each. */
export function vaultNames(config: Config, { credential, actions }: ToolManifest): readonly string[] {
  if (credential === null) return []
  const routed = credential === GOOGLE && actions.some(({ args }) => Object.hasOwn(args.fields, 'account'))
  return [
    vaultName(config, credential),
    ...(routed ? config.google.accounts.map((one) => one.credential) : []),
  ]
}

/** Where a lasting permission under this name is exchanged for a token (I-11); null where no service of that name does. */
export function tokenUrl(config: Config, name: string): string | null {
  const { baseUrl, accounts } = config.google
  if (name !== vaultName(config, GOOGLE) && !accounts.some(({ credential }) => credential === name))
    return null
  return baseUrl === null ? GOOGLE_TOKENS : `${baseUrl}${EMULATED_TOKENS}`
}

/**
 * A made-up credential for an emulator, where the configuration names no secret. Only for an origin that it exempts,
 * which is on this machine: no made-up token ever leaves it.
 */
export function standIn(
  { google, exemptOrigins }: Config,
  credential: string,
  account: string | null = null,
): IssuedCredential | null {
  const { baseUrl } = google
  if (credential !== GOOGLE || google.credential !== null) return null
  // Another mailbox has a secret of its own, or none.
  if (account !== null && account !== google.account) return null
  if (baseUrl === null || !exemptOrigins.includes(baseUrl)) return null
  return { credential: DEVELOPMENT_CREDENTIAL, hosts: [new URL(baseUrl).host], settle: () => undefined }
}

function toolsOf({ google }: Config, reader: HomePageReader): readonly Tool[] {
  const base = google.baseUrl === null ? {} : { baseUrl: google.baseUrl }
  const named = google.account === null ? [] : [google.account]
  const accounts = [...named, ...google.accounts.map(({ name }) => name)]
  const all = { accounts, reader, htmlText: reader.text }
  return HOME_RUNNERS.map((runner) =>
    createTool(
      runner,
      runner.manifest.credential === GOOGLE ? { ...base, ...all } : { ...all, accounts: [] },
    ),
  )
}

/** A reader whose thread ends when nobody has read for a while: it holds a parser that an idle home does not need. */
function createIdleReader(): HomePageReader {
  const reader = createPageReader()
  let timer: NodeJS.Timeout | undefined
  let reading = 0
  const using = async <T>(work: () => Promise<T> | T): Promise<T> => {
    clearTimeout(timer)
    reading += 1
    try {
      return await work()
    } finally {
      reading -= 1
      if (reading === 0) timer = setTimeout(() => void reader.close(), READER_IDLE).unref()
    }
  }
  return {
    read: (html, url) => using(() => reader.read(html, url)),
    text: (html) => using(() => reader.text(html)),
    close: () => {
      clearTimeout(timer)
      return reader.close()
    },
  }
}

function createLazyTransport(): Transport & { close(): Promise<void> } {
  let made: Promise<Transport & { close(): Promise<void> }> | null = null
  const get = (): NonNullable<typeof made> => {
    made ??= import('./pinned-transport.ts').then(({ createPinnedTransport }) => createPinnedTransport())
    return made
  }
  return {
    send: async (request) => (await get()).send(request),
    close: async () => {
      if (made !== null) await (await made).close()
    },
  }
}
