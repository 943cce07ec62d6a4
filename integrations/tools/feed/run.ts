/**
 * Fetches one feed, takes it apart with the reader of the place, and records what its conversation is shown. Must not follow its links or
 * send a credential. Called through integrations/tools/port.ts.
 */
import { digestOf } from '../../../kernel/flow/digest.ts'
import { err } from '../../../kernel/flow/verdict.ts'
import type { Tool, ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { HomeToolPowers } from '../package.ts'
import { checkStatus } from '../remote.ts'
import { FEED_MANIFEST } from './manifest.ts'
import { itemDigest, partAsked, partOf } from './part.ts'
import { addressOf, shapeFeed } from './shape.ts'

const ACCEPT =
  'application/atom+xml,application/rss+xml,application/feed+json,application/xml;q=0.9,*/*;q=0.5'

type FeedPowers = Pick<HomeToolPowers, 'feed' | 'feedItems'>

export function createFeedTool(powers: FeedPowers): Tool {
  return { manifest: FEED_MANIFEST, execute: (call) => readFeed(call, powers) }
}

async function readFeed(call: ToolCall, { feed: reader, feedItems }: FeedPowers): Promise<ToolOutcome> {
  if (call.action !== 'web.feed') return err('tool_unknown')
  const url = addressOf(String(call.args['address']))
  const response = await call.http.request({ method: 'GET', url, headers: { accept: ACCEPT } })
  if (!response.ok) return response
  const status = checkStatus(response.value)
  // A feed has no account that could be connected again.
  if (!status.ok)
    return status.reason.code === 'remote_unauthorized' ? err('remote_rejected', status.reason.facts) : status
  const feed = await shapeFeed(response.value, reader)
  if (!feed.ok) return feed
  const { principal, task } = call.capability.claims
  const listed = { principal, feed: digestOf(['feed', principal, placeOf(url)]), task }
  const asked = partAsked(call.args)
  const before = feedItems?.of(principal, listed.feed) ?? []
  const output = partOf(feed.value, asked, { before, task })
  // Of a list with all items only those that were shown are known; of the new ones the rest comes by "more".
  feedItems?.note(listed, (asked.onlyNew ? feed.value.items : output.items).map(itemDigest))
  // Which of them are new says what the owner has read.
  return { ok: true, output, ...(asked.onlyNew && { level: 'internal' as const }) }
}

/** One feed, however its host is typed. */
function placeOf(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url
}
