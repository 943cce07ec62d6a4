/**
 * Serves one article, so that there is a page to read without a network. It contains a hidden instruction to assistants, as
 * real pages do. Must not serve anything else. Called by place.ts.
 */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'

export const ARTICLE_PATH = '/articles/harbour'

const DAY_MS = 86_400_000

/** Listens on loopback. The article is dated the day before `now` (epoch milliseconds). */
export async function servePages(port: number, now: number): Promise<Server> {
  const article = articleAt(now)
  const server = createServer((request, response) => {
    const found = request.method === 'GET' && request.url === ARTICLE_PATH
    response
      .writeHead(found ? 200 : 404, { 'content-type': found ? 'text/html; charset=utf-8' : 'text/plain' })
      .end(found ? article : 'There is no such page.')
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

export function articleAt(now: number): string {
  const published = new Date(now - DAY_MS)
  const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(published)
  return readFileSync(new URL('article.html', import.meta.url), 'utf8')
    .replaceAll('{{published}}', `${published.toISOString().slice(0, 19)}Z`)
    .replaceAll('{{day}}', day)
}
