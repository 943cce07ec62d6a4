/**
 * Checks whether the servers of the owner's accounts can be reached: mail, calendars, address books and connected services,
 * concurrently and with a time limit. Must not open or send a credential: it only waits for a greeting. Called by the private
 * line for `pfar doctor`.
 */
import type { Transport } from '../../integrations/http/transport.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ToolManifest } from '../../kernel/tool/manifest.ts'
import type { Config } from '../config/config.ts'
import { ownMailboxes } from '../mail/mail-accounts.ts'
import { type MailServer, serverName, startsPlain } from '../mail/mail-settings.ts'
import { GOOGLE } from '../secrets/vault-names.ts'

/** Time limit for one server, milliseconds: an unreachable one must not delay the rest of the report. */
const REACH_WITHIN = 8_000
/** Maximum number of servers that are checked: each costs a connection. */
const MOST_SERVERS = 40

/** Result for one server of one account. Contains names and addresses from the configuration, no content. */
export interface AccountCheck {
  /** The account: `mail`, `calendar nas`. */
  readonly account: string
  /** What the server is used for, such as IMAP; null if the account has only one server. */
  readonly role: string | null
  readonly server: string
  /** Reason code; null: the server answers. */
  readonly trouble: string | null
  /** Whether its credential worked at its last use. `missing`: none is stored. */
  readonly credential: 'good' | 'refused' | 'missing'
  /** The credential's name in the vault. */
  readonly renew: string
}

export interface AccountLookInput {
  readonly config: Pick<
    Config,
    'mail' | 'otherMail' | 'calendarAccounts' | 'addressbooks' | 'exemptOrigins' | 'google'
  >
  readonly manifests: () => readonly ToolManifest[]
  /** Vault name of a credential and account; null where there is none. */
  readonly nameOf: (credential: string, account: string | null) => string | null
  /** Result of the last use; null for a service that was never connected. */
  readonly works: (credential: string, account: string | null) => boolean | null
  readonly has: (name: string) => boolean
  readonly transport: () => Transport
}

interface Server extends Omit<AccountCheck, 'trouble'> {
  readonly reach: (signal: AbortSignal) => Promise<Result<true>>
}

export async function lookAtAccounts(input: AccountLookInput): Promise<readonly AccountCheck[]> {
  const servers = [...mailServers(input), ...webServers(input), ...services(input)].slice(0, MOST_SERVERS)
  return Promise.all(
    servers.map(async ({ reach, ...server }) => ({ ...server, trouble: await troubleOf(reach) })),
  )
}

async function troubleOf(reach: Server['reach']): Promise<string | null> {
  const abort = new AbortController()
  const late = Promise.withResolvers<string>()
  const timer = setTimeout(() => late.resolve('response_timeout'), REACH_WITHIN)
  const reached = reach(abort.signal).then((done) => (done.ok ? null : done.reason.code))
  try {
    return await Promise.race([reached.catch(() => 'network_failed'), late.promise])
  } finally {
    clearTimeout(timer)
    abort.abort()
  }
}

function credentialOf(
  { works, has, nameOf }: AccountLookInput,
  credential: string,
  account: string | null,
): Pick<AccountCheck, 'credential' | 'renew'> {
  const name = nameOf(credential, account) ?? credential
  const state = works(credential, account)
  if (state === true) return { credential: 'good', renew: name }
  return { credential: has(name) ? 'refused' : 'missing', renew: name }
}

function mailServers(input: AccountLookInput): readonly Server[] {
  const boxes = ownMailboxes(input.config)
  return boxes.flatMap(({ name, account, settings: { imap, smtp, own } }) => {
    const open = async (server: MailServer): Promise<Result<true>> => {
      // Loaded only for this check.
      const { openPlain, openTls } = await import('../mail/mail-socket.ts')
      const opened =
        own === null && startsPlain(server)
          ? await openPlain(server)
          : await openTls(server, own, undefined, REACH_WITHIN)
      if (!opened.ok) return opened
      opened.value.destroy()
      return ok(true)
    }
    const called = boxes.length > 1 ? `mail ${name}` : 'mail'
    const all = { account: called, ...credentialOf(input, 'mail', account) }
    return [
      { ...all, role: 'IMAP', server: serverName(imap), reach: () => open(imap) },
      { ...all, role: 'SMTP', server: serverName(smtp), reach: () => open(smtp) },
    ]
  })
}

function webServers(input: AccountLookInput): readonly Server[] {
  const { calendarAccounts, addressbooks } = input.config
  const at = (credential: string, { name, server }: { readonly name: string; readonly server: string }) => ({
    ...{ account: `${credential} ${name}`, role: null, server },
    ...credentialOf(input, credential, name),
    reach: (signal: AbortSignal) => answers(input, new URL(server).origin, signal),
  })
  return [
    ...calendarAccounts.map((one) => at('calendar', one)),
    ...addressbooks.map((one) => at('addressbook', one)),
  ]
}

/** Connected services of other companies, each with the hosts that its tools declare. */
function services(input: AccountLookInput): readonly Server[] {
  const { config, manifests, works } = input
  const hosts = new Map<string, { readonly service: string; readonly host: string }>()
  for (const { credential, accounts, network } of manifests()) {
    const ways = accounts ?? [{ credential, network }]
    for (const way of ways) {
      const service = way.credential
      if (service === null || OWN.has(service) || service.includes('/')) continue
      if (works(service, null) === null || (service === GOOGLE && config.google.demo)) continue
      for (const host of way.network) if (host !== '*') hosts.set(`${service} ${host}`, { service, host })
    }
  }
  return [...hosts.values()].map(({ service, host }) => {
    const exempt = config.exemptOrigins.find((origin) => new URL(origin).host === host)
    return {
      ...{ account: service, role: null, server: host },
      ...credentialOf(input, service, null),
      reach: (signal) => answers(input, exempt ?? `https://${host}`, signal),
    }
  })
}

/** Credentials of accounts that are checked separately above. */
const OWN: ReadonlySet<string> = new Set(['mail', 'calendar', 'addressbook'])

/** Any HTTP response counts as an answer, also one that denies access. */
async function answers(
  { transport, config }: AccountLookInput,
  origin: string,
  signal: AbortSignal,
): Promise<Result<true>> {
  const { createScopedHttp } = await import('../../integrations/http/scoped-client.ts')
  const { ownServers } = await import('../calendar/calendar-settings.ts')
  const exemptOrigins = [...config.exemptOrigins, ...ownServers([{ server: origin }])]
  const scope = { hosts: [new URL(origin).host], exemptOrigins }
  const http = createScopedHttp({ ...scope, transport: transport(), signal, limits: LIMITS })
  const answer = await http.request({ method: 'GET', url: `${origin}/` })
  if (answer.ok || ANSWERED.has(answer.reason.code)) return ok(true)
  return answer
}

const LIMITS = { maxRedirects: 0, timeoutMs: REACH_WITHIN, maxBytes: 100_000 }
/** Refusals by the HTTP client that occur only after the server answered. */
const ANSWERED: ReadonlySet<string> = new Set(['redirect_refused', 'response_too_large', 'host_not_allowed'])
