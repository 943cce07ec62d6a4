/**
 * Looks at GitHub, Slack, Fireflies, Notion and feeds in words that no sentence has, planned by what stands in the message as such: a repository, a channel, an
 * address. Where there are none or two of them, where it is no look, or where more is asked, nothing is planned by it.
 */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { createZone } from '../../integrations/dates/zone.ts'
import { formOf } from '../../integrations/models/rules/parts/forms.ts'
import { plainOf } from '../../integrations/models/rules/parts/plain.ts'

const callsOf = (text: string) => readingOf(text).calls
const MOMENT = { now: Date.parse('2026-11-22T10:30:00Z'), zone: createZone('Europe/Berlin') }

describe('a look is planned by what stands in it as such', () => {
  it.each<[text: string, tool: string, args: object]>([
    ['welche PRs sind in acme/hafen-api offen', 'github.list_prs', { repo: 'acme/hafen-api', whose: 'all' }],
    [
      'are any pull requests still hanging around in acme/site these days',
      'github.list_prs',
      { repo: 'acme/site', whose: 'all' },
    ],
    ['did the pipeline of acme/site go through last night', 'github.ci_state', { on: 'acme/site' }],
    ['was gabs heute im channel #vertrieb', 'slack.read_channel', { channel: '#vertrieb' }],
    ['what did i miss on slack', 'slack.list_unanswered', {}],
    ['who on slack still waits to hear back from me', 'slack.list_unanswered', {}],
    ['wem schulde ich auf slack noch was', 'slack.list_unanswered', {}],
    ['what did Tomasz say on slack about the release date', 'slack.search', { words: 'release date' }],
    ['welche meetings hat fireflies zuletzt aufgezeichnet', 'fireflies.list', {}],
    ['which calls did fireflies record this week', 'fireflies.list', {}],
    ['what was said in the last call fireflies recorded', 'fireflies.get_transcript', {}],
    [
      'was gibts neues im feed https://www.example.org/rss/news.xml',
      'web.feed',
      { address: 'https://www.example.org/rss/news.xml', only: 'new', count: 40 },
    ],
    ['zeig das deploy runbook aus notion', 'notion.read_page', { page: 'deploy runbook' }],
    ['do we have anything about parking permits in notion', 'notion.search', { words: 'parking permits' }],
  ])('%s', (text, tool, args) => {
    expect(callsOf(text).map((call) => [call.tool, call.args])).toEqual([[tool, args]])
  })
})

describe('nothing is planned', () => {
  it.each([
    ['of two repositories', 'welche PRs sind in acme/site und acme/app noch offen'],
    ['of a repository without its owner', 'welche PRs im backend sind noch offen'],
    ['of what only looks like one', 'pull requests 24/7, wer macht sowas'],
    ['of a feed by its name alone', 'anything new on the petapixel feed'],
    ['where another request is joined', 'slack catchup plus open bugs in web, go'],
    ['again and again', 'every morning tell me what i missed on slack'],
    ['that is forbidden', 'dont check slack for unanswered messages'],
    ['on a condition', 'if acme/site has open PRs tell me'],
    ['that writes there', 'write in #sales that i am late'],
    ['that writes there, in German', 'schreib in #vertrieb dass ich später komme'],
  ])('%s', (_, text) => expect(callsOf(text)).toEqual([]))
})

describe('a place of its own', () => {
  const said = (label: string, text: string) => {
    const form = formOf(label)
    return form === null ? undefined : plainOf(form, [], { text, language: 'en', moment: MOMENT })?.requests
  }

  it.each<[label: string, text: string, said: readonly string[] | undefined]>([
    ['github.ci_state', 'the state of acme/site#12?', ['is the build green on acme/site#12']],
    ['github.ci_state', 'acme/site and acme/app', undefined],
    ['github.list_prs', 'and/or of acme/site', undefined],
    ['github.list_prs', 'acme/site, acme/site!', ['show the open PRs in acme/site']],
    ['github.list_prs', 'see https://example.org/acme/site', undefined],
    ['slack.read_channel', 'in #general.', ['read the Slack channel #general']],
    ['slack.read_channel', 'in #general and #random', undefined],
    ['slack.read_channel', 'what did they miss', undefined],
    ['slack.read_channel', 'what did I miss on slack', ['show my unanswered Slack messages']],
    ['web.feed', 'new at blog.example.org/a.xml.', ["what's new on blog.example.org/a.xml"]],
    ['web.feed', 'new at v2.0 of it', ["what's new on v2.0"]],
  ])('%s: %s', (label, text, expected) => expect(said(label, text)).toEqual(expected))
})
