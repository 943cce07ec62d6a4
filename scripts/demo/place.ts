/**
 * The demo workspace in this process: a mail and calendar emulator and one site, on loopback, both with data relative to `now`.
 * Must not reach the network. Called by main.ts, and by the evaluation, which resets it before each case.
 */
import { createEmulator } from 'emulate'
import { preferredPort } from '../start/port.ts'
import { serveCalendarFront } from './calendar-front.ts'
import { ARTICLE_PATH, servePages } from './pages.ts'
import { googleSeed, type SeedContext } from './seed.ts'

const HOST = '127.0.0.1'

export interface DemoInput extends SeedContext {
  readonly googlePort: number
  readonly pagesPort: number
}

export interface OpenDemo {
  /** Origins of the two servers, and the URL of the page. */
  readonly place: { readonly google: string; readonly pages: string; readonly article: string }
  /** Mailbox and calendar as they were at the start. */
  reset(): void
  close(): Promise<void>
}

export async function openDemo({ now, timezone, googlePort, pagesPort }: DemoInput): Promise<OpenDemo> {
  const emulatorPort = await preferredPort(0)
  const [google, pages, front] = await Promise.all([
    createEmulator({
      service: 'google',
      hostname: HOST,
      port: emulatorPort,
      seed: { google: googleSeed({ now, timezone }) },
    }),
    servePages(pagesPort, now),
    serveCalendarFront(`http://${HOST}:${emulatorPort}`, googlePort),
  ])
  const site = `http://${HOST}:${pagesPort}`
  return {
    place: { google: `http://${HOST}:${googlePort}`, pages: site, article: `${site}${ARTICLE_PATH}` },
    reset() {
      front.forget()
      google.reset()
    },
    async close() {
      for (const server of [pages, front.server]) {
        server.close()
        server.closeAllConnections()
      }
      await google.close()
    },
  }
}
