/**
 * Merges the answers of several accounts, so that one query spans all calendars. An account that cannot be read is reported by
 * name; if none can, the read fails. A write goes to one account, determined by the id of its event or by the named calendar.
 * Must not know a service. Called by run.ts.
 */
import type { Json } from '../../../kernel/flow/json.ts'
import { isPlainRecord } from '../../../kernel/flow/json.ts'
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../../kernel/task/principal.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { fieldOf, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { type CalendarAccount as Account, GOOGLE_ACCOUNT } from './account-port.ts'
import { type CalendarChoice, isNamed, unreadOf } from './calendars.ts'
import { MAX_CALENDARS, MAX_EVENTS, MAX_OVERLAPS } from './fields.ts'
import { seriesArgs } from './rule.ts'
import { shapeSlots, spanOf } from './shape.ts'

export async function joinAccounts(
  call: ToolCall,
  accounts: readonly Account[],
  choice: CalendarChoice,
): Promise<ToolOutcome> {
  switch (call.action) {
    case 'calendar.list_calendars':
      return calendarsOf(call, accounts, choice)
    case 'calendar.list_events':
      return eventsOf(call, accounts)
    case 'calendar.freebusy':
      return freeOf(call, accounts)
    case 'calendar.check_event':
      return checkOf(call, accounts, choice)
    default: {
      const target = await targetOf(call, accounts, choice)
      return target.ok ? ask(call, target.value.account, target.value.args) : target
    }
  }
}

type Args = Readonly<Record<string, Json>>

async function ask(call: ToolCall, account: Account, args: Args = call.args): Promise<ToolOutcome> {
  const opened = (await call.open?.(account.name)) ?? err('credential_missing')
  if (!opened.ok) return opened
  return account.run({ ...call, args, ...opened.value })
}

interface Answers {
  readonly outputs: readonly JsonRecord[]
  /** Names of the accounts that did not answer. */
  readonly unread: readonly string[]
}

/** Refusal: that of the first account, if none answers. */
async function askAllAccounts(
  call: ToolCall,
  accounts: readonly Account[],
  args: Args = call.args,
): Promise<Result<Answers>> {
  const asked = await Promise.all(accounts.map((account) => ask(call, account, args)))
  const outputs: JsonRecord[] = []
  const failed: { readonly name: string; readonly reason: Refusal }[] = []
  for (const [at, answer] of asked.entries()) {
    const name = accounts[at]?.name ?? ''
    if (!answer.ok) failed.push({ name, reason: answer.reason })
    else if (isPlainRecord(answer.output)) outputs.push(answer.output)
  }
  const missing = failed.filter((one) => !isUnconnected(one))
  if (outputs.length > 0) return ok({ outputs, unread: missing.map(({ name }) => name) })
  const [first] = [...missing, ...failed]
  return { ok: false, reason: first?.reason ?? { code: 'tool_failed', facts: {} } }
}

/** Whether this is Google without a credential: Google is always in the list, connected or not. */
function isUnconnected({ name, reason }: { readonly name: string; readonly reason: Refusal }): boolean {
  return name === GOOGLE_ACCOUNT && reason.code === 'credential_missing'
}

async function calendarsOf(
  call: ToolCall,
  accounts: readonly Account[],
  { standard }: CalendarChoice,
): Promise<ToolOutcome> {
  const answers = await askAllAccounts(call, accounts)
  if (!answers.ok) return answers
  const { outputs, unread } = answers.value
  const all = outputs.flatMap((output) => recordsOf(output, 'calendars'))
  const first = all.findIndex((row) => row['standard'] === true)
  const rows = all.map((row, at) => {
    const named = { id: stringOf(row, 'id'), name: stringOf(row, 'name') }
    const account = named.id.slice(0, named.id.indexOf(':') + 1)
    const isStandard = (wanted: string): boolean =>
      isNamed(named, wanted) || isNamed({ id: '', name: `${account}${named.name}` }, wanted)
    return { ...row, standard: standard === null ? at === first : isStandard(standard) }
  })
  const more = outputs.some((output) => output['more'] === true) || rows.length > MAX_CALENDARS
  return {
    ok: true,
    output: { calendars: rows.slice(0, MAX_CALENDARS), more, ...joinedUnread(outputs, unread) },
  }
}

async function eventsOf(call: ToolCall, accounts: readonly Account[]): Promise<ToolOutcome> {
  const answers = await askAllAccounts(call, accounts)
  if (!answers.ok) return answers
  const { outputs, unread } = answers.value
  const count = typeof call.args['count'] === 'number' ? call.args['count'] : MAX_EVENTS
  const most = Math.min(count, MAX_EVENTS)
  const all = outputs.flatMap((output) => recordsOf(output, 'events')).sort(byBeginning)
  const unsure = outputs.some((output) => output['unsure'] === true)
  return {
    ok: true,
    output: {
      events: all.slice(0, most),
      more: outputs.some((output) => output['more'] === true) || all.length > most,
      ...(unsure && { unsure }),
      ...joinedUnread(outputs, unread),
    },
  }
}

export function byBeginning(one: JsonRecord, other: JsonRecord): number {
  return Date.parse(stringOf(one, 'from')) - Date.parse(stringOf(other, 'from'))
}

function joinedUnread(outputs: readonly JsonRecord[], accounts: readonly string[]): object {
  const named = outputs.map((output) => stringOf(output, 'unread')).filter((name) => name !== '')
  return unreadOf([...named, ...accounts])
}

/** Merges the busy spans of all accounts, so that the answer does not show which of them is busy. */
async function freeOf(call: ToolCall, accounts: readonly Account[]): Promise<ToolOutcome> {
  const span = spanOf(call.args)
  if (!span.ok) return span
  const answers = await askAllAccounts(call, accounts)
  if (!answers.ok) return answers
  const { outputs, unread } = answers.value
  const partial = unread.length > 0 || outputs.some((output) => output['partial'] === true)
  // Other people see the slots only, and could not tell that "free" is uncertain.
  if (partial && call.capability.claims.principal !== OWNER_PRINCIPAL)
    return err('tool_result_invalid', { rule: 'freebusy' })
  const busy = outputs
    .flatMap((output) => recordsOf(output, 'slots'))
    .filter((slot) => slot['busy'] === true)
    .map((slot) => ({ start: Date.parse(stringOf(slot, 'from')), end: Date.parse(stringOf(slot, 'to')) }))
  const shaped = shapeSlots(busy, span.value)
  return shaped.ok ? { ok: true, output: { ...shaped.value, ...(partial && { partial }) } } : shaped
}

/** The event's own account describes it; all accounts report what else is at that time. */
async function checkOf(
  call: ToolCall,
  accounts: readonly Account[],
  choice: CalendarChoice,
): Promise<ToolOutcome> {
  const target = await targetOf(call, accounts, choice)
  if (!target.ok) return target
  const { account, args } = target.value
  const own = await ask(call, account, args)
  if (!own.ok || !isPlainRecord(own.output)) return own
  const { output } = own
  const times = timesIn(call.args, output)
  if (times === null) return own
  const others = accounts.filter((one) => one !== account)
  const looked = await askAllAccounts(call, others, times)
  const more = looked.ok ? looked.value : { outputs: [], unread: others.map(({ name }) => name) }
  const all = [output, ...more.outputs]
  const overlaps = all.flatMap((one) => recordsOf(one, 'overlaps')).sort(byBeginning)
  const isAny = (field: string): boolean => all.some((one) => fieldOf(one, field) === true)
  const unread = looked.ok ? more.unread.length > 0 : !isOnlyUnconnected(others, looked.reason)
  return {
    ok: true,
    output: {
      ...output,
      overlaps: overlaps.slice(0, MAX_OVERLAPS),
      more: isAny('more') || overlaps.length > MAX_OVERLAPS,
      partial: isAny('partial') || unread || more.outputs.some((one) => one['unlooked'] === true),
    },
  }
}

function isOnlyUnconnected(others: readonly Account[], reason: Refusal): boolean {
  return others.every(({ name }) => isUnconnected({ name, reason }))
}

/** Times of the event after the write; null if they do not change. */
function timesIn(args: Args, output: JsonRecord): Args | null {
  if (fieldOf(output, 'overlaps') === undefined && fieldOf(output, 'unlooked') === undefined) return null
  const after = recordOf(output, 'after')
  const event = recordOf(output, 'event')
  const from = stringOf(after, 'from') || stringOf(event, 'from') || String(args['from'] ?? '')
  const to = stringOf(after, 'to') || stringOf(event, 'to') || String(args['to'] ?? '')
  const again = args['id'] === undefined ? seriesArgs(args) : {}
  return from === '' || to === '' ? null : { from, to, ...again }
}

interface Target {
  readonly account: Account
  readonly args: Args
}

/** Refusals: remote_not_found, tool_arguments_invalid for a calendar that is unknown, ambiguous or read-only. */
async function targetOf(
  call: ToolCall,
  accounts: readonly Account[],
  choice: CalendarChoice,
): Promise<Result<Target>> {
  const { args } = call
  const { id } = args
  if (typeof id === 'string') {
    const account = accountIn(accounts, id)
    return account === undefined ? err('remote_not_found') : ok({ account, args })
  }
  const wanted = args['calendar'] ?? choice.standard
  return typeof wanted === 'string' ? namedTarget(call, accounts, wanted) : usualTarget(call, accounts)
}

/** Google's ids have no account name before them. */
function accountIn(accounts: readonly Account[], id: string): Account | undefined {
  const end = id.indexOf(':')
  const name = end < 0 ? GOOGLE_ACCOUNT : id.slice(0, end)
  return accounts.find((one) => one.name === name)
}

async function namedTarget(
  call: ToolCall,
  accounts: readonly Account[],
  wanted: string,
): Promise<Result<Target>> {
  const direct = wanted.includes(':') ? accountIn(accounts, wanted) : undefined
  if (direct !== undefined) return writable(direct, { ...call.args, calendar: wanted })
  const listing = { ...call, action: 'calendar.list_calendars' }
  const found: { readonly account: Account; readonly row: JsonRecord }[] = []
  for (const account of accounts) {
    const listed = await ask(listing, account, {})
    const rows = listed.ok && isPlainRecord(listed.output) ? recordsOf(listed.output, 'calendars') : []
    for (const row of rows)
      if (isNamed({ id: stringOf(row, 'id'), name: stringOf(row, 'name') }, wanted))
        found.push({ account, row })
  }
  const [first] = found
  if (first === undefined) return err('tool_arguments_invalid', { rule: 'calendar_unknown' })
  if (found.length > 1) return err('tool_arguments_invalid', { rule: 'calendar_ambiguous' })
  if (first.row['writable'] !== true) return err('tool_arguments_invalid', { rule: 'calendar_read_only' })
  return writable(first.account, { ...call.args, calendar: stringOf(first.row, 'id') })
}

/** The first account that can be written to and is connected; Google comes first. */
async function usualTarget(call: ToolCall, accounts: readonly Account[]): Promise<Result<Target>> {
  for (const account of accounts) {
    if (!account.writes) continue
    const opened = (await call.open?.(account.name)) ?? err('credential_missing')
    if (opened.ok || opened.reason.code !== 'credential_missing') return ok({ account, args: call.args })
  }
  return err('tool_arguments_invalid', { rule: 'calendar_read_only' })
}

function writable(account: Account, args: Args): Result<Target> {
  return account.writes
    ? ok({ account, args })
    : err('tool_arguments_invalid', { rule: 'calendar_read_only' })
}
