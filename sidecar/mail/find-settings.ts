/**
 * Finds the servers of a mail address: the list of large providers, the domain's SRV records (RFC 6186, RFC 8314), then the
 * provider of its mail exchangers. A DNS answer is no proof, so servers outside the domain and the list are only proposed. Must
 * not connect to any of them. Called by `pfar connect mail`.
 */
import { resolveMx, resolveSrv } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'
import { namedSentence } from '../language/sentence-of-data.ts'
import { tell } from '../language/wording.ts'
import { MAIL_SERVER, type MailServer, parseServer } from './mail-settings.ts'

/** Suffixes of the host names of the provider's mail exchangers. */
const mx = z._default(z.array(z.string()), [])

const server = z.string().check(z.regex(MAIL_SERVER))
const schema = z.strictObject({
  source: z.url(),
  read: z.string(),
  providers: z.array(
    z.strictObject({
      title: z.string(),
      domains: z.array(z.string()),
      mx,
      imap: server,
      smtp: server,
      hint: namedSentence('mail_setup.hint_'),
      /** `local`: the user name is the part before the @. */
      user: z.optional(z.literal('local')),
      files_sent: z._default(z.boolean(), false),
    }),
  ),
  closed: z.array(
    z.strictObject({
      title: z.string(),
      domains: z.array(z.string()),
      mx,
      why: namedSentence('mail_setup.why_'),
    }),
  ),
})

export type FoundSettings =
  | {
      /** `mx`: a known provider hosts the mail exchangers of the domain. */
      readonly how: 'known' | 'mx' | 'dns'
      /** Name of the provider; null if unknown. */
      readonly title: string | null
      readonly imap: MailServer
      readonly smtp: MailServer
      readonly user: string
      readonly filesSent: boolean
      /** How to get a password from it. */
      readonly hint: string | null
      /** Whether every server belongs to a known provider, or is under the domain of the address. */
      readonly sure: boolean
    }
  | { readonly how: 'closed'; readonly why: string }

export type SrvLookup = (name: string) => Promise<readonly { readonly name: string; readonly port: number }[]>

export type MxLookup = (domain: string) => Promise<readonly { readonly exchange: string }[]>

/** Names of the SRV records in order of preference: TLS from the first byte, then STARTTLS. */
const IMAP_RECORDS = ['_imaps._tcp']
const SMTP_RECORDS = ['_submissions._tcp', '_submission._tcp']

/** Null if no settings are known for the domain. */
export async function findSettings(
  address: string,
  lookup: SrvLookup = resolveSrv,
  exchangers: MxLookup = resolveMx,
): Promise<FoundSettings | null> {
  const { providers, closed } = readProviders()
  const domain = address.toLowerCase().split('@').at(-1) ?? ''
  const shut = closed.find(({ domains }) => domains.includes(domain))
  if (shut !== undefined) return { how: 'closed', why: tell(shut.why) }
  const known = providers.find(({ domains }) => domains.includes(domain))
  if (known !== undefined) return settingsOf(known, address, 'known')
  const named = await fromDns(address, domain, lookup)
  if (named?.sure === true) return named
  const names = (await exchangers(domain).catch(() => [])).map(({ exchange }) => exchange.toLowerCase())
  const isAt = ({ mx: ends }: { readonly mx: readonly string[] }): boolean =>
    names.some((name) => ends.some((end) => name.endsWith(`.${end}`)))
  // Whoever forges this answer can only direct the password to another provider of the list, which does not know it.
  const host = providers.find(isAt)
  if (host !== undefined) return settingsOf(host, address, 'mx')
  // A forged DNS answer can only exclude an address here; the owner can still name its servers.
  const elsewhere = closed.find(isAt)
  return named ?? (elsewhere === undefined ? null : { how: 'closed', why: tell(elsewhere.why) })
}

type Provider = z.output<typeof schema>['providers'][number]

function settingsOf(
  { title, imap: read, smtp: sent, user: kind, files_sent: filesSent, hint }: Provider,
  address: string,
  how: 'known' | 'mx',
): FoundSettings | null {
  const [imap, smtp] = [parseServer(read), parseServer(sent)]
  if (imap === null || smtp === null) return null
  const user = kind === 'local' ? (address.toLowerCase().split('@')[0] ?? '') : address
  return { how, title, imap, smtp, user, filesSent, hint: tell(hint), sure: true }
}

async function fromDns(address: string, domain: string, lookup: SrvLookup) {
  const imap = await firstOf(IMAP_RECORDS, domain, lookup)
  const smtp = await firstOf(SMTP_RECORDS, domain, lookup)
  if (imap === null || smtp === null) return null
  const isOwn = ({ host }: MailServer): boolean => host === domain || host.endsWith(`.${domain}`)
  const found = { how: 'dns', title: null, imap, smtp, user: address, filesSent: false, hint: null } as const
  return { ...found, sure: isOwn(imap) && isOwn(smtp) }
}

async function firstOf(
  records: readonly string[],
  domain: string,
  lookup: SrvLookup,
): Promise<MailServer | null> {
  for (const record of records) {
    const found = await lookup(`${record}.${domain}`).catch(() => [])
    // A single record for the root means that the service is not offered (RFC 2782).
    const [first] = found.filter(({ name }) => name !== '' && name !== '.')
    const parsed = first === undefined ? null : parseServer(`${first.name.replace(/\.$/, '')}:${first.port}`)
    if (parsed !== null) return parsed
  }
  return null
}

export function readProviders(): z.output<typeof schema> {
  return z.parse(schema, parse(readFileSync(new URL('providers.toml', import.meta.url), 'utf8')))
}
