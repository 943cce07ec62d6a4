/**
 * Skips what was delivered before a chat began, except a recent notice about a start of this place. Must not print. Called by
 * chat.ts.
 */
import type { LineDelivery, Link } from '../line/link.ts'

/** Milliseconds during which a notice about a start is still shown to a new chat. */
const NEWS_MS = 120_000
/** Id of such a notice, with its timestamp: of a start, or of the update with it. */
const START = /^(?:restart|updated):(\d+)$/

/** Position after the last row, and the notices that are still recent. */
export async function skipHistory(
  link: Link,
): Promise<{ readonly cursor: number; readonly news: readonly string[] }> {
  const news: string[] = []
  for (let cursor = 0; ; ) {
    const rows = await link.deliveries(cursor, 0)
    const last = rows.ok ? rows.value.at(-1) : undefined
    if (last === undefined || last.seq <= cursor) return { cursor, news }
    cursor = last.seq
    for (const one of rows.ok ? rows.value : []) if (isNews(one)) news.push(one.text)
  }
}

function isNews({ id = '' }: LineDelivery): boolean {
  const at = START.exec(id)?.[1]
  return at !== undefined && Date.now() - Number(at) < NEWS_MS
}
