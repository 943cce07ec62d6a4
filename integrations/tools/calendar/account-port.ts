/**
 * Port to one of the owner's calendar accounts besides Google's: home opens it, the tool merges it with the others. Types and
 * names; must not know what kind of server it is. Called by accounts.ts and by home's backends.
 */
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { CalendarChoice } from './calendars.ts'
import type { TimesPowers } from './times.ts'

export interface CalendarAccount {
  /** The owner's name for it, which begins the ids of its events, before a colon. */
  readonly name: string
  /** Runs the tool's action for this account only; the call has its credential and a client for its hosts. */
  run(call: ToolCall): Promise<ToolOutcome>
  /** Whether events can be created in it. */
  readonly writes: boolean
}

/** An account that home opens. */
export interface OwnCalendarAccount extends CalendarAccount {
  /** Hosts, with a non-default port. */
  readonly hosts: readonly string[]
}

export interface CalendarPowers extends CalendarChoice {
  readonly accounts: readonly OwnCalendarAccount[]
  /** Whether the demo's invented events at Google are omitted, because a real account exists. */
  readonly withoutGoogle: boolean
  /** The owner's working hours, and their time zone. */
  readonly times: TimesPowers
}

/** Account name of Google; ids of its events have no account name. */
export const GOOGLE_ACCOUNT = 'google'
/** Name of the credential of all other accounts. */
export const CALENDAR = 'calendar'
