/** More ways in which people type requests about Twitter, for the embedded planner. Data only. Called by phrases.ts. */

export const TYPED = {
  'twitter.search_tweets': {
    en: [
      '(search|look through) (twitter|x) for {what}',
      '(find|search) {what} on (twitter|x)',
      '[find|show me] tweets about {what}',
    ],
    de: ['(suche|such) (auf|bei) twitter nach {what}', 'tweets über {what}'],
  },
} as const
