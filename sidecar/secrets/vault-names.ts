/**
 * Maps a manifest's credential to its secret in the vault, for each account of the configuration, and to the addresses at which
 * its service renews and revokes it. Must not open a secret. Called by the parts of home that look up a secret by name.
 */
import { ADDRESSBOOK } from '../../integrations/tools/addressbook/account-port.ts'
import { CALENDAR } from '../../integrations/tools/calendar/account-port.ts'
import type { IssuedCredential } from '../../integrations/tools/credentials.ts'
import { GOOGLE_OAUTH } from '../../integrations/tools/google-oauth.ts'
import type { OAuthService } from '../../integrations/tools/oauth-service.ts'
import { OAUTH_SERVICES } from '../../integrations/tools/oauth-services.ts'
import { ROTATING_SERVICES } from '../../integrations/tools/rotating-services.ts'
import type { Credential, ToolManifest } from '../../kernel/tool/manifest.ts'
import { tell } from '../../kernel/wording/words.ts'
import { addressbookSecret } from '../addressbook/addressbook-settings.ts'
import { calendarSecret } from '../calendar/calendar-settings.ts'
import type { Config } from '../config/config.ts'
import { type OwnMailbox, ownMailboxes } from '../mail/mail-accounts.ts'

/** Credential for an emulator at an exempt address. It gives access to that emulator only. */
const DEVELOPMENT_CREDENTIAL: Credential = Object.freeze({ scheme: 'bearer', value: 'development' })
export const GOOGLE = 'google'
/** Secret with the password of the account that is reached by IMAP and SMTP. */
export const MAIL = 'mail'
/** Name of the tool that every mailbox belongs to. */
const EMAIL_TOOL = 'email'
/** With a configured base address, token and revocation paths are on that host as well. */
const EMULATED_TOKENS = '/oauth2/token'
const EMULATED_REVOKE = '/oauth2/revoke'

/** Vault name for the credential name of a manifest (S-14), for the default account. */
export function vaultName({ google }: Config, credential: string): string {
  return credential === GOOGLE && google.credential !== null ? google.credential : credential
}

/** Name of a service, or of one of its accounts, as shown to the owner: its kind, never the account's name or address. */
export function serviceTitle(config: Config, credential: string, account: string | null = null): string {
  if (credential === CALENDAR) return tell(`credentials.own_${calendarKind(config, account)}`)
  if (credential === ADDRESSBOOK) return tell('credentials.own_carddav')
  return demoTitle(config, credential) ?? credential
}

function calendarKind({ calendarAccounts }: Config, account: string | null): 'caldav' | 'ics' {
  return calendarAccounts.find(({ name }) => name === account)?.kind ?? 'caldav'
}

/** Kinds of the owner's calendar and address book accounts that work, each named once. They need no credential of a service. */
export function ownAccountTitles(
  config: Config,
  works: (credential: string, account: string) => boolean | null,
): readonly string[] {
  const all = [
    ...config.calendarAccounts.map(({ name }) => [CALENDAR, name] as const),
    ...config.addressbooks.map(({ name }) => [ADDRESSBOOK, name] as const),
  ]
  const working = all.filter(([credential, account]) => works(credential, account) === true)
  return [...new Set(working.map(([credential, account]) => serviceTitle(config, credential, account)))]
}

/** Name of the demo account as shown to the owner; undefined for any other service. */
export function demoTitle({ google }: Config, credential: string): string | undefined {
  return credential === GOOGLE && google.demo ? tell('credentials.demo') : undefined
}

/**
 * Note below an answer whose rows come from the demo, by the actions that returned or changed them; null if one of the owner's
 * own accounts did.
 */
export function demoNote(
  { google, mail, calendarAccounts }: Pick<Config, 'google' | 'mail' | 'calendarAccounts'>,
  actions: readonly string[],
): string | null {
  if (!google.demo) return null
  const isOf = (tool: string): boolean => actions.some((action) => action.startsWith(`${tool}.`))
  const isMail = mail === null && isOf(EMAIL_TOOL)
  const isCalendar = calendarAccounts.length === 0 && isOf(CALENDAR)
  if (isMail && isCalendar) return tell('credentials.demo_both')
  if (isMail) return tell('credentials.demo_mail')
  return isCalendar ? tell('credentials.demo_calendar') : null
}

/** Vault name for the account that a call names; null for an account that is not configured (I-12). */
export function vaultNameOf(config: Config, credential: string, account: string | null): string | null {
  const { google } = config
  if (credential === CALENDAR) {
    const known = config.calendarAccounts.find(({ name }) => name === account)
    return known === undefined ? null : calendarSecret(known.name)
  }
  if (credential === ADDRESSBOOK) {
    const known = config.addressbooks.find(({ name }) => name === account)
    return known === undefined ? null : addressbookSecret(known.name)
  }
  if (credential === MAIL) {
    const own = mailboxFor(config, account)
    if (own !== undefined) return own.secret
    // Other accounts of the mail tool are at Google.
    return account === null ? null : vaultNameOf(config, GOOGLE, account)
  }
  if (account === null || (credential === GOOGLE && account === google.account))
    return vaultName(config, credential)
  const other = credential === GOOGLE ? google.accounts.find(({ name }) => name === account) : undefined
  return other?.credential ?? null
}

/** The IMAP mailbox with this account name or address; the first one for null. */
export function mailboxFor(
  config: Pick<Config, 'mail' | 'otherMail'>,
  account: string | null,
): OwnMailbox | undefined {
  return ownMailboxes(config).find(
    (one) => one.account === account || one.name === account || one.settings.address === account,
  )
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

export function googleAccounts({ google }: Config): readonly string[] {
  return [...(google.account === null ? [] : [google.account]), ...google.accounts.map(({ name }) => name)]
}

/** URL that exchanges the refresh token of this name for an access token (I-11). Null if no service uses that name. */
export function tokenUrl(config: Config, name: string): string | null {
  const found = signIn(config, name)
  if (found !== null) return found.base === null ? found.service.token : `${found.base}${EMULATED_TOKENS}`
  const rotating = ROTATING_SERVICES.find(({ service }) => service === name)
  const base = config.services[name] ?? null
  return base === null ? (rotating?.token ?? null) : rotating === undefined ? null : `${base}${rotating.path}`
}

/** URL that revokes the permission of this name (RFC 7009). Null if the secret is no permission. */
export function revocation(
  config: Config,
  name: string,
): { readonly url: string; readonly forClient: boolean } | null {
  const found = signIn(config, name)
  if (found === null) return null
  const { revoke, revokesForClient: forClient } = found.service
  return { url: found.base === null ? revoke : `${found.base}${EMULATED_REVOKE}`, forClient }
}

/** The service that granted the permission of this name. `base`: address of its emulator, if it has one. */
function signIn(
  config: Config,
  name: string,
): { readonly service: OAuthService; readonly base: string | null } | null {
  const { baseUrl, accounts } = config.google
  if (name === vaultName(config, GOOGLE) || accounts.some(({ credential }) => credential === name))
    return { service: GOOGLE_OAUTH, base: baseUrl }
  const service = OAUTH_SERVICES.find((one) => !one.hasTable && one.service === name)
  return service === undefined ? null : { service, base: config.services[name] ?? null }
}

/**
 * Fixed credential for an emulator if the configuration names no secret. Only for an exempted origin, which is on this
 * machine, so that it never leaves the machine.
 */
export function emulatorCredential(
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
