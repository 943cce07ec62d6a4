/**
 * The owner's calendar accounts besides Google's, as the calendar tool gets them. A backend loads when one of its calendars is
 * first read. Called by home-tools.ts.
 */
import type { OwnCalendarAccount } from '../../integrations/tools/calendar/account-port.ts'
import { type CalendarAccountSettings, hostOf, type ReadingPowers } from './calendar-settings.ts'
import { createIcs } from './ics.ts'

export function createCalendarAccounts(
  accounts: readonly CalendarAccountSettings[],
  powers: ReadingPowers,
): readonly OwnCalendarAccount[] {
  return accounts.map((settings) =>
    settings.kind === 'ics'
      ? createIcs(settings, powers)
      : {
          name: settings.name,
          hosts: [hostOf(settings)],
          writes: true,
          run: async (call) => (await import('./caldav.ts')).runCaldav(call, settings, powers),
        },
  )
}
