/**
 * The emulator of Gmail and Google Calendar, which others wrote, with the front that completes it. Knows no test. Called by the tests of tools and by the
 * simulated months.
 */
import { createEmulator } from 'emulate'
import { serveCalendarFront } from '../../scripts/demo/calendar-front.ts'
import { freePort } from '../kit/server.ts'

export const OWNER = 'owner@example.com'
export const TOKEN = 'token-of-the-owner'

export interface Google {
  readonly origin: string
  /** Without the front: all of mail, and most of a calendar. */
  readonly behind: string
  close(): Promise<void>
}

/** `tokens`: that it takes; each for 5,000 requests an hour. */
export async function openGoogle(
  seed: Readonly<Record<string, unknown>> = {},
  tokens: readonly string[] = [TOKEN],
): Promise<Google> {
  const [port, front] = [await freePort(), await freePort()]
  const users = [{ email: OWNER, name: 'Owner' }]
  const calendars = [{ id: 'primary', user_email: OWNER, summary: OWNER, primary: true, time_zone: 'UTC' }]
  const emulator = await createEmulator({
    service: 'google',
    port,
    seed: {
      tokens: Object.fromEntries(tokens.map((token) => [token, { login: OWNER }])),
      google: { users, calendars, ...seed },
    },
  })
  const behind = `http://127.0.0.1:${port}`
  const { server } = await serveCalendarFront(behind, front)
  return {
    origin: `http://127.0.0.1:${front}`,
    behind,
    async close() {
      server.close()
      server.closeAllConnections()
      await emulator.close()
    },
  }
}
