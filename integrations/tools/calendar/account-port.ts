/**
 * Port to one calendar account of the owner's besides Google's: home opens it, the tool joins it with the others. Types and names; must not know what
 * kind of server it is. Called by accounts.ts and by home's backends.
 */
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { CalendarChoice } from './calendars.ts'
import type { TimesPowers } from './times.ts'

export interface CalendarAccount {
  /** The owner's name for it; the beginning of the ids of its events, before a colon. */
  readonly name: string
  /** The tool's action for this account alone; the call has its credential and a client for its hosts. */
  run(call: ToolCall): Promise<ToolOutcome>
  /** Whether events can be made in it at all. */
  readonly writes: boolean
}

/** One that home opens. */
export interface OwnCalendarAccount extends CalendarAccount {
  /** Hosts, with a port that is no default. */
  readonly hosts: readonly string[]
}

export interface CalendarPowers extends CalendarChoice {
  readonly accounts: readonly OwnCalendarAccount[]
  /** Made-up events of the demo are not among those of a real account. */
  readonly withoutGoogle: boolean
  /** The owner's working hours, and the zone that they are in. */
  readonly times: TimesPowers
}

/** Google's events have ids of their own, without a name. */
export const GOOGLE_ACCOUNT = 'google'
/** Name of the credential of all other accounts. */
export const CALENDAR = 'calendar'
