/**
 * The owner's calendar accounts besides Google's, as configured: where each is, and what of it is read. Types and pure look-ups; must not hold a
 * password or an address that is one. Called by config.ts, by `pfar connect` and by this folder.
 */
import { checkTarget } from '../../integrations/http/target.ts'
import { isOwnAddress } from '../../integrations/models/provider-settings.ts'
import { CALENDAR } from '../../integrations/tools/calendar/account-port.ts'

/** A CalDAV account: one server, which alone gets the password. */
export interface CaldavSettings {
  readonly kind: 'caldav'
  /** The owner's name for it; the beginning of the ids of its events. */
  readonly name: string
  readonly server: string
  readonly user: string
  /** By which others invite the owner; null: unknown, so that nobody can be invited. */
  readonly address: string | null
  /** Path of the folder of calendars. */
  readonly home: string
  /** Names of the calendars that are read; empty: all. */
  readonly calendars: readonly string[]
  /** The server mails those who are invited by itself (RFC 6638). */
  readonly invites: boolean
}

/** A published calendar: its whole address is the secret, its server is not. */
export interface IcsSettings {
  readonly kind: 'ics'
  readonly name: string
  readonly server: string
}

export type CalendarAccountSettings = CaldavSettings | IcsSettings

/** What a backend knows besides its account. */
export interface ReadingPowers {
  /** The calendar that new events go to, by its name or id, perhaps behind the account's and a colon; null: none is named. */
  readonly standard: string | null
  /** Whole days, and times without a zone, are of this one. */
  readonly timezone: string
  /** Where the owner is now; absent: in that one. What comes again keeps the clock's time there. */
  readonly zone?: () => string
}

export function zoneOf({ zone, timezone }: ReadingPowers): string {
  return zone?.() ?? timezone
}

/** Most accounts besides Google's: each of them is asked for each read. */
export const MAX_CALENDAR_ACCOUNTS = 8
/** A colon ends it in an id. */
export const ACCOUNT_NAME = /^[a-z0-9][a-z0-9-]{0,23}$/

/** Hosts of an account, as a client's list names them. */
export function hostOf({ server }: CalendarAccountSettings): string {
  return new URL(server).host
}

/** Public hosts with https, at any port; on the owner's own network an address literal. */
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

/** Servers of calendars or address books on the owner's own network, by their addresses. */
export function ownServers(accounts: readonly { readonly server: string }[]): readonly string[] {
  return accounts.flatMap(({ server }) => (isOwnAddress(server) ? [new URL(server).origin] : []))
}
