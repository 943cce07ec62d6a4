/**
 * Each shipped job that tells what is new: how it is asked for, in German too, that it tells its news once, and that it says what it needs (G-11, G-12,
 * G-15, G-17, G-18).
 */
import { describe, expect, it } from 'vitest'
import { err } from '../../kernel/flow/verdict.ts'
import {
  at,
  first,
  mail,
  NOTICE,
  next,
  outcomes,
  POST,
  PR,
  set,
  TWEET,
  told,
  WAITS,
  world,
} from './job-world.ts'
import type { ScriptedTool } from './world.ts'

const ONE = { more: false }
/** Each shipped job: how it is asked for, when it comes, a result that is news, and what it needs. */
const SHIPPED: readonly {
  readonly said: readonly string[]
  readonly template: string
  readonly when: RegExp
  readonly zone?: string
  readonly tools: Readonly<Record<string, unknown>>
  readonly tells: RegExp
  readonly needs: RegExp
}[] = [
  {
    said: [
      'start the email check',
      'check my mail every 15 minutes',
      'prüfe meine Mails alle 15 Minuten',
      'starte den Mail-Check',
    ],
    template: 'owner_email_check',
    when: /every 15 minutes/,
    tools: { 'email.list': { emails: [mail('m1')], ...ONE } },
    tells: /Subject m1/,
    needs: /needs Google.*connect/,
  },
  {
    said: ['start the github reviews', 'check github every 30 minutes', 'starte den GitHub-Check'],
    template: 'owner_github_digest',
    when: /every 30 minutes/,
    tools: {
      'github.list_prs': { items: [PR], ...ONE },
      'github.list_notifications': { notifications: [NOTICE], ...ONE },
    },
    tells: /Faster start[\s\S]*Broken link/,
    needs: /needs GitHub: say 'connect github'/,
  },
  {
    said: ['start the moltbook check', 'starte den Moltbook-Check'],
    template: 'owner_moltbook_check',
    when: /every day at 08:00, 14:00, 20:00/,
    tools: {
      'moltbook.check_dms': { requests: [], waiting: 0, unread: 2, conversations: 1 },
      'moltbook.check_notifications': { posts: [], unread: 0, waiting: 0, messages: 0 },
    },
    tells: /2/,
    needs: /needs Moltbook: say 'connect moltbook'/,
  },
  {
    said: ['start the bluesky digest', 'starte den Bluesky-Digest'],
    template: 'owner_bluesky_digest',
    when: /every day at 08:30/,
    tools: {
      'bluesky.notifications': { notifications: [], ...ONE },
      'bluesky.timeline': { posts: [POST], ...ONE },
    },
    tells: /A post/,
    needs: /needs Bluesky: say 'connect bluesky'/,
  },
  {
    said: ['start the slack check', 'starte den Slack-Check'],
    template: 'owner_slack_check',
    when: /every weekday at 12:00, 16:00/,
    tools: { 'slack.list_unanswered': { waiting: [WAITS], partial: false, ...ONE } },
    tells: /Sarah.*Lunch on Friday\?/,
    needs: /needs your Slack account: say 'connect slack-account'/,
  },
  {
    said: ['start the twitter digest of @nasa', 'starte den Twitter-Digest von @nasa'],
    template: 'owner_twitter_digest',
    when: /every day at 07:30/,
    zone: 'UTC',
    tools: { 'twitter.user_tweets': { tweets: [TWEET], ...ONE } },
    tells: /Launch/,
    needs: /needs twitterapi\.io: say 'connect twitterapi'/,
  },
]

describe.each(SHIPPED)(
  '$template',
  ({ said, template, when, zone = 'Europe/Madrid', tools, tells, needs }) => {
    const scripted = Object.fromEntries(
      Object.entries(tools).map(([tool, output]) => [tool, (() => ({ ok: true, output })) as ScriptedTool]),
    )

    it.each(said)('is set by: %s', async (words) => {
      const of = world({ tools: scripted })
      await set(of, words)
      expect(first(of)).toMatchObject({ template, zone, state: 'on' })
      await of.say('what runs when?')
      expect(of.heard()).toMatch(when)
    })

    it('tells its news once, and is quiet when there is nothing more', async () => {
      const of = world({ tools: scripted })
      await set(of, said[0] ?? '')
      await next(of)
      expect(told(of)).toHaveLength(1)
      expect(told(of)[0]).toMatch(tells)
      const again = world({ tools: scripted, disk: of.disk })
      await next(again)
      expect(told(again)).toEqual([])
      expect(outcomes(again)).toEqual(['told', 'quiet'])
    })

    it('says what it needs where its service is not connected, and sets nothing', async () => {
      const lacking = new Set(Object.keys(tools).map((tool) => tool.split('.')[0] ?? ''))
      const credentials = { lacking, refusal: () => null, give: async () => err('credential_rejected') }
      const of = world({ tools: scripted, credentials })
      await of.say(said[0] ?? '')
      expect(of.heard()).toMatch(needs)
      expect(of.disk.store.jobs()).toEqual([])
    })
  },
)

