/**
 * The calendars of an account, and which of them are read: those that the owner chose in the configuration, otherwise those that
 * the account shows as selected. Their names are untrusted text: whoever shares a calendar names it. Must not write. Called by
 * the files of this folder.
 */
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { cleanLine } from '../../extractors/page-clean.ts'
import { fieldOf, idOf, type JsonRecord, recordsOf, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'
import { CALENDAR_NAME, MAIN, MAX_CALENDARS } from './fields.ts'

/** Maximum number of pages of the list, with 250 calendars each. */
const MAX_PAGES = 4
/** Number of calendars that are read concurrently: an account with many must not exceed the service's rate limit. */
const AT_ONCE = 4
const WRITERS: ReadonlySet<string> = new Set(['owner', 'writer'])

/** The owner's settings, each a calendar's name or id. */
export interface CalendarChoice {
  /** Empty: all calendars that the account shows as selected. */
  readonly chosen: readonly string[]
  /** Null: the account's own calendar. */
  readonly standard: string | null
}

export const NO_CHOICE: CalendarChoice = Object.freeze({ chosen: [], standard: null })

export interface Calendar {
  readonly id: string
  readonly name: string
  readonly isMain: boolean
  readonly isSelected: boolean
  readonly isWritable: boolean
}

interface Listed {
  readonly calendars: readonly Calendar[]
  /** Whether calendars are missing from this list. */
  readonly isCut: boolean
}

export interface Chosen extends Listed {
  /** Names of chosen calendars that could not be read. */
  readonly unread: readonly string[]
}

const UNLISTED: Chosen = {
  calendars: [{ id: MAIN, name: '', isMain: true, isSelected: true, isWritable: true }],
  isCut: true,
  unread: [],
}

/** Refusals: those of `callJson`, and tool_result_invalid for an answer that is no list. */
async function readCalendars(call: ToolCall, base: string): Promise<Result<Listed>> {
  const calendars: Calendar[] = []
  let pageToken = ''
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const url = new URL('/calendar/v3/users/me/calendarList', base)
    url.searchParams.set('maxResults', '250')
    if (pageToken !== '') url.searchParams.set('pageToken', pageToken)
    const answer = await callJson(call, { method: 'GET', url: url.href })
    if (!answer.ok) return answer
    // Without a list, nothing would be read and the owner would seem free.
    if (!Array.isArray(fieldOf(answer.value, 'items')))
      return err('tool_result_invalid', { rule: 'calendars' })
    calendars.push(...recordsOf(answer.value, 'items').flatMap(shapeCalendar))
    pageToken = stringOf(answer.value, 'nextPageToken')
    if (pageToken === '') break
  }
  return ok({ calendars, isCut: pageToken !== '' })
}

function shapeCalendar(entry: JsonRecord): readonly Calendar[] {
  const id = idOf(entry, 'id')
  // `.` and `..` would change the path.
  if (id === null || /^\.+$/.test(id) || entry['deleted'] === true) return []
  const isMain = entry['primary'] === true
  const name = stringOf(entry, 'summaryOverride') || stringOf(entry, 'summary')
  return [
    {
      id: isMain ? MAIN : id,
      name: cleanLine(name, CALENDAR_NAME),
      isMain,
      isSelected: entry['selected'] === true,
      isWritable: WRITERS.has(stringOf(entry, 'accessRole')),
    },
  ]
}

/**
 * The calendars for a read. A credential without access to the list (403, 404) reads the account's own calendar, and the answer
 * reports that there may be more.
 */
export async function chosenCalendars(
  call: ToolCall,
  base: string,
  choice: CalendarChoice,
): Promise<Result<Chosen>> {
  const listed = await readCalendars(call, base)
  if (!listed.ok) return isRefused(listed.reason) && choice.chosen.length === 0 ? ok(UNLISTED) : listed
  const { calendars, unread } = choose(listed.value.calendars, choice)
  const read = calendars.slice(0, MAX_CALENDARS)
  // A chosen calendar may be on a page that was not read; then it is named in `unread`.
  const isCut = read.length < calendars.length || (listed.value.isCut && choice.chosen.length === 0)
  return read.length === 0 ? err('remote_not_found') : ok({ calendars: read, isCut, unread })
}

function isRefused({ code, facts }: Refusal): boolean {
  return code === 'remote_not_found' || (code === 'remote_rejected' && facts['status'] === 403)
}

function choose(all: readonly Calendar[], { chosen }: CalendarChoice): Omit<Chosen, 'isCut'> {
  if (chosen.length > 0) {
    const isChosen = (one: Calendar): boolean => chosen.some((wanted) => isNamed(one, wanted))
    const unread = chosen.filter((wanted) => !all.some((one) => isNamed(one, wanted)))
    return { calendars: all.filter(isChosen), unread }
  }
  const selected = all.filter(({ isSelected }) => isSelected)
  return { calendars: selected.length > 0 ? selected : all.filter(({ isMain }) => isMain), unread: [] }
}

