/** A real emulator of Gmail and Google Calendar on a free port. Ends with the file that started it. */

import { createEmulator } from 'emulate'
import { afterAll } from 'vitest'
import { serveCalendarFront } from '../../scripts/demo/calendar-front.ts'
import { freePort } from '../kit/server.ts'

export const OWNER = 'owner@example.com'

export async function startGoogle(seed: Readonly<Record<string, unknown>>): Promise<string> {
  const [port, front] = [await freePort(), await freePort()]
  const users = [{ email: OWNER, name: 'Owner' }]
  const calendars = [{ id: 'primary', user_email: OWNER, summary: OWNER, primary: true, time_zone: 'UTC' }]
  const emulator = await createEmulator({
    service: 'google',
    port,
    seed: { tokens: { 'token-of-the-owner': { login: OWNER } }, google: { users, calendars, ...seed } },
  })
  const { server } = await serveCalendarFront(`http://127.0.0.1:${port}`, front)
  afterAll(async () => {
    server.close()
    server.closeAllConnections()
    await emulator.close()
  })
  return `http://127.0.0.1:${front}`
}