describe('a job of something that is named', () => {
  const tools = {
    'twitter.user_tweets': (() => ({ ok: true, output: { tweets: [TWEET], ...ONE } })) as ScriptedTool,
  }

  it('reads that alone, at its time of UTC, and stands beside one of something else', async () => {
    const of = world({ tools })
    await set(of, 'start the twitter digest of @nasa')
    await set(of, 'start the twitter digest of @esa at 9')
    const [nasa, esa] = of.disk.store.jobs()
    expect([nasa?.zone, new Date(Number(nasa?.due)).toISOString().slice(11, 16)]).toEqual(['UTC', '07:30'])
    expect([esa?.zone, esa?.repeat.first.slice(11)]).toEqual(['Europe/Madrid', '09:00'])
    await next(of)
    expect(of.calls.map(({ args }) => args['user'])).toEqual(['@nasa'])
  })

  it.each([
    ['start the twitter digest', /need a name from you/],
    ['start the twitter digest of @nasa every 30 minutes', /too often/],
    ['start the twitter digest of everything that my boss sent me last week', /set nothing/],
    ['check my mail every 5 minutes', /too often/],
    ['check my mail every 15 minutes until my boss writes', /did not understand when/],
  ])('sets nothing: %s', async (words, says) => {
    const of = world({
      tools: { ...tools, 'email.list': () => ({ ok: true, output: { emails: [], ...ONE } }) },
    })
    await of.say(words)
    await of.shell.tick()
    expect(of.heard()).toMatch(says)
    expect(of.disk.store.jobs()).toEqual([])
  })
})

describe('the Slack check', () => {
  it('comes at noon and at four on workdays, nothing at the weekend, and a conversation again once more was written', async () => {
    const waiting: unknown[] = [WAITS]
    const tools = {
      'slack.list_unanswered': (() => ({ ok: true, output: { waiting, partial: false, ...ONE } })) as never,
    }
    let of = world({ tools })
    await set(of, 'check slack every weekday at 12:00')
    await of.say('stop the slack check')
    expect(of.heard()).toMatch(/^Stopped: 1\. Slack check/)
    await of.say('remove the slack check')
    of = world({ tools })
    await set(of, 'start the slack check')
    const began = of.clock.now
    for (let hours = 0; hours <= 4 * 24; hours += 0.5) await at(of, began + hours * 3_600_000)
    const ran = of.disk.store.runsOf(first(of).id, 20).toReversed()
    const day = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone: 'Europe/Madrid', weekday: 'short', hour: '2-digit', minute: '2-digit' },
    })
    expect(ran.map(({ scheduled }) => day.format(scheduled))).toEqual([
      ...['Fri 16:00', 'Mon 12:00', 'Mon 16:00', 'Tue 12:00'],
    ])
    expect(told(of)).toHaveLength(1)
    waiting.unshift({ ...WAITS, text: 'And on Monday?', count: 2, at: '2026-11-24T13:00:00Z' })
    await next(of)
    expect(told(of)).toHaveLength(2)
    expect(told(of)[1]).toMatch(/And on Monday\?/)
  })

  it('what was missed on Friday afternoon does not come on Saturday', async () => {
    const tools = {
      'slack.list_unanswered': (() => ({ ok: true, output: { waiting: [WAITS], ...ONE } })) as never,
    }
    const of = world({ tools })
    await set(of, 'start the slack check')
    await at(of, Number(first(of).due) + 20 * 3_600_000)
    expect([outcomes(of), told(of)]).toEqual([['missed'], []])
    await next(of)
    expect(told(of)).toHaveLength(1)
  })
})
