/** A notice that mail may have come: the email check comes sooner, once a minute at the most, tells nothing twice, and nothing waits for notices without it. */
import { describe, expect, it } from 'vitest'
import { hasten, isAwaited } from '../../kernel/features/jobs/sooner.ts'
import { at, first, type Mail, mail, outcomes, set, told, world } from './job-world.ts'

const MINUTE = 60_000

function mailbox() {
  const box = { emails: [] as Mail[] }
  return {
    box,
    tools: { 'email.list': () => ({ ok: true as const, output: { emails: box.emails, more: false } }) },
  }
}

describe('a notice', () => {
  it('makes the job due at once, which tells what has come, and its times stay', async () => {
    const { box, tools } = mailbox()
    const of = world({ tools })
    await set(of, 'check my mail every 15 minutes')
    const usual = first(of).due
    box.emails = [mail('m1')]
    of.clock.now += MINUTE
    expect(hasten(of.powers, 'mail')).toBe(true)
    await at(of, of.clock.now)
    expect(told(of)).toEqual([expect.stringContaining('Subject m1')])
    expect(first(of).due).toBe(usual)
    await at(of, Number(usual))
    expect(outcomes(of)).toEqual(['told', 'quiet'])
  })

  it('a hundred a second are one run a minute', async () => {
    const { tools } = mailbox()
    const of = world({ tools })
    await set(of, 'check my mail every 60 minutes')
    const began = of.clock.now
    for (let second = 0; second < 300; second += 5) {
      for (let nth = 0; nth < 500; nth += 1) hasten(of.powers, 'mail')
      await at(of, began + second * 1_000)
    }
    expect(outcomes(of)).toHaveLength(5)
    expect(new Set(outcomes(of))).toEqual(new Set(['quiet']))
  })

  it('is for nobody where no such job is on', async () => {
    const { tools } = mailbox()
    const of = world({ tools })
    expect(isAwaited(of.powers, 'mail')).toBe(false)
    expect(hasten(of.powers, 'mail')).toBe(false)
    await set(of, 'check my mail every 15 minutes')
    expect(isAwaited(of.powers, 'mail')).toBe(true)
    await of.say('stop the email check')
    expect(isAwaited(of.powers, 'mail')).toBe(false)
    const due = first(of).due
    expect(hasten(of.powers, 'mail')).toBe(false)
    expect(first(of).due).toBe(due)
  })

  it('moves no other job, and no day that is left out', async () => {
    const { tools } = mailbox()
    const of = world({
      tools: { ...tools, 'calendar.list_events': () => ({ ok: true, output: { events: [], more: false } }) },
    })
    await set(of, 'start the evening review')
    const due = first(of).due
    expect(hasten(of.powers, 'mail')).toBe(false)
    expect(first(of).due).toBe(due)
    await set(of, 'check my mail every 15 minutes')
    const check = of.disk.store.jobs().find(({ template }) => template === 'owner_email_check')
    if (check === undefined) throw new Error('no job')
    of.disk.store.saveJob({ ...check, skips: '2026-11-20' })
    expect(hasten(of.powers, 'mail')).toBe(false)
  })
})
