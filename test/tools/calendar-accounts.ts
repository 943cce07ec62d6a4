/** Calls of the calendar tool with several accounts, through the real port. Called by tests of calendars. */

import { createCalendarTool } from '../../integrations/tools/calendar/run.ts'
import type { CredentialSource } from '../../integrations/tools/credentials.ts'
import { createToolPort } from '../../integrations/tools/port.ts'
import { parseFields } from '../../kernel/flow/field.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createCalendarAccounts } from '../../sidecar/calendar/calendar-accounts.ts'
import type { CalendarAccountSettings } from '../../sidecar/calendar/calendar-settings.ts'
import { createPinnedTransport } from '../../sidecar/pages/pinned-transport.ts'
import { NO_BREAKER, tokenFor } from './calls.ts'

export interface Bench {
  readonly accounts?: readonly CalendarAccountSettings[]
  readonly standard?: string
  readonly chosen?: readonly string[]
  /** By the name of the account; absent: not stored. */
  readonly secrets: Readonly<Record<string, string>>
  /** Origin of a scripted Google. */
  readonly google?: string
}

export interface CalendarBench {
  call(
    action: string,
    args: { readonly [key: string]: Json },
    more?: { readonly capability?: string; readonly principal?: string },
  ): Promise<Result<Json>>
  /** What was learnt of each credential, in order. */
  readonly settled: string[]
}

export function calendarBench({
  secrets,
  google,
  accounts = [],
  chosen = [],
  ...more
}: Bench): CalendarBench {
  const { standard = null } = more
  const own = createCalendarAccounts(accounts, { standard, timezone: 'Europe/Berlin' })
  const calendars = { chosen, standard, accounts: own, withoutGoogle: google === undefined }
  const tool = createCalendarTool({ calendars, ...(google !== undefined && { baseUrl: google }) })
  const settled: string[] = []
  const origins = [...accounts.map(({ server }) => server), ...(google === undefined ? [] : [google])]
  const credentials: CredentialSource = {
    has: () => true,
    async issue({ credential, account }) {
      const name = account ?? credential
      const value = secrets[name]
      if (value === undefined) return err('credential_missing', { credential: name })
      const server = accounts.find((one) => one.name === account)?.server ?? google ?? ''
      return ok({
        credential: { scheme: 'bearer', value },
        hosts: [new URL(server).host],
        settle: (use) => settled.push(`${name} ${use}`),
      })
    },
  }
  const port = createToolPort({
    ...{ place: 'home', tools: [tool], transport: createPinnedTransport(), exemptOrigins: [] },
    ownOrigins: { calendar: origins },
    checkToken: () => ({ allow: true }) as never,
    ...{ credentials, redact: (value) => value, breaker: NO_BREAKER },
  })
  return {
    settled,
    async call(verb, args, { capability = 'cap1', principal } = {}) {
      const action = `calendar.${verb}`
      const declared = tool.manifest.actions.find(({ id }) => id === action)
      if (declared === undefined) throw new Error(`no action ${action}`)
      const token = tokenFor(action, capability, principal)
      const outcome = await port.run({ action, args, capability: token })
      return outcome.ok ? parseFields(declared.output, outcome.output, 'refuse') : outcome
    },
  }
}
