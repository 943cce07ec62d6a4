/**
 * A shipped job whose file has another plan by now (G-09): one that was approved before goes on with the plan of its yes, its owner is told once, and takes
 * the newer form by a card or leaves it; one that is set from now on has it. What needs an answer is told in the morning and with new mail.
 */
import { describe, expect, it } from 'vitest'
import { jobDigest } from '../../kernel/features/jobs/frozen.ts'
import { reachOf } from '../../kernel/features/jobs/reach.ts'
import { first, mail, next, set, told, world } from './job-world.ts'
import { message, type World } from './world.ts'

const asks = (id: string) => ({ ...mail(id), asks: true, sentence: 'Can you send me the plan?' })
const TOOLS = {
  'calendar.list_events': () => ({ ok: true as const, output: { events: [], more: false } }),
  'email.list': () => ({ ok: true as const, output: { emails: [mail('m1'), mail('m2')], more: false } }),
  'email.digest': () => ({ ok: true as const, output: { emails: [asks('m1')], unread: 2, more: false } }),
}
const used = (of: World): readonly string[] => of.calls.map(({ tool }) => tool)
const reads = (of: World): string => JSON.stringify(first(of).frozen.plan.steps)
const news = (of: World) => of.sent.filter(({ text }) => text.includes('newer form, which tells'))

/** As it was set before its file had the last step. */
async function earlier(said: string): Promise<World> {
  const of = world({ tools: TOOLS as never })
  await set(of, said)
  const job = first(of)
  const { plan } = job.frozen
  const steps = plan.steps
    .filter((step) => !('tool' in step) || step.tool !== 'email.digest')
    .map((step, at) => ({ ...step, id: `s${at + 1}` }))
  const frozen = { ...job.frozen, plan: { ...plan, steps } }
  const former = { ...job, frozen, reach: reachOf(of.powers.registry, frozen.plan) }
  of.disk.store.saveJob({ ...former, digest: jobDigest(former) })
  return of
}

async function yes(of: World): Promise<void> {
  await of.shell.tick()
  of.clock.now += 1_000
  await of.say('yes')
}

describe('set from now on', () => {
  it('the morning briefing tells what needs an answer, and nothing of it where nothing does', async () => {
    let marked = [asks('m1')]
    const digest = () => ({ ok: true as const, output: { emails: marked, unread: 2, more: false } })
    const of = world({ tools: { ...TOOLS, 'email.digest': digest } as never })
    await of.say('start the morning briefing')
    await of.shell.tick()
    expect(of.heard()).toContain('what of it needs an answer')
    of.clock.now += 1_000
    await of.say('yes')
    await next(of)
    expect(told(of).at(-1)).toMatch(
      /1 of your 2 unread mails asks something of you[\s\S]*Can you send me the plan\?/,
    )
    marked = []
    await next(of)
    expect(told(of).at(-1)).toContain('Subject m2')
    expect(told(of).at(-1)).not.toContain('asks')
    expect(news(of)).toEqual([])
  })

  it('the email check tells it of new mail alone, without a number that counts told mail', async () => {
    let ids = ['m1']
    const list = () => ({ ok: true as const, output: { emails: ids.map((id) => mail(id)), more: false } })
    const digest = () => ({
      ok: true as const,
      output: { emails: ids.map(asks), unread: ids.length, more: false },
    })
    const of = world({ tools: { 'email.list': list, 'email.digest': digest } as never })
    await set(of, 'start the email check')
    await next(of)
    ids = ['m1', 'm2']
    await next(of)
    const text = told(of).at(-1) ?? ''
    expect(text).toContain('Needs your answer')
    expect(text).toContain('Subject m2')
    expect(text).not.toContain('Subject m1')
    const many = told(of).length
    await next(of)
    expect(told(of)).toHaveLength(many)
  })
})

describe('set before', () => {
  it('runs as it was approved, and its owner is told once how the newer form is taken', async () => {
    const of = await earlier('start the morning briefing')
    const { digest } = first(of)
    await next(of)
    await next(of)
    expect(used(of)).not.toContain('email.digest')
    expect(first(of)).toMatchObject({ digest, state: 'on' })
    expect(news(of)).toHaveLength(1)
    expect(news(of)[0]?.text).toContain('say: update the Morning briefing')
    expect(of.disk.store.pendingApprovals(null)).toEqual([])
  })

  it.each([
    'update the morning briefing',
    'Update my Morning briefing, please',
    'aktualisiere das Morgenbriefing',
    '/jobupdate 1',
  ])('"%s" asks by a card; a yes has it tell more, an undo brings the former back', async (said) => {
    const of = await earlier('start the morning briefing')
    const former = reads(of)
    await of.say(said)
    await of.shell.tick()
    expect(of.heard()).toContain('Take the newer form')
    expect(reads(of)).toBe(former)
    of.clock.now += 1_000
    await of.say('yes')
    expect(reads(of)).toContain('email.digest')
    expect(jobDigest(first(of))).toBe(first(of).digest)
    await of.say('/undo')
    expect(reads(of)).toBe(former)
    expect(jobDigest(first(of))).toBe(first(of).digest)
    const rows = of.audited.filter(({ facts }) => facts['operation'] === 'jobs.update')
    expect(rows.at(-1)?.facts).toMatchObject({ undo: 'jobs.former', undo_number: 1 })
    expect(String(rows.at(-1)?.facts['before_reads'])).not.toContain('email.digest')
    expect(String(rows.at(-1)?.facts['after_reads'])).toContain('email.digest')
  })

  it('a newer form that was taken is what runs, and is told of no more', async () => {
    const of = await earlier('start the email check')
    await of.say('take the newer form of the email check')
    await yes(of)
    await next(of)
    expect(used(of)).toContain('email.digest')
    expect(news(of)).toEqual([])
  })

  it('a no leaves it, and what was changed since the card is refused', async () => {
    const of = await earlier('start the morning briefing')
    await of.say('update the morning briefing')
    await of.shell.tick()
    await of.say('no')
    expect(reads(of)).not.toContain('email.digest')
    await of.say('update the morning briefing')
    const job = first(of)
    const loud = { ...job, quiet: false }
    of.disk.store.saveJob({ ...loud, digest: jobDigest(loud) })
    await yes(of)
    expect(reads(of)).not.toContain('email.digest')
  })

  it('one in its newest form says so, and asks nothing', async () => {
    const of = world({ tools: TOOLS as never })
    await set(of, 'start the morning briefing')
    await of.say('update the morning briefing')
    expect(of.heard()).toContain('newest form already')
    expect(of.disk.store.pendingApprovals(null)).toEqual([])
  })

  it.each(['update the dentist appointment to five', 'update my calendar', 'update the shopping list'])(
    '"%s" is of no job',
    async (said) => {
      const of = await earlier('start the morning briefing')
      await of.say(said)
      await of.shell.tick()
      expect(
        of.disk.store.pendingApprovals(null).filter(({ approval }) => approval.change?.do === 'job'),
      ).toEqual([])
    },
  )

  it('nobody else takes it', async () => {
    const of = await earlier('start the morning briefing')
    const source = { adapter: 'telegram', user: 'bob', chat: 'bob', group: false }
    const received = await of.shell.receive({
      ...message('update the morning briefing', { id: 's' }),
      source,
    })
    if (received.ok) await of.shell.run(received.value.principal)
    expect(of.disk.store.pendingApprovals(null)).toEqual([])
  })
})