/**
 * Whether the words name this calendar. "In the family calendar" and "in den Familienkalender" may refer to one called so, or to
 * "Family" and "Familie".
 */
export function isNamed({ id, name }: Pick<Calendar, 'id' | 'name'>, wanted: string): boolean {
  const text = wanted.trim().toLowerCase()
  if ([id.toLowerCase(), name.toLowerCase()].some((one) => one === text || one === `${text} calendar`))
    return true
  return /.kalender$/.test(text) && stemOf(text) === stemOf(name.toLowerCase())
}

/** Removes "Kalender" and the German linking letters: "Familienkalender", "Arbeitskalender". */
function stemOf(name: string): string {
  return name.replace(/[\s-]*kalender$/u, '').replace(/(?<=\p{L}{3})[ns]$/u, '')
}

/**
 * URL of the events of the calendar for a write; without a name, of the owner's default. Refusals: tool_arguments_invalid for a
 * name that is unknown, ambiguous or read-only, and those of `callJson`.
 */
export async function writtenTo(
  call: ToolCall,
  base: string,
  choice: CalendarChoice,
): Promise<Result<string>> {
  const wanted = call.args['calendar'] ?? choice.standard ?? MAIN
  if (wanted === MAIN) return ok(eventsPath(MAIN))
  const listed = await readCalendars(call, base)
  if (!listed.ok) return listed
  const named = listed.value.calendars.filter((one) => isNamed(one, String(wanted)))
  const [found] = named
  if (found === undefined) return err('tool_arguments_invalid', { rule: 'calendar_unknown' })
  if (named.length > 1) return err('tool_arguments_invalid', { rule: 'calendar_ambiguous' })
  return found.isWritable
    ? ok(eventsPath(found.id))
    : err('tool_arguments_invalid', { rule: 'calendar_read_only' })
}

/** Calendars besides the main one in which an event may be changed. Refusals: those of `callJson`. */
export async function writableCalendars(call: ToolCall, base: string): Promise<Result<readonly Calendar[]>> {
  const listed = await readCalendars(call, base)
  if (!listed.ok) return isRefused(listed.reason) ? ok([]) : listed
  const others = listed.value.calendars.filter(({ isMain, isWritable }) => isWritable && !isMain)
  return ok(others.slice(0, MAX_CALENDARS))
}

/** Name of the calendar of a write, for its card. Null if there is only one calendar, or the name cannot be looked up. */
export async function nameOfWritten(call: ToolCall, base: string, id: string): Promise<string | null> {
  const listed = await readCalendars(call, base)
  const all = listed.ok ? listed.value.calendars.filter(({ isWritable }) => isWritable) : []
  const own = all.find((one) => one.id === id || (id === MAIN && one.isMain))
  return all.length < 2 ? null : (own?.name ?? null)
}

export function eventsPath(calendar: string): string {
  return `/calendar/v3/calendars/${encodeURIComponent(calendar)}/events`
}

/** Id of the calendar in such a URL. */
export function calendarAt({ pathname }: URL): string {
  return decodeURIComponent(pathname.split('/')[4] ?? MAIN)
}

/** Applies `read` to each calendar, a few at a time, and keeps the order. */
export async function eachCalendar<C, T>(
  calendars: readonly C[],
  read: (calendar: C) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = []
  for (let at = 0; at < calendars.length; at += AT_ONCE)
    results.push(...(await Promise.all(calendars.slice(at, at + AT_ONCE).map(read))))
  return results
}

export async function listCalendars(
  call: ToolCall,
  base: string,
  choice: CalendarChoice,
): Promise<ToolOutcome> {
  const listed = await readCalendars(call, base)
  if (!listed.ok) return listed
  const { calendars, isCut } = listed.value
  const { calendars: chosen, unread } = choose(calendars, choice)
  const rows = calendars.slice(0, MAX_CALENDARS).map((one) => ({
    id: one.id,
    name: one.name,
    chosen: chosen.includes(one),
    standard: choice.standard === null ? one.isMain : isNamed(one, choice.standard),
    writable: one.isWritable,
  }))
  return {
    ok: true,
    output: { calendars: rows, more: isCut || calendars.length > rows.length, ...unreadOf(unread) },
  }
}

/** The names of calendars that could not be read, as one declared text. */
export function unreadOf(names: readonly string[]): { readonly unread?: string } {
  return names.length === 0
    ? {}
    : { unread: cleanLine(names.map((name) => name || '(no name)').join(', '), CALENDAR_NAME) }
}
