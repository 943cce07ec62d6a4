/** Phrases of requests about Bluesky, and the plan of each. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/bluesky'
import { type Phrases, words } from '../phrase.ts'

function step(tool: string, args: { readonly [name: string]: string }) {
  return [{ id: 's1', do: 'tool', tool, args }] as const
}

/** The post that was just shown, or one of a list by its place. */
const SHOWN = {
  ...{ lists: ['bluesky.timeline', 'bluesky.search', 'bluesky.thread'], list: 'posts', first: 'none' },
  ...{ one: [], only: ['bluesky.reply', 'bluesky.create_post'], unknown: 'which_post' },
} as const

const ORDINAL =
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|[1-9]\\d?(?:st|nd|rd|th)'
const THING = `(?:it|(?:this|that)(?: one| post)?|the (?:post|(?:${ORDINAL})(?: one| post)?)|(?:post )?(?:number |#)[1-9]\\d?|(?:den|dem|der) (?:erste|zweite|dritte|vierte|fünfte|letzte)[nrm]?)`

export const BLUESKY_PHRASES: Phrases = {
  typed: TYPED,
  shapes: {
    thing: { pattern: THING, example: 'the second one' },
    post: {
      pattern:
        '(?:https://bsky\\.app/profile/[A-Za-z0-9._:-]{3,253}/post/[A-Za-z0-9._~-]{1,128}|at://[A-Za-z0-9._:-]{3,253}/app\\.bsky\\.feed\\.post/[A-Za-z0-9._~-]{1,128})',
      example: 'https://bsky.app/profile/alice.bsky.social/post/3kabc',
    },
  },
  lists: {
    en: {
      site: words('Bluesky / Blue Sky / bsky'),
      look: words('show / show me / check / open / read / read me / get me / give me / look at'),
      feed: words('timeline / feed / home feed / posts / news'),
      notices: words('notifications / notification / mentions / mention / replies / reply / alerts / likes'),
      post: words('post / publish / write'),
      thing: words('a post / a new post / a message / this / the following / that'),
    },
    de: {
      site: words('Bluesky / bsky'),
      feed: words('Timeline / Feed / Beiträge'),
    },
  },
  asks: [
    {
      says: {
        en: [
          "(what is|what's|anything|is there anything|whats) (new|happening|going on|up) (on|at|in) <site>",
          '[<look>] [my|the] [new|newest|latest] <site> <feed>',
          '[<look>] [my|the] [new|newest|latest] <feed> (on|of|from) <site>',
          '(check|open|look at|read) [my] <site>',
          '(what are people|what do people|what are my friends) (posting|saying|post|up to) on <site>',
        ],
        de: ['was gibt es Neues (auf|bei) <site>', '(zeig|zeige) [mir] [meine|meinen|die|den] <site> <feed>'],
      },
      plan: step('bluesky.timeline', {}),
    },
    {
      says: {
        en: [
          '[<look>] [any|my|the] [new|unread] <site> <notices>',
          '[<look>] [any|my|the] [new|unread] <notices> (on|of|from|in) <site>',
          '(do I have|have I got|are there|have I) [any] [new|unread] (<site> <notices>|<notices> on <site>|<notices> from <site>)',
          '(did|has|have) (anyone|anybody|someone|somebody) (reply|replied|replied to me|reply to me|answer me|answered me|mention me|mentioned me|follow me|followed me|like my post|liked my post) on <site>',
          'who (replied|replied to me|answered|answered me|mentioned me|followed me|liked my post|likes my posts) on <site>',
        ],
        de: ['(gibt es|habe ich) [neue] <site> Benachrichtigungen'],
      },
      plan: step('bluesky.notifications', {}),
    },
    {
      says: {
        en: [
          '(search|look on|search on|look through) <site> for {what}',
          '(find|look for|search for) {what} on <site>',
          'what (do people say|are people saying|is said|do they say) (about|on|of) {what} on <site>',
        ],
        de: ['(suche|such) [bitte] (auf|bei) <site> nach {what}'],
      },
      plan: step('bluesky.search', { words: '{what}' }),
    },
    {
      says: {
        en: [
          '(show|show me|read|open|get) [the] (thread|conversation|replies|answers) (of|to|under|below|behind) {post}',
          '(show|show me|read|open|get) {post} with [the|its] (thread|replies|answers)',
        ],
      },
      plan: step('bluesky.thread', { post: '{post}' }),
    },
    {
      says: {
        en: [
          '(show|show me|read|open|get|see) [the] (thread|conversation|replies|answers) (of|to|under|below|behind) {thing}',
          'what (did people|do people|did they) (answer|reply|say) to {thing}',
        ],
        de: ['(zeig|zeige|lies) [mir] (die antworten|den thread) (auf|von|zu) {thing}'],
      },
      shown: SHOWN,
      plan: step('bluesky.thread', { post: '{one.post}' }),
    },
    {
      says: {
        en: [
          '(reply|respond|answer) to {thing} [on <site>] : {topic}',
          '(reply|respond|answer) to {thing} [on <site>] (with|saying|that) {topic}',
          '(reply|respond|answer) {topic} to {thing} on <site>',
        ],
        de: ['(antworte|antwort) [auf] {thing} : {topic}'],
      },
      shown: SHOWN,
      plan: step('bluesky.reply', { post: '{one.post}', text: '{topic}' }),
    },
    {
      says: {
        en: [
          '(reply|respond|answer) to {post} [on <site>] [with|saying|that] {topic}',
          '(reply|answer) {topic} to {post}',
        ],
      },
      plan: step('bluesky.reply', { post: '{post}', text: '{topic}' }),
    },
    {
      says: {
        en: [
          '<post> [<thing>] (on|to) <site> [saying|that says|that] {topic}',
          '<post> [<thing>] {topic} (on|to) <site>',
          '(tell|say on|say to|let) <site> [that|know that] {topic}',
        ],
        de: ['(poste|schreib|schreibe|veröffentliche) [bitte] (auf|bei) <site> {topic}'],
      },
      plan: step('bluesky.create_post', { text: '{topic}' }),
    },
  ],
}
