/**
 * The calendar tool (I-13): the same actions for a calendar at Google, at a CalDAV server, or behind an ICS address. A single
 * account is answered by its backend, several are merged. Must not know details of a service. Called through
 * integrations/tools/port.ts.
 */
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err } from '../../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../../kernel/task/principal.ts'
import type { AccountSpec, Tool, ToolCall } from '../../../kernel/tool/manifest.ts'
import { DAY } from '../../dates/zone.ts'
import { googleCheck } from '../google-connect.ts'
import { CALENDAR, type CalendarAccount, type CalendarPowers, GOOGLE_ACCOUNT } from './account-port.ts'
import { joinAccounts } from './accounts.ts'
import { type CalendarChoice, NO_CHOICE } from './calendars.ts'
import { runGoogle } from './google.ts'
import { CALENDAR_MANIFEST } from './manifest.ts'
import { findTimes, type TimesPowers } from './times.ts'

export interface CalendarOptions {
  /** Origin of Google's Calendar API. */
  readonly baseUrl?: string
  /**
   * Which calendars are read, and which one is written to; absent: those that Google shows as selected, and the account's own.
   */
  readonly calendars?: CalendarChoice & Partial<CalendarPowers>
}

const GOOGLE = 'https://www.googleapis.com'
const GOOGLE_CHECK = '/calendar/v3/users/me/settings/timezone'

export function createCalendarTool(options: CalendarOptions = {}): Tool {
  const base = options.baseUrl ?? GOOGLE
  const choice = options.calendars ?? NO_CHOICE
  const host = new URL(base).host
  const check = googleCheck(base, GOOGLE_CHECK)
  const { accounts: own = [], withoutGoogle = false } = options.calendars ?? {}
  const times = options.calendars?.times ?? null
  const zone = (): string | null => times?.zone?.() ?? times?.timezone ?? null
  if (own.length === 0)
    return {
      manifest: { ...CALENDAR_MANIFEST, network: [host] },
      check,
      execute: withTimes((call) => runGoogle(call, { base, choice, zone: zone() }), times),
    }
  const google: CalendarAccount = {
    name: GOOGLE_ACCOUNT,
    // A default in another account is not looked up at Google.
    run: (call) => runGoogle(call, { base, choice: { chosen: choice.chosen, standard: null }, zone: zone() }),
    writes: true,
  }
  const googleSpec: AccountSpec = {
    ...{ name: GOOGLE_ACCOUNT, credential: GOOGLE_ACCOUNT, account: null, network: [host] },
  }
  const specs: readonly AccountSpec[] = [
    ...(withoutGoogle ? [] : [googleSpec]),
    ...own.map(({ name, hosts }) => ({ name, credential: CALENDAR, account: name, network: hosts })),
  ]
  const network = [...new Set(specs.flatMap((one) => one.network))]
  const accounts = [...(withoutGoogle ? [] : [google]), ...own]
  return {
    manifest: { ...CALENDAR_MANIFEST, network, accounts: specs },
    check,
    execute: withTimes((call) => joinAccounts(call, accounts, choice), times),
  }
}

/** Length in milliseconds of the period that is read if no end is given; without a start, from now. */
const AHEAD = 30 * DAY

function withSpan(call: ToolCall): ToolCall {
  const { from = new Date(call.capability.claims.issuedAt).toISOString(), to } = call.args
  const end = Date.parse(String(from)) + AHEAD
  if (to !== undefined || Number.isNaN(end)) return { ...call, args: { ...call.args, from } }
  return { ...call, args: { ...call.args, from, to: new Date(end).toISOString() } }
}

/** Adds the owner's working hours, which all calendars share. */
function withTimes(execute: Tool['execute'], times: TimesPowers | null): Tool['execute'] {
  return async (given) => {
    const call = given.action === 'calendar.list_events' ? withSpan(given) : given
    if (call.action === 'calendar.find_times')
      return times === null ? err('tool_unavailable') : findTimes(call, execute, times)
    const answer = await execute(call)
    const isOwner = call.capability.claims.principal === OWNER_PRINCIPAL
    if (times === null || !isOwner || call.action !== 'calendar.freebusy') return answer
    if (!answer.ok || !isPlainRecord(answer.output)) return answer
    return { ...answer, output: { ...answer.output, hours: { ...times.hours() } } }
  }
}
