/**
 * Detects which kind of feed a document is and converts it to items. Pure except for the reader that is passed in. A reader that throws
 * gives a refusal. Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { HttpResponse } from '../../../kernel/tool/manifest.ts'
import { createFeed, type Feed, type FeedReader, readJsonFeed } from '../../extractors/feed.ts'

/** By what the document begins with: servers declare feeds as anything. Refusal: tool_result_invalid for what is no feed. */
export async function shapeFeed(
  { body, url }: Pick<HttpResponse, 'body' | 'url'>,
  reader: FeedReader,
): Promise<Result<Feed>> {
  const text = body.replace(/^\ufeff/, '').trimStart()
  try {
    const raw = text.startsWith('{') ? readJsonFeed(text) : text.startsWith('<') ? await reader(text) : null
    return raw === null ? err('tool_result_invalid', { rule: 'feed' }) : ok(createFeed(raw, url))
  } catch {
    return err('tool_result_invalid', { rule: 'feed_unreadable' })
  }
}

/** People leave "https://" out; `feed:` is how browsers once named feeds. */
export function addressOf(typed: string): string {
  const bare = typed.trim().replace(/^feed:(?:\/\/)?/i, '')
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(bare) ? bare : `https://${bare}`
}
