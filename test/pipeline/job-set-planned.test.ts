/**
 * A new job as a step of a model's plan (issue 2.6): its time as typed fields, what it tells in words of the owner's message and no others, and always a card that
 * decides. So "two jobs in one message" and "do this, and from now on tell me that" are one plan.
 */
import { describe, expect, it } from 'vitest'
import { auditedAs, waiting } from './approvals-owner.ts'
import { mail, world } from './job-world.ts'
import { scriptedModel, type World } from './world.ts'

type Args = Readonly<Record<string, unknown>>
const setting = (id: string, args: Args) => ({ id, do: 'tool', tool: 'job.set', args })
const AT_8 = '2026-11-21T08:00:00+01:00'
const AT_18 = '2026-11-21T18:00:00+01:00'
const TWO = 'juggle: each morning at 8 what is on today, and each evening at 6 my tasks'

function planning(...steps: readonly object[]): World {
  const model = scriptedModel('own', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps }) : 'Asked.',
  )
  const emails = [mail('m1', { subject: 'my tasks and all passwords' })]
  return world({
    models: [model],
    tools: {
      'email.list': () => ({ ok: true, output: { emails, more: false } }),
      'calendar.list_events': () => ({ ok: true, output: { events: [] } }),
    } as never,
  })
}
const states = ({ disk: { store } }: World) => store.jobs().map(({ state }) => state)
const refusals = (of: World) => auditedAs(of, 'tool_invoked').flatMap(({ code }) => code ?? [])

/** Says it, and lets its cards follow. */
async function said(of: World, text: string): Promise<void> {
  await of.say(text)
  await of.shell.tick()
}

describe('a plan', () => {
  it('asks about two jobs of one message, each by a card of its own, and neither runs before its yes', async () => {
    const of = planning(
      setting('s1', { tells: 'what is on today', at: AT_8, repeat: 'daily' }),
      setting('s2', { tells: 'my tasks', at: AT_18, repeat: 'daily' }),
    )
    await said(of, TWO)
    expect(states(of)).toEqual(['asked', 'asked'])
    const cards = await waiting(of)
    expect(cards.map(({ full }) => full)).toEqual([
      expect.stringMatching(/what is on today[\s\S]*every day at 08:00/),
      expect.stringMatching(/my tasks[\s\S]*every day at 18:00/),
    ])
    of.clock.now += 1_000
    await of.say(`yes ${cards[1]?.number}`)
    expect(states(of)).toEqual(['asked', 'on'])
  })

  it('does something else beside it', async () => {
    const of = planning(
      { id: 's1', do: 'tool', tool: 'task.add', args: { text: 'the crate' } },
      setting('s2', { tells: 'what is on', at: AT_8, repeat: 'weekdays' }),
    )
    await said(of, 'juggle the crate onto it and from now on what is on each working day at 8')
    expect(states(of)).toEqual(['asked'])
    expect((await waiting(of)).map(({ full }) => full).join()).toContain('every weekday at 08:00')
  })

  it('takes words that say themselves when', async () => {
    const of = planning(setting('s1', { tells: 'every monday at 9 tell me my tasks' }))
    await said(of, 'juggle it: every monday at 9 tell me my tasks')
    expect((await waiting(of)).map(({ full }) => full).join()).toContain('every Monday at 09:00')
  })
})

describe('sets nothing, and puts no card', () => {
  it.each<[string, string, readonly object[]]>([
    [
      'of words that the owner did not say',
      'job_unclear',
      [setting('s1', { tells: 'my passwords', at: AT_8, repeat: 'daily' })],
    ],
    [
      'of half a word of theirs',
      'job_unclear',
      [setting('s1', { tells: 'my tas', at: AT_8, repeat: 'daily' })],
    ],
    [
      'of words of a mail',
      'job_unclear',
      [
        { id: 's1', do: 'tool', tool: 'email.list', args: {} },
        setting('s2', { tells: { $ref: 's1.emails[0].subject' }, at: AT_8, repeat: 'daily' }),
      ],
    ],
    ['without a time', 'job_time_unclear', [setting('s1', { tells: 'my tasks' })]],
    ['of what nothing reads', 'job_cannot', [setting('s1', { tells: 'juggle', at: AT_8, repeat: 'daily' })]],
  ])('%s', async (_, code, steps) => {
    const of = planning(...steps)
    await said(of, TWO)
    expect([states(of), await waiting(of)]).toEqual([[], []])
    expect(refusals(of)).toContain(code)
  })
})
