/** Phrases of requests about recorded meetings in Fireflies, and the plan of each. Data only. Collected by `npm run tables`. */
import { type Phrases, words } from '../phrase.ts'

function step(tool: string, args: { readonly [name: string]: string }) {
  return [{ id: 's1', do: 'tool', tool, args }] as const
}

export const FIREFLIES_PHRASES: Phrases = {
  lists: {
    en: {
      look: words('show / show me / list / get / get me / what are / check'),
      read: words('show / show me / open / read / read me / get / get me / summarise / summarize'),
      rows: words('meetings / transcripts / recordings / meeting transcripts / recorded meetings'),
      last: words('last / latest / newest / most recent'),
      in_fireflies: words('in fireflies / from fireflies / on fireflies / in my fireflies'),
    },
  },
  asks: [
    {
      says: {
        en: [
          '[<look>] [my|the] [<last>|new] fireflies <rows>',
          '<look> [my|the] [<last>|new] <rows> <in_fireflies>',
          "(what's|what is) new (in|on) fireflies",
        ],
      },
      plan: step('fireflies.list', {}),
    },
    {
      says: {
        en: [
          'search [my] fireflies for {what}',
          '(find|search for|look for) [the] (meeting|<rows>) (about|on|with) {what} <in_fireflies>',
          '(find|search for|look for) [my] fireflies <rows> (about|on) {what}',
        ],
      },
      plan: step('fireflies.list', { words: '{what}' }),
    },
    {
      says: {
        en: [
          '<read> [my|the] <last> fireflies (transcript|meeting|recording)',
          '<read> [my|the] transcript of [my|the] <last> (fireflies meeting|meeting <in_fireflies>)',
        ],
      },
      plan: step('fireflies.get_transcript', {}),
    },
    {
      says: {
        en: [
          '<read> [the|my] fireflies (transcript|recording) (of|about|for) [the] {what}',
          '<read> [the|my] (transcript|recording) of [the] {what} <in_fireflies>',
        ],
      },
      plan: step('fireflies.get_transcript', { meeting: '{what}' }),
    },
  ],
}
