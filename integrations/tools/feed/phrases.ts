/** Phrases of requests for a feed, and their plan. Data only. Collected by `npm run tables`. */
import type { Phrases } from '../phrase.ts'

export const FEED_PHRASES: Phrases = {
  thing: {
    ...{ lists: ['web.feed'], list: 'items', first: 'none', one: [], only: [] },
    ...{
      unknown: 'not_understood',
      called: 'items?|articles?|headlines?|stor(?:y|ies)|artikel|schlagzeilen?',
    },
    opens: [{ id: 's1', do: 'tool', tool: 'web.read', args: { url: '{one.link}' } }],
  },
  asks: [
    {
      says: {
        en: [
          "(what is|what's|whats|anything|is there anything|is there something) new (on|at|in|from) [the feed] {site}",
          '[what are|show me|show|read|list|get|check] [the] (newest|latest|new|recent) (items|posts|entries|articles|news|headlines) (on|at|in|from|of) [the feed] {site}',
          '(read|check|show|show me|get|open) [the] (feed|rss feed|atom feed|news feed|rss) [of|from|at] {site}',
        ],
        de: ['was gibt es neues (auf|bei|in) {site}', 'was ist neu (auf|bei|in) {site}'],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'web.feed', args: { address: '{site}' } }],
    },
  ],
}
