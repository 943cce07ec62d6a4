/**
 * The demo workspace in this process: a mail and calendar emulator and one site, on loopback, both with data relative to `now`.
 * Must not reach the network. Called by demo.ts, and by the evaluation, which resets it before each case.
 */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEmulator } from 'emulate'
import { serveCalendarFront } from './calendar-front.ts'
import { ARTICLE_PATH, servePages } from './pages.ts'
import { googleSeed, type SeedContext } from './seed.ts'

const HOST = '127.0.0.1'

export interface DemoInput extends SeedContext {
  /** Port; 0 for any free one. */
  readonly googlePort: number
  /** Port; 0 for any free one. */
  readonly pagesPort: number
}

export interface OpenDemo {
  /** Origins of the two servers, and the URL of the page. */
  readonly place: { readonly google: string; readonly pages: string; readonly article: string }
  /** Resets mailbox and calendar to the seed. */
  reset(): void
  close(): Promise<void>
}

export async function openDemo({ now, timezone, googlePort, pagesPort }: DemoInput): Promise<OpenDemo> {
  const [google, pages] = await Promise.all([
    createEmulator({
      ...{ service: 'google', hostname: HOST, port: 0 },
      seed: { google: googleSeed({ now, timezone }) },
    }),
    servePages(pagesPort, now),
  ])
  const front = await serveCalendarFront(`http://${HOST}:${new URL(google.url).port}`, googlePort)
  const site = originOf(pages)
  return {
    place: { google: originOf(front.server), pages: site, article: `${site}${ARTICLE_PATH}` },
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

function originOf(server: Server): string {
  const { port } = server.address() as AddressInfo
  return `http://${HOST}:${port}`
}
