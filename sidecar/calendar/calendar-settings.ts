/**
 * The owner's calendar accounts besides Google's, as configured: where each is, and which of its calendars are read. Types and
 * pure look-ups; must not hold a password or a secret address. Called by config.ts, by `pfar connect` and by this folder.
 */
import { checkTarget } from '../../integrations/http/target.ts'
import { isOwnAddress } from '../../integrations/models/provider-settings.ts'
import { CALENDAR } from '../../integrations/tools/calendar/account-port.ts'

/** A CalDAV account: one server, which alone receives the password. */
export interface CaldavSettings {
  readonly kind: 'caldav'
  /** The owner's name for it, which begins the ids of its events. */
  readonly name: string
  readonly server: string
  readonly user: string
  /** Address at which others invite the owner; null: unknown, so nobody can be invited. */
  readonly address: string | null
  /** Path of the collection of calendars. */
  readonly home: string
  /** Names of the calendars that are read; empty: all. */
  readonly calendars: readonly string[]
  /** The server mails invitations itself (RFC 6638). */
  readonly invites: boolean
}

/** A published calendar: its whole address is a secret, its server is not. */
export interface IcsSettings {
  readonly kind: 'ics'
  readonly name: string
  readonly server: string
}

export type CalendarAccountSettings = CaldavSettings | IcsSettings

/** What a backend needs besides its account. */
export interface ReadingPowers {
  /** Calendar for new events, by its name or id, optionally after the account's name and a colon; null: none is configured. */
  readonly standard: string | null
  /** Time zone of all-day events and of times without a zone. */
  readonly timezone: string
  /** Time zone of where the owner is now; absent: `timezone`. Recurring events keep their local time in it. */
  readonly zone?: () => string
}

export function zoneOf({ zone, timezone }: ReadingPowers): string {
  return zone?.() ?? timezone
}

/** Maximum number of accounts besides Google's: each is queried for each read. */
export const MAX_CALENDAR_ACCOUNTS = 8
/** In an id, a colon follows the name. */
export const ACCOUNT_NAME = /^[a-z0-9][a-z0-9-]{0,23}$/

/** Host of an account, as an HTTP client's allow-list names it. */
export function hostOf({ server }: CalendarAccountSettings): string {
  return new URL(server).host
}

/** Public hosts with https, at any port; on the owner's own network only an IP address. */
export function isCalendarServer(server: string): boolean {
  const url = URL.parse(server)
  if (url === null || url.username !== '' || url.password !== '') return false
  const exemptOrigins = isOwnAddress(server) ? [url.origin] : []
  return checkTarget(`${url.origin}/`, { hosts: [url.host], exemptOrigins }).ok
}

/** Name of the secret of an account. */
export function calendarSecret(account: string): string {
  return `${CALENDAR}-${account}`
}

/** Origins of calendar or address book servers on the owner's own network. */
export function ownServers(accounts: readonly { readonly server: string }[]): readonly string[] {
  return accounts.flatMap(({ server }) => (isOwnAddress(server) ? [new URL(server).origin] : []))
}
