/** Phrases of requests for a feed, and their plan. Data only. Collected by `npm run tables`. */
import type { Json } from '../../../kernel/flow/json.ts'
import type { Phrases } from '../phrase.ts'

/** Items of one answer: as many as a chat shows of a list. */
const AT_ONCE = 40

/** Numbers that people say; others are typed to a model. */
const COUNTS = [
  [1, '1|one', '1|einen|eine'],
  [2, '2|two', '2|zwei'],
  [3, '3|three', '3|drei'],
  [4, '4|four', '4|vier'],
  [5, '5|five', '5|fünf'],
  [6, '6|six', '6|sechs'],
  [7, '7|seven', '7|sieben'],
  [8, '8|eight', '8|acht'],
  [9, '9|nine', '9|neun'],
  [10, '10|ten', '10|zehn'],
  [15, '15|fifteen', '15|fünfzehn'],
  [20, '20|twenty', '20|zwanzig'],
  [30, '30|thirty', '30|dreißig'],
] as const

const COUNTED: Phrases['asks'] = COUNTS.map(([count, en, de]) => ({
  says: {
    en: [
      `[show me|show|read|list|get|give me|what are] [the] (last|latest|newest|first|top) (${en}) [items|posts|entries|articles|news|headlines] (on|at|in|from|of) [the feed] {site}`,
    ],
    de: [
      `[zeig|zeige|lies|gib|nenn|nenne] [mir] [die] (letzten|neuesten|ersten) (${de}) [einträge|artikel|beiträge|meldungen|schlagzeilen] (auf|bei|in|aus|von) {site}`,
    ],
  },
  plan: look({ count }),
  // Read by these words alone: the trained table would get a class for each number.
  yields: true,
}))

function look(args: { readonly [name: string]: Json }): Phrases['asks'][number]['plan'] {
  return [{ id: 's1', do: 'tool', tool: 'web.feed', args: { address: '{site}', ...args } }]
}

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
        ],
        de: ['was gibt es neues (auf|bei|in) {site}', 'was ist neu (auf|bei|in) {site}'],
      },
      plan: look({ only: 'new', count: AT_ONCE }),
    },
    {
      says: {
        en: [
          '[what are|show me|show|read|list|get|check] [the] (newest|latest|new|recent) (items|posts|entries|articles|news|headlines) (on|at|in|from|of) [the feed] {site}',
          '(read|check|show|show me|get|open) [the] (feed|rss feed|atom feed|news feed|rss) [of|from|at] {site}',
          '(read|show|show me|list|give me|get) (all|everything|all items|all the items|all posts|all articles|all entries|all headlines) (on|at|in|from|of) [the feed] {site}',
        ],
        de: [
          '(zeig|zeige|lies|gib|nenn|nenne) [mir] (alles|alle (einträge|artikel|beiträge|meldungen|schlagzeilen)) (auf|bei|in|aus|von) {site}',
          '(zeig|zeige|lies) [mir] [den] (feed|rss-feed) [von] {site}',
        ],
      },
      plan: look({ count: AT_ONCE }),
    },
    // For jobs, which know by themselves what they told.
    {
      says: { en: ['the feed {site}'] },
      plan: look({}),
      yields: true,
    },
    ...COUNTED,
  ],
}
