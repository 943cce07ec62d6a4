/**
 * Process of the demo workspace: a mail and calendar emulator and one site, on loopback. Prints their addresses as one
 * JSON line on stdout. Its data is lost when it stops. Started by scripts/start/demo.ts.
 */
import { createEmulator } from 'emulate'
import { ARTICLE_PATH, servePages } from './pages.ts'
import { googleSeed } from './seed.ts'

const HOST = '127.0.0.1'

const [timezone = 'UTC', googlePort = '', pagesPort = ''] = process.argv.slice(2)
const now = Date.now()

const [google, pages] = await Promise.all([
  createEmulator({
    service: 'google',
    hostname: HOST,
    port: Number(googlePort),
    seed: { google: googleSeed({ now, timezone }) },
  }),
  servePages(Number(pagesPort), now),
])

process.once('SIGTERM', async () => {
  pages.close()
  pages.closeAllConnections()
  await google.close()
  process.exit(0)
})

const site = `http://${HOST}:${pagesPort}`
const place = { google: `http://${HOST}:${googlePort}`, pages: site, article: `${site}${ARTICLE_PATH}` }
process.stdout.write(`${JSON.stringify(place)}\n`)
