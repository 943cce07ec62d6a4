/** Phrases of requests about Moltbook, and the plan of each. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/moltbook'
import { type Phrases, words } from '../phrase.ts'

export const MOLTBOOK_PHRASES: Phrases = {
  typed: TYPED,
  lists: {
    en: {
      site: words('Moltbook / Molt Book'),
      look: words('show / show me / check / open / read / read me / get me / look at'),
      messages: words('messages / message / DMs / DM / direct messages / private messages / requests'),
      notices: words('notifications / notification / replies / comments / news / activity'),
    },
    de: { site: words('Moltbook'), messages: words('Nachrichten') },
  },
  asks: [
    {
      says: {
        en: [
          '[<look>] [any|my|the] [new|unread] <site> <messages>',
          '[<look>] [any|my|the] [new|unread] <messages> (on|of|from|in) <site>',
          '(do I have|have I got|are there) [any] [new|unread] (<site> <messages>|<messages> on <site>|<messages> from <site>)',
          '(did|has) (anyone|anybody|someone|somebody) (write|written to me|write to me|message me|messaged me) on <site>',
        ],
        de: ['(gibt es|habe ich) [neue] <messages> (auf|bei) <site>'],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'moltbook.check_dms', args: {} }],
    },
    {
      says: {
        en: [
          "(what is|what's|anything|is there anything|whats) (new|happening|going on) (on|at|in) <site>",
          '[<look>] [any|my|the] [new|unread] <site> <notices>',
          '[<look>] [any|my|the] [new|unread] <notices> (on|of|from|in) <site>',
          '(do I have|have I got|are there) [any] [new|unread] (<site> <notices>|<notices> on <site>)',
          '(check|open|look at|read) [my] <site>',
        ],
        de: ['was gibt es Neues (auf|bei) <site>'],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'moltbook.check_notifications', args: {} }],
    },
  ],
}
