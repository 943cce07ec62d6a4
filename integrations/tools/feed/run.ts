/**
 * Fetches one feed and takes it apart with the reader of the place. Must not follow its links or send a credential. Called through
 * integrations/tools/port.ts.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { FeedReader } from '../../extractors/feed.ts'
import type { HomeToolPowers } from '../package.ts'
import { checkStatus } from '../remote.ts'
import { FEED_MANIFEST } from './manifest.ts'
import { addressOf, shapeFeed } from './shape.ts'

const ACCEPT =
  'application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.5'

export function createFeedTool({ feed }: Pick<HomeToolPowers, 'feed'>): Tool {
  return { manifest: FEED_MANIFEST, execute: (call) => readFeed(call, feed) }
}

async function readFeed(call: ToolCall, reader: FeedReader): Promise<ToolOutcome> {
  if (call.action !== 'web.feed') return err('tool_unknown')
  const response = await call.http.request({
    method: 'GET',
    url: addressOf(String(call.args['address'])),
    headers: { accept: ACCEPT },
  })
  if (!response.ok) return response
  const status = checkStatus(response.value)
  // A feed has no account that could be connected again.
  if (!status.ok)
    return status.reason.code === 'remote_unauthorized' ? err('remote_rejected', status.reason.facts) : status
  const feed = await shapeFeed(response.value, reader)
  return feed.ok ? { ok: true, output: feed.value } : feed
}
