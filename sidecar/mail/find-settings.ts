/**
 * Finds the servers of a mail address: the list of large providers, then the domain's SRV records (RFC 6186, RFC 8314). An answer of DNS is no
 * proof, so servers outside the domain are only proposed. Must not connect to any of them. Called by `pfar connect mail`.
 */
import { resolveMx, resolveSrv } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'
import { MAIL_SERVER, type MailServer, parseServer } from './mail-settings.ts'

const server = z.string().check(z.regex(MAIL_SERVER))
const schema = z.strictObject({
  source: z.url(),
  read: z.string(),
  providers: z.array(
    z.strictObject({
      title: z.string(),
      domains: z.array(z.string()),
      imap: server,
      smtp: server,
      hint: z.string(),
      /** `local`: they know the owner by what stands before the @. */
      user: z.optional(z.literal('local')),
      files_sent: z._default(z.boolean(), false),
    }),
  ),
  closed: z.array(
    z.strictObject({
      title: z.string(),
      domains: z.array(z.string()),
      /** Ends of the names of mail exchangers. */
      mx: z._default(z.array(z.string()), []),
      why: z.string(),
    }),
  ),
})

export type FoundSettings =
  | {
      readonly how: 'known' | 'dns'
      readonly imap: MailServer
      readonly smtp: MailServer
      readonly user: string
      readonly filesSent: boolean
      /** How to get a password for it. */
      readonly hint: string | null
      /** Every server is of a known provider, or under the domain of the address. */
      readonly sure: boolean
    }
  | { readonly how: 'closed'; readonly why: string }

export type SrvLookup = (name: string) => Promise<readonly { readonly name: string; readonly port: number }[]>

export type MxLookup = (domain: string) => Promise<readonly { readonly exchange: string }[]>

/** Names of the records, the better first: TLS from the first byte, then STARTTLS. */
const IMAP_RECORDS = ['_imaps._tcp']
const SMTP_RECORDS = ['_submissions._tcp', '_submission._tcp']

/** Null if nothing is known of the domain. */
export async function findSettings(
  address: string,
  lookup: SrvLookup = resolveSrv,
  exchangers: MxLookup = resolveMx,
): Promise<FoundSettings | null> {
  const { providers, closed } = readProviders()
  const [local = '', domain = ''] = address.toLowerCase().split('@')
  const shut = closed.find(({ domains }) => domains.includes(domain))
  if (shut !== undefined) return { how: 'closed', why: shut.why }
  const known = providers.find(({ domains }) => domains.includes(domain))
  if (known === undefined) {
    const found = await fromDns(address, domain, lookup)
    // What DNS says here can only keep an address out, and its servers can still be named.
    return found ?? (await closedByDns(closed, domain, exchangers))
  }
  const [imap, smtp] = [parseServer(known.imap), parseServer(known.smtp)]
  if (imap === null || smtp === null) return null
  const user = known.user === 'local' ? local : address
  return { how: 'known', imap, smtp, user, filesSent: known.files_sent, hint: known.hint, sure: true }
}

async function fromDns(address: string, domain: string, lookup: SrvLookup): Promise<FoundSettings | null> {
  const imap = await firstOf(IMAP_RECORDS, domain, lookup)
  const smtp = await firstOf(SMTP_RECORDS, domain, lookup)
  if (imap === null || smtp === null) return null
  const isOwn = ({ host }: MailServer): boolean => host === domain || host.endsWith(`.${domain}`)
  const sure = isOwn(imap) && isOwn(smtp)
  return { how: 'dns', imap, smtp, user: address, filesSent: false, hint: null, sure }
}

async function closedByDns(
  closed: readonly { readonly mx: readonly string[]; readonly why: string }[],
  domain: string,
  exchangers: MxLookup,
): Promise<FoundSettings | null> {
  const names = (await exchangers(domain).catch(() => [])).map(({ exchange }) => exchange.toLowerCase())
  const shut = closed.find(({ mx }) => names.some((name) => mx.some((end) => name.endsWith(`.${end}`))))
  return shut === undefined ? null : { how: 'closed', why: shut.why }
}

async function firstOf(
  records: readonly string[],
  domain: string,
  lookup: SrvLookup,
): Promise<MailServer | null> {
  for (const record of records) {
    const found = await lookup(`${record}.${domain}`).catch(() => [])
    // The root alone means that the service is not offered (RFC 2782).
    const [first] = found.filter(({ name }) => name !== '' && name !== '.')
    const parsed = first === undefined ? null : parseServer(`${first.name.replace(/\.$/, '')}:${first.port}`)
    if (parsed !== null) return parsed
  }
  return null
}

export function readProviders(): z.output<typeof schema> {
  return z.parse(schema, parse(readFileSync(new URL('providers.toml', import.meta.url), 'utf8')))
}
