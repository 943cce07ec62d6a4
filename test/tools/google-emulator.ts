/** A real emulator of Gmail and Google Calendar on a free port. Ends with the file that started it. */
import { createServer } from 'node:net'
import { createEmulator } from 'emulate'
import { afterAll } from 'vitest'

export const OWNER = 'owner@example.com'

export async function startGoogle(seed: Readonly<Record<string, unknown>>): Promise<string> {
  const port = await freePort()
  const users = [{ email: OWNER, name: 'Owner' }]
  const calendars = [{ id: 'primary', user_email: OWNER, summary: OWNER, primary: true, time_zone: 'UTC' }]
  const emulator = await createEmulator({
    service: 'google',
    port,
    seed: { tokens: { 'token-of-the-owner': { login: OWNER } }, google: { users, calendars, ...seed } },
  })
  afterAll(() => emulator.close())
  return `http://127.0.0.1:${port}`
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
