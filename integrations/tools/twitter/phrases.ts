/** Phrases of requests about Twitter, and the plan of each. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/twitter'
import { type Phrases, words } from '../phrase.ts'

export const TWITTER_PHRASES: Phrases = {
  typed: TYPED,
  shapes: { user: { pattern: '@?[A-Za-z0-9_]{1,15}', example: '@nasa' } },
  lists: {
    en: {
      site: words('Twitter / X / twitter.com / x.com'),
      look: words('show / show me / check / read / read me / get me / give me / what are'),
      new: words('new / newest / latest / last / recent'),
      tweets: words('tweets / tweet / posts on Twitter / posts on X / Twitter posts / X posts'),
    },
    de: { site: words('Twitter / X'), tweets: words('Tweets') },
  },
  asks: [
    {
      says: {
        en: [
          '(search|look on|search on|look through) <site> for {what}',
          '(find|look for|search for) {what} on <site>',
          '[search|find|look for|show|show me] [the|any] [<new>] <tweets> (about|on|with|for) {what}',
          'what (do people say|are people saying|is said|do they say) (about|of) {what} on <site>',
        ],
        de: [
          '(suche|such) [bitte] (auf|bei) <site> nach {what}',
          '(suche|such) [bitte] Tweets (über|zu) {what}',
        ],
      },
      // It is published by nothing here.
      unlike: '^(?:post|reply|(?:re)?tweet)\\b',
      plan: [{ id: 's1', do: 'tool', tool: 'twitter.search_tweets', args: { words: '{what}' } }],
    },
    {
      says: {
        en: [
          '[<look>] [the] [<new>] <tweets> (from|of|by) {user} [on <site>]',
          'what (did|does|has) {user} (post|posted|say|said|write|written) on <site>',
          'what (did|does|has) {user} (tweet|tweeted)',
          "(what is|what's) new (from|with) {user} on <site>",
        ],
        de: ['[zeig mir|zeige mir] [die] [neuesten|letzten] <tweets> von {user}'],
      },
      plan: [{ id: 's1', do: 'tool', tool: 'twitter.user_tweets', args: { user: '{user}' } }],
    },
  ],
}
