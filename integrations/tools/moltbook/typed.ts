/** Further typed requests about Moltbook, for the embedded planner. Data only. Called by phrases.ts. */

export const TYPED = {
  'moltbook.check_dms': {
    en: [
      '[any|are there|do i have] [new|unread] moltbook (messages|dms|requests)',
      '[any] [new|unread] (messages|dms|requests) (on|from) moltbook',
    ],
    de: ['[neue] moltbook nachrichten', '(gibt es|habe ich) [neue] nachrichten (auf|bei) moltbook'],
  },
  'moltbook.check_notifications': {
    en: [
      '(whats|what is|anything|something) (new|happening|going on) (on|at) moltbook',
      '(check|show|open) [me] [my] moltbook [notifications|news|activity]',
      'moltbook (notifications|news|replies)',
    ],
    de: ['(was gibt es|gibt es was|gibt es etwas) neues (auf|bei) moltbook'],
  },
} as const
