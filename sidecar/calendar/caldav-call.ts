/**
 * Parameters of one call at a CalDAV account, and how its calendars are named. Must not send. Called by caldav.ts and
 * caldav-write.ts.
 */
import { cleanLine } from '../../integrations/extractors/page-clean.ts'
import { isNamed } from '../../integrations/tools/calendar/calendars.ts'
import { CALENDAR_NAME } from '../../integrations/tools/calendar/fields.ts'
import type { ToolCall } from '../../kernel/tool/manifest.ts'
import type { CaldavSettings, ReadingPowers } from './calendar-settings.ts'
import type { DavCalendar, Server } from './dav.ts'

/** One account during one call. */
export interface At {
  readonly call: ToolCall
  readonly server: Server
  readonly settings: CaldavSettings
  readonly powers: ReadingPowers
  /** The owner's addresses, in lower case. */
  readonly own: readonly string[]
}

export function calendarId({ name }: CaldavSettings, path: string): string {
  return `${name}:${path}`
}

/** Name of a calendar as shown to people; without a name, the last part of its path. */
export function nameOf({ name, path }: DavCalendar): string {
  return cleanLine(name, CALENDAR_NAME) || (path.split('/').findLast((part) => part !== '') ?? '')
}

/** Whether `wanted` names the calendar: by its id, its path or its name, with or without the account's name before it. */
export function isCalled(
  settings: Pick<CaldavSettings, 'name'>,
  calendar: DavCalendar,
  wanted: string,
): boolean {
  const prefix = `${settings.name}:`
  const text = wanted.startsWith(prefix) ? wanted.slice(prefix.length) : wanted
  return isNamed({ id: calendar.path, name: nameOf(calendar) }, text)
}

export function isChosen({ calendars, ...settings }: CaldavSettings, calendar: DavCalendar): boolean {
  return calendars.length === 0 || calendars.some((wanted) => isCalled(settings, calendar, wanted))
}
