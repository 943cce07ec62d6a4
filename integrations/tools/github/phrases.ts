/** Phrases of requests about GitHub, and the plan of each. Data only. Collected by `npm run tables`. */

import { TYPED } from '#typed/github'
import { type Phrases, words } from '../phrase.ts'

/** Names of a repository, and of an issue or pull request in one, as typed. */
const OWNER = '[A-Za-z0-9][A-Za-z0-9-]{0,38}'
export const REPO = `${OWNER}/[A-Za-z0-9._-]{0,99}[A-Za-z0-9_-]`
export const ITEM = `(?:${REPO}#[0-9]{1,9}|https?://github\\.com/${REPO}/(?:issues|pull)/[0-9]{1,9})`

function step(tool: string, args: { readonly [name: string]: string }) {
  return [{ id: 's1', do: 'tool', tool, args }] as const
}

export const GITHUB_PHRASES: Phrases = {
  typed: TYPED,
  thing: [
    {
      ...{ lists: ['github.list_prs', 'github.search'], list: 'items', first: 'none' },
      ...{ one: ['github.get_issue'], only: [], unknown: 'not_understood' },
      called: 'issues?|pull requests?|merge requests?|prs?|bugs?|tickets?',
      opens: step('github.get_issue', { item: '{one.item}' }),
    },
    {
      ...{ lists: ['github.list_notifications'], list: 'notifications', first: 'none', one: [], only: [] },
      ...{ unknown: 'not_understood', called: 'notifications?|benachrichtigung(?:en)?' },
      opens: step('github.get_issue', { item: '{one.item}' }),
    },
  ],
  shapes: {
    repo: { pattern: REPO, example: 'acme/site' },
    item: { pattern: ITEM, example: 'acme/site#12' },
    nr: { pattern: '#?[0-9]{1,9}', example: '12' },
  },
  lists: {
    en: {
      prs: words('pull requests / pull request / PRs / PR / merge requests / pulls'),
      items: words('issues / issue / pull requests / PRs / bugs / tickets'),
      item_kind: words('issue / pull request / PR / bug / ticket / the issue / the pull request / the PR'),
      look: words('show / show me / list / list me / get / get me / give me / what are / which are / check'),
      read: words(
        'show / show me / open / read / read me / get / get me / what is in / what is / summarise / summarize',
      ),
      at: words('in / of / on / for / from / at'),
      ci: words('CI / the CI / the build / build / the tests / the checks / the pipeline'),
      green: words('green / red / passing / failing / ok / okay / fine / broken / done / running'),
      new_issue: words(`
        an issue / a new issue / new issue / issue / a bug / a bug report / a ticket / a new ticket
      `),
      that: words('that / saying / saying that / about / titled / called / with the title'),
    },
  },
  asks: [
    {
      says: {
        en: [
          '(any|are there any|do I have any|do I have) <prs> (waiting|open|pending) (for|on) (me|my review)',
          '(any|are there any|do I have any|do I have) [open|pending|new] (review requests|reviews to do|reviews)',
          '(what|which <prs>) (needs|need|awaits|await|requires|wants|want) my review',
          "(what is|what's|what are) (waiting|pending) for my review",
          '[<look>] [my|the] [open|pending] review requests',
          '<look> [the] <prs> (waiting for|that need|to|for me to) (me|my review|review)',
          '(who|does anyone|does anybody) (wants|want|needs|need) (a review|my review|me to review something)',
        ],
      },
      plan: step('github.list_prs', { whose: 'review' }),
    },
    {
      says: { en: ['[<look>] my [own|open] <prs>', '(what|which) <prs> (do I have|have I) open'] },
      plan: step('github.list_prs', { whose: 'mine' }),
    },
    {
      says: {
        en: [
          '[<look>] [the|all] [open] <prs> <at> {repo}',
          '(any|are there any|are there) [open|new] <prs> <at> {repo}',
          '(what|which) <prs> are [still] open <at> {repo}',
        ],
      },
      plan: step('github.list_prs', { repo: '{repo}', whose: 'all' }),
    },
    {
      says: {
        en: [
          "(what is|what's|anything|is there anything) new (on|in|at) GitHub",
          '[<look>] [my|the] [new|unread] GitHub notifications',
          '[<look>] [my|the] [new|unread] notifications (on|of|from|in) GitHub',
          '(any|do I have any|are there any) [new|unread] (GitHub notifications|notifications on GitHub|notifications from GitHub)',
          'check GitHub',
        ],
      },
      plan: step('github.list_notifications', {}),
    },
    {
      says: {
        en: [
          '<read> <item_kind> {nr} <at> {repo}',
          '<read> {repo} <item_kind> {nr}',
          "(what's|what is) <item_kind> {nr} <at> {repo} [about]",
        ],
      },
      plan: step('github.get_issue', { item: '{repo}', number: '{nr}' }),
    },
    {
      says: { en: ['<read> [<item_kind>] {item}', "(what's|what is) [in|<item_kind>] {item} [about]"] },
      plan: step('github.get_issue', { item: '{item}' }),
    },
    {
      says: {
        en: [
          '(search|find|look) [for] [the|all] [open] <items> (about|with|on|for) {what} <at> {repo}',
          'search {repo} for {what}',
          'find {what} in {repo}',
        ],
      },
      plan: step('github.search', { words: '{what}', repo: '{repo}' }),
    },
    {
      says: {
        en: [
          'search GitHub for {what}',
          '(find|look for) {what} on GitHub',
          '(search|find|look) [for] [my|the|all] [open] <items> (about|with) {what}',
        ],
      },
      plan: step('github.search', { words: '{what}' }),
    },
    {
      says: {
        en: [
          '(is|are) <ci> [still] <green> <at> [the] [branch] {branch} <at> {repo}',
          'did <ci> (pass|fail|succeed|finish) <at> [the] [branch] {branch} <at> {repo}',
        ],
      },
      plan: step('github.ci_state', { on: '{repo}', branch: '{branch}' }),
    },
    {
      says: {
        en: [
          '(is|are) <ci> [still] <green> <at> {repo}',
          'did <ci> (pass|fail|succeed|finish) <at> {repo}',
          "(how is|how's|what is|what's) <ci> [doing|status|state] <at> {repo}",
          "[what is|what's] [the] [CI|build] (status|state) <at> {repo}",
          '<ci> <at> {repo}',
          'is {repo} <green>',
        ],
      },
      plan: step('github.ci_state', { on: '{repo}' }),
    },
    {
      says: {
        en: [
          '(is|are) <ci> [still] <green> <at> [the] [<item_kind>] {item}',
          'did <ci> (pass|fail|succeed|finish) <at> [the] [<item_kind>] {item}',
          '<ci> <at> {item}',
          'is {item} <green>',
        ],
      },
      plan: step('github.ci_state', { on: '{item}' }),
    },
    {
      says: {
        en: [
          'is {repo} (public|private|internal|open source)',
          '(who can read|who can see|tell me about|describe) {repo}',
          'how many [open] issues (are|are open|are there) <at> {repo}',
        ],
      },
      plan: step('github.get_repo', { repo: '{repo}' }),
    },
    {
      says: {
        en: ['(open|create|file|raise|make|add|write|report) <new_issue> <at> {repo} [<that>] {topic}'],
      },
      plan: step('github.create_issue', { repo: '{repo}', title: '{topic}' }),
    },
    {
      says: {
        en: [
          '(comment|reply|answer) (on|to) [<item_kind>] {item} [<that>] {topic}',
          '(add|post|write|leave) a comment (on|to) [<item_kind>] {item} [<that>] {topic}',
        ],
      },
      plan: step('github.comment', { item: '{item}', body: '{topic}' }),
    },
    {
      says: {
        en: [
          '(comment|reply|answer) (on|to) <item_kind> {nr} <at> {repo} [<that>] {topic}',
          '(add|post|write|leave) a comment (on|to) <item_kind> {nr} <at> {repo} [<that>] {topic}',
        ],
      },
      plan: step('github.comment', { item: '{repo}', number: '{nr}', body: '{topic}' }),
    },
  ],
}
