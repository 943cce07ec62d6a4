/** What is said of a job that is not there: that there is none by that name, and what runs; and what may be of an event is left to what reads events. */
import { describe, expect, it } from 'vitest'
import { first, mail, set, world } from './job-world.ts'
import type { World } from './world.ts'

const withMail = (): World =>
  world({
    tools: {
      'email.list': () => ({ ok: true, output: { emails: [mail('m1')], more: false } }),
      'slack.list_unanswered': () => ({ ok: true, output: { waiting: [], more: false, partial: false } }),
    },
  })

describe('of a job that is not there', () => {
  it.each([
    ['stop the briefing', 'briefing'],
    ['stop the morning briefing', 'morning briefing'],
    ['pause my daily digest', 'daily digest'],
    ['turn off the slack check', 'slack check'],
    ['turn the evening review off', 'evening review'],
    ['stop checking my mail', 'mail'],
    ['stoppe das Briefing', 'Briefing'],
    ['schalte den Mail-Check aus', 'Mail-Check'],
    ['why did the morning briefing not come?', 'morning briefing'],
    ["why didn't the surf forecast come today?", 'surf forecast'],
  ])('%s: that there is none', async (said, name) => {
    const of = withMail()
    await of.say(said)
    expect(of.heard()).toBe(`There is no job called ${name}. Nothing runs by itself; /jobs shows what could.`)
  })

  it('what runs is named beside it, and stays as it is', async () => {
    const of = withMail()
    await set(of, 'start the email check')
    await of.say('stop the briefing')
    expect(of.heard()).toMatch(
      /^There is no job called briefing\. What there is:\n1\. Email check: every 15 minutes, the terminal\./,
    )
    expect(first(of).state).toBe('on')
  })

  it('words of the owner’s in another job are not shown', async () => {
    const of = withMail()
    await set(of, 'every day at 9 tell me what mail is unread')
    await of.say('stop the briefing')
    expect(of.heard()).toMatch(/What there is:\n1\. What you asked for: every day at 09:00/)
  })
})

describe('of one that is there', () => {
  it.each([
    ['why did the slack check not come?', /It has not run yet/],
    ['remove the slack check', /^Removed: 1\. Slack check/],
    ['stop slack check', /^Stopped: 1\. Slack check/],
    ['cancel the slack check job', /^Stopped: 1\. Slack check/],
  ])('%s', async (said, says) => {
    const of = withMail()
    await set(of, 'start the slack check')
    await of.say(said)
    expect(of.heard()).toMatch(says)
  })
})

describe('what may be of an event', () => {
  it.each(['cancel the weekly review', 'delete the daily summary'])(
    'is left to what reads events, with another job as without: %s',
    async (said) => {
      const of = withMail()
      await of.say(said)
      const without = of.heard()
      await set(of, 'start the email check')
      await of.say(said)
      expect(of.heard()).toBe(without)
      expect(without).not.toMatch(/no such job|no job called/)
      expect(first(of).state).toBe('on')
    },
  )
})
