/** More ways in which people type requests about Bluesky, for the embedded planner. Data only. Called by phrases.ts. */

export const TYPED = {
  'bluesky.timeline': {
    en: [
      '(whats|what is|anything|something) (new|happening|going on) (on|at) bluesky',
      '[show|open|read|check] [me] [my] bluesky [timeline|feed|posts]',
      'bluesky (timeline|feed|news)',
    ],
    de: [
      '(was gibt es|gibt es was|gibt es etwas) neues (auf|bei) bluesky',
      '[zeig] [mir] [mein|meinen] bluesky feed',
    ],
  },
  'bluesky.notifications': {
    en: [
      '[any|are there|do i have] [new] bluesky (notifications|mentions|replies)',
      '(notifications|mentions|replies) (on|from) bluesky',
    ],
    de: ['[neue] bluesky benachrichtigungen', '(gibt es|habe ich) benachrichtigungen (auf|bei) bluesky'],
  },
  'bluesky.search': {
    en: ['(search|look through) bluesky for {what}', '(find|search) {what} on bluesky'],
    de: ['(suche|such) (auf|bei) bluesky nach {what}'],
  },
} as const
