/**
 * How many messages a job may send in a day (DESIGN §9): shown on its card and part of what is approved, a notice at 80 %, and one message when it is spent,
 * after which it waits for its owner.
 */
import { describe, expect, it } from 'vitest'
import { at, first, type Mail, mail, next, outcomes, set, told, world } from './job-world.ts'
import type { World } from './world.ts'

const DAY = 86_400_000

/** A mailbox to which one mail comes before each look, while it floods. */
function flooded() {
  const box = { emails: [] as Mail[], nth: 0, floods: true }
  const list = () => {
    if (box.floods) {
      box.nth += 1
      box.emails = [mail(`m${box.nth}`), ...box.emails].slice(0, 25)
    }
    return { ok: true, output: { emails: box.emails, more: false } } as const
  }
  return { box, of: world({ tools: { 'email.list': list } }) }
}

/** Its times until that moment. */
async function until(of: World, end: number): Promise<void> {
  for (let due = first(of).due; due !== null && due <= end; due = first(of).due) await next(of)
}

const midnight = (of: World): number => Math.ceil(of.clock.now / DAY) * DAY - 3_600_000
const notices = ({ sent }: World): readonly string[] =>
  sent.filter(({ id }) => id.startsWith('job:')).map(({ text }) => text)

describe('a flood of news', () => {
  it('is told of until the day’s messages are spent, with a notice before, and then once that it is stopped', async () => {
    const { of, box } = flooded()
    await of.say('check my mail every 15 minutes')
    await of.shell.tick()
    expect(of.sent.map(({ text }) => text).join('\n')).toContain('at most 48 messages a day')
    of.clock.now += 1_000
    await of.say('yes')
    // From the first minute of a day on.
    const day = midnight(of)
    box.floods = false
    await until(of, day - 1)
    box.floods = true
    const before = told(of).length
    await until(of, day + DAY - 1)
    const texts = told(of).slice(before)
    expect(texts).toHaveLength(48)
    expect(texts.flatMap((text, nth) => (text.includes('This is message') ? [nth + 1] : []))).toEqual([39])
    expect(texts[38]).toMatch(/^Email check\n+This is message 39 of the 48 that it may send today/)
    expect(notices(of)).toEqual([
      expect.stringMatching(/^I stopped job 1 \(Email check\): it has sent 48 messages today.*\/resumejob 1/),
    ])
    expect(first(of)).toMatchObject({ state: 'paused', why: 'budget', due: null })
    await at(of, day + 2 * DAY)
    expect([told(of).length - before, notices(of).length]).toEqual([48, 1])
    await of.say('what runs when?')
    expect(of.heard()).toMatch(/Stopped, as it had used up what it may send or use in a day; \/resumejob 1/)
  })

  it('what came meanwhile is told once it goes on, with as many messages again', async () => {
    const { of } = flooded()
    await set(of, 'check my mail every 15 minutes')
    await until(of, of.clock.now + DAY)
    const before = told(of).length
    expect(first(of).why).toBe('budget')
    of.clock.now += 60_000
    await of.say('resume the email check')
    await next(of)
    expect(told(of)).toHaveLength(before + 1)
    await until(of, midnight(of) - 1)
    expect(told(of).length).toBeGreaterThan(before + 1)
    expect(notices(of)).toHaveLength(1)
  })

  it('a day with fewer stops nothing, as each day counts for itself', async () => {
    const { of } = flooded()
    await set(of, 'check my mail every hour')
    await until(of, of.clock.now + 2 * DAY)
    expect(first(of).state).toBe('on')
    expect(told(of)).toHaveLength(2 * 24)
    expect(told(of).join('\n')).not.toContain('This is message')
  })
})

it('a job that tells something at each of the times it was asked for is never stopped for that', async () => {
  const of = world({
    tools: { 'email.list': () => ({ ok: true, output: { emails: [mail('m1')], more: false } }) },
  })
  await set(of, 'every 15 minutes tell me my unread mail')
  expect(first(of).budget).toEqual({ messages: 96, since: 0 })
  await until(of, of.clock.now + DAY)
  expect(outcomes(of)).toHaveLength(96)
  expect(new Set(outcomes(of))).toEqual(new Set(['told']))
})

describe('what was approved', () => {
  it('has the number in it: a row with a greater one runs nothing', async () => {
    const { of } = flooded()
    await set(of, 'check my mail every 15 minutes')
    of.disk.store.saveJob({ ...first(of), budget: { messages: 90, since: 0 } })
    await next(of)
    expect([told(of), outcomes(of)]).toEqual([[], ['failed']])
  })

  it('before there was such a number runs on as it was approved', async () => {
    const { of } = flooded()
    await set(of, 'check my mail every 15 minutes')
    const { jobDigest } = await import('../../kernel/features/jobs/frozen.ts')
    const old = { ...first(of), budget: null }
    of.disk.store.saveJob({ ...old, digest: jobDigest(old) })
    await until(of, midnight(of) + DAY)
    expect(first(of).state).toBe('on')
  })
})
