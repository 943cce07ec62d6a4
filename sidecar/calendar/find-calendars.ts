/**
 * Finds the calendars of an account before it is stored: which server has them, and which calendars there are. The password goes
 * to the server that the owner named, and to the one that this server names for the calendars. Must not store anything. Called by
 * `pfar connect calendar` and `pfar connect ics`.
 */
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'
import { createScopedHttp } from '../../integrations/http/scoped-client.ts'
import type { Transport } from '../../integrations/http/transport.ts'
import { isOwnAddress } from '../../integrations/models/provider-settings.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ScopedHttp } from '../../kernel/tool/manifest.ts'
import { namedSentence } from '../language/sentence-of-data.ts'
import { ACCOUNT_NAME } from './calendar-settings.ts'
import { calendarsIn, type DavCalendar, discover, type Server, sendsInvitations } from './dav.ts'
import { readCalendar, seriesIn } from './ical.ts'
import { fetchIcs } from './ics.ts'

const schema = z.strictObject({
  source: z.url(),
  read: z.string(),
  providers: z.array(
    z.strictObject({
      name: z.string().check(z.regex(ACCOUNT_NAME)),
      title: z.string(),
      /** Absent if each owner has a server of their own; `path` is then the path of the calendars there. */
      url: z.optional(z.url()),
      path: z.optional(z.string()),
      /** Address of the address books, if it differs. */
      contacts: z.optional(z.url()),
      domains: z.array(z.string()),
      hint: namedSentence('dav_setup.hint_'),
    }),
  ),
})

export type CalendarProvider = z.output<typeof schema>['providers'][number]

export function calendarProviders(): readonly CalendarProvider[] {
  const text = readFileSync(new URL('providers.toml', import.meta.url), 'utf8')
  return z.parse(schema, parse(text)).providers
}

/** Path at which a server names the address of its calendars (RFC 6764). */
const WELL_KNOWN = '/.well-known/caldav'

/** Refusals after which another address of the same server may work. */
export const ELSEWHERE: ReadonlySet<string> = new Set([
  'remote_not_found',
  'remote_rejected',
  'redirect_refused',
  'tool_result_invalid',
])

export interface FoundCalendars {
  readonly server: string
  readonly home: string
  readonly address: string | null
  readonly invites: boolean
  readonly calendars: readonly DavCalendar[]
}

export interface Login {
  readonly user: string
  readonly password: string
  readonly transport: Transport
}

/** Refusals: those of the server and the client; remote_not_found: no CalDAV, or no calendar. */
export async function findCalendars(url: URL, login: Login): Promise<Result<FoundCalendars>> {
  const named = serverAt(url, login)
  const paths = [...new Set([url.pathname, WELL_KNOWN, '/'])]
  let failed: Result<never> = err('remote_not_found')
  for (const path of paths) {
    const found = await discover(named, path)
    if (found.ok) return within(found.value, { url, login })
    // Keeps the refusal for the address that the owner typed.
    if (path === url.pathname || failed.reason.code === 'remote_not_found') failed = found
    if (!ELSEWHERE.has(found.reason.code)) return found
  }
  return failed
}

async function within(
  { home, address }: { readonly home: URL; readonly address: string | null },
  { url, login }: { readonly url: URL; readonly login: Login },
): Promise<Result<FoundCalendars>> {
  // A server on the own network may not redirect elsewhere, and no other server may redirect to the own network.
  const isMoved = home.origin !== url.origin
  if (isMoved && (isOwnAddress(url.href) || isOwnAddress(home.href)))
    return err('redirect_refused', { rule: 'origin' })
  const server = serverAt(home, login)
  const calendars = await calendarsIn(server, home.pathname)
  if (!calendars.ok) return calendars
  if (calendars.value.length === 0) return err('remote_not_found', { rule: 'calendars' })
  const invites = await sendsInvitations(server, home.pathname)
  return ok({ server: home.origin, home: home.pathname, address, invites, calendars: calendars.value })
}

export function serverAt({ origin, host }: URL, { user, password, transport }: Login): Server {
  return {
    ...{ server: origin, user, http: clientFor({ origin, host }, transport) },
    credential: { scheme: 'bearer', value: password },
  }
}

/** Client for this one server; allows plain http only for an IP address on the own network. */
function clientFor({ origin, host }: Pick<URL, 'origin' | 'host'>, transport: Transport): ScopedHttp {
  return createScopedHttp({ hosts: [host], exemptOrigins: isOwnAddress(origin) ? [origin] : [], transport })
}

/** Number of events in a published calendar. Refusals: those of the server, and tool_result_invalid for what is no calendar. */
export async function tryIcs(url: URL, transport: Transport): Promise<Result<number>> {
  const credential = { scheme: 'bearer', value: url.href } as const
  const fetched = await fetchIcs({ credential, http: clientFor(url, transport) }, null)
  const parsed = fetched.ok ? readCalendar(fetched.value.body) : fetched
  return parsed.ok ? ok(seriesIn(parsed.value).length) : parsed
}
