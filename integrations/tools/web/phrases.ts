/** Phrases of requests for a page, and their plan. Data only. Collected by `npm run tables`. */
import { type Phrases, words } from '../phrase.ts'

export const WEB_PHRASES: Phrases = {
  typed: {
    'web.read': {
      en: [
        '(whats|what is) (on|at|in|behind) {address}',
        '(read|open|summarise|check|look at|tell me about) {address}',
      ],
      de: ['(lies|öffne|zeig|fass) {address} [zusammen|vor]', 'was steht (auf|in|unter) {address}'],
    },
  },
  lists: {
    en: {
      look: words(`
        read / open / summarise / summarize / sum up / fetch / show / get / check / visit / look at
        tl;dr / tldr / what's / what is / what does / what do / explain / go to / load / browse
        give me / tell me / see / view / have a look at / quote / who
      `),
      page: ['webpage', 'web page', 'page', 'website', 'site', 'article', 'link', 'url', 'blog post', 'post'],
    },
  },
  asks: [
    {
      intent: 'web_read',
      says: {
        en: [
          '<look> + {address} - new (on|at|in|from)',
          '(what does|what do|what is|whats) (this|that|it|the page|this article|this paper) (say|mean|about) [in short|in brief|briefly|roughly|please] {address}',
          '(gist|summary) of {any 0-4} {address}',
          '{address} {any 0-6}',
          '(read|open|summarise|summarize|fetch|visit) [me] (this|that|the|a) {plain 0-1} <page> ...',
        ],
      },
      needs: { address: 'needs_address' },
      plan: [{ id: 's1', do: 'tool', tool: 'web.read', args: { url: '{address}' } }],
    },
  ],
}
