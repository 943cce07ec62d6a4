/**
 * Reminders and the list in a model's plan: what is set can be listed, changed and cancelled, by the owner's own words without a card, and
 * a later request may refer to it (DESIGN §9).
 */
import { describe, expect, it } from 'vitest'
import { listOpen } from '../../kernel/features/reminders/listed.ts'
import { kernelWords, receive } from '../../kernel/flow/provenance.ts'
import { answer, onlyOne, waiting, worldWith } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { FRIDAY_NOON, scriptedModel, type World, type WorldOptions } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Steps = readonly Record<string, unknown>[]
type Plan = Steps | { readonly steps: Steps; readonly again: true }

const call = (id: string, tool: string, args: Record<string, unknown>) => ({ id, do: 'tool', tool, args })
const ref = ($ref: string) => ({ $ref })

/** A world whose model plans what `plan` puts there next. */
function planned(options: WorldOptions = {}) {
  const plans: Plan[] = []
  const model = scriptedModel('a-model', ({ parts }) => {
    const next = parts.purpose === 'plan' ? (plans.shift() ?? []) : []
    return parts.purpose === 'plan'
      ? JSON.stringify('steps' in next ? next : { steps: next })
      : 'That is done.'
  })
  const here = worldWith({ models: [model], tools: { ...mailTools(), ...calendarTools() }, ...options })
  return {
    ...here,
    async does(said: string, ...next: readonly Plan[]): Promise<string> {
      plans.splice(0, plans.length, ...next)
      const task = await here.say(said)
      const traces = here.disk.store.loadTask(task)?.traces ?? []
      return traces.map(({ outcome, reason }) => reason ?? outcome).join()
    },
  }
}

const rows = ({ disk }: World) => disk.store.openReminders('principal:owner', 'reminder')
const local = (due: number | null) => new Date((due ?? 0) + HOUR).toISOString().slice(0, 16)
const shown = (world: World) =>
  rows(world).map(({ number, due, repeat }) => [number, local(due), repeat?.kind ?? null])
const lastPlan = ({ prompts }: World) => prompts.filter(({ parts }) => parts.purpose === 'plan').at(-1)

const SET = 'remind me tomorrow at 9 to call the bank'

async function at(world: World, moment: number): Promise<void> {
  world.clock.now = moment
  await world.shell.tick()
}

describe('what was set is among the earlier results', () => {
  it('“make that 4 instead” is a change of it, without a card', async () => {
    const here = planned()
    await here.say(SET)
    const change = call('s1', 'reminder.change', { number: ref('w1.number'), due: ref('said.from') })
    expect(await here.does('juggle that to tomorrow at 16:00', [change])).toBe('done')
    expect([shown(here), await waiting(here)]).toEqual([[[1, '2026-11-21T16:00', null]], []])
    expect(lastPlan(here)?.user).toMatch(/w1 reminder\.set \{.*"number":1/)
  })

  it('“actually cancel it” ends it, without a card', async () => {
    const here = planned()
    await here.say(SET)
    const cancel = call('s1', 'reminder.cancel', { number: ref('w1.number') })
    expect(await here.does('please drop that one again somehow', [cancel])).toBe('done')
    expect([rows(here), await waiting(here)]).toEqual([[], []])
    await at(here, FRIDAY_NOON + 2 * DAY)
    expect(here.sent.filter(({ id }) => id.startsWith('reminder:'))).toEqual([])
  })

  it('so is what was put on the list, and what was listed', async () => {
    const here = planned()
    await here.say('put milk on my list')
    await here.does('juggle what is on it', [call('s1', 'task.list', {})])
    await here.does('and juggle once more', [])
    const { user = '' } = lastPlan(here) ?? {}
    expect(user).toMatch(/w1 task\.list /)
    expect(user).toMatch(/w2 task\.add \{.*"number":1/)
  })

  it('but not what was said only in another account, nor a fact or a look at the tools', async () => {
    const here = planned()
    await here.say('remember that my locker is number 12')
    const look = { steps: [call('s1', 'tools.search', { words: 'oven' })], again: true } as const
    await here.does('juggle the oven', look, [])
    await here.does('and juggle once more', [])
    expect(lastPlan(here)?.user).not.toMatch(/w1 /)
  })
})

describe('reminder.change', () => {
  it.each([
    ['a time takes the repetition along', { due: '2026-11-24T08:45+01:00' }, '2026-11-24T08:45', 'weekdays'],
    ['a repetition keeps the time', { repeat: 'daily' }, '2026-11-23T08:00', 'daily'],
    ['once ends the repetition', { repeat: 'once' }, '2026-11-23T08:00', null],
    ['both', { due: '2026-11-24T09:00+01:00', repeat: 'daily' }, '2026-11-24T09:00', 'daily'],
  ])('%s', async (_, args, due, repeat) => {
    const here = planned()
    await here.say('remind me to take the pills every weekday at 8')
    await here.does('pills: juggle', [call('s1', 'reminder.change', { which: 'pills', ...args })])
    await answer(here, (await onlyOne(here)).id)
    expect(shown(here)).toEqual([[1, due, repeat]])
    const [row] = rows(here)
    const next = await here.shell.tick()
    expect(next).toBeLessThanOrEqual(Number(row?.due))
  })

  it('other words take the place of the old ones, at the same number and time', async () => {
    const here = planned()
    await here.say(SET)
    const change = call('s1', 'reminder.change', { which: 'bank', text: 'call the garage' })
    expect(await here.does('not the bank: call the garage', [change])).toBe('done')
    expect(shown(here)).toEqual([[1, '2026-11-21T09:00', null]])
    await at(here, FRIDAY_NOON + 21 * HOUR)
    expect(here.sent.find(({ id }) => id.startsWith('reminder:'))?.text).toMatch(
      /^Reminder 1: call the garage/,
    )
  })

  it.each([
    ['nothing to change', { which: 'bank' }, 'tool_arguments_invalid'],
    ['none that is named', { due: ref('said.from') }, 'tool_arguments_invalid'],
    ['none like that', { which: 'juggle', due: ref('said.from') }, 'reminder_unknown'],
    ['several', { which: 'call', due: ref('said.from') }, 'reminder_several'],
    ['a count without a repetition', { which: 'bank', every: 2 }, 'tool_arguments_invalid'],
  ])('refuses without a card: %s', async (_, args, code) => {
    const here = planned()
    await here.say(SET)
    await here.say('remind me tomorrow at 10 to call the garage')
    const outcome = await here.does('juggle the bank call 2 at tomorrow 11:00', [
      call('s1', 'reminder.change', args),
    ])
    expect([outcome, await waiting(here), rows(here).length]).toEqual([code, [], 2])
  })

  it('a time that is over is refused', async () => {
    const here = planned()
    await here.say(SET)
    here.clock.now += HOUR
    const change = call('s1', 'reminder.change', { number: ref('w1.number'), due: ref('said.from') })
    expect(await here.does('juggle it to today at 12:30', [change])).toBe('reminder_past')
    expect(shown(here)).toEqual([[1, '2026-11-21T09:00', null]])
  })

  it('what the planner made up is asked about, and the card says which one it is', async () => {
    const here = planned()
    await here.say(SET)
    await here.does('juggle that one', [
      call('s1', 'reminder.change', { number: 1, due: '2026-11-21T17:00+01:00' }),
    ])
    const { id } = await onlyOne(here)
    const card = here.sent.at(-1)?.text ?? ''
    expect(card).toContain('Change this reminder.')
    expect(card).toMatch(/the reminder: Saturday 21 November, 09:00 · call the bank/)
    expect(shown(here)).toEqual([[1, '2026-11-21T09:00', null]])
    await answer(here, id)
    expect(shown(here)).toEqual([[1, '2026-11-21T17:00', null]])
  })

  it.each([
    ['other words', { which: 'bank', text: 'call the garage about the bank' }],
    ['another time', { which: 'bank', due: ref('said.from') }],
  ])('a yes is not for a reminder that has got %s since', async (_, meanwhile) => {
    const here = planned()
    await here.say(SET)
    const asked = call('s1', 'reminder.change', { number: 1, due: '2026-11-21T17:00+01:00' })
    await here.does('juggle that one', [asked])
    const { id } = await onlyOne(here)
    const change = call('s1', 'reminder.change', meanwhile)
    await here.does('the bank tomorrow at 16:00: call the garage about the bank', [change])
    const before = shown(here)
    await answer(here, id)
    expect(shown(here)).toEqual(before)
    expect(here.sent.at(-1)?.text).toMatch(/^It has changed since I asked you\./)
  })

  it('words of others are marked as theirs, after a card', async () => {
    const here = planned()
    await here.say(SET)
    const steps = [
      call('s1', 'email.list', {}),
      call('s2', 'reminder.change', { number: ref('w1.number'), text: ref('s1.emails[0].subject') }),
    ]
    await here.does('juggle that into what the mail says', steps)
    await answer(here, (await onlyOne(here)).id)
    await here.say('/reminders')
    expect(here.heard()).not.toContain('call the bank')
  })
})

describe('reminder.cancel', () => {
  it.each([
    ['by words of it', { which: 'bank' }],
    ['by the number that was typed', { number: 1 }],
  ])('%s', async (_, args) => {
    const here = planned()
    await here.say(SET)
    await here.say('remind me tomorrow at 10 to water the plants')
    expect(await here.does('juggle bank away, number 1', [call('s1', 'reminder.cancel', args)])).toBe('done')
    expect([shown(here), await waiting(here)]).toEqual([[[2, '2026-11-21T10:00', null]], []])
  })

  it('all of those that are listed, each by itself', async () => {
    const here = planned()
    await here.say(SET)
    await here.say('remind me tomorrow at 10 to water the plants')
    const steps = [
      call('s1', 'reminder.list', {}),
      {
        id: 's2',
        do: 'forEach',
        in: 's1.reminders',
        max: 5,
        tool: 'reminder.cancel',
        args: { number: ref('item.number') },
      },
    ]
    await here.does('juggle them all away', steps)
    expect([rows(here), await waiting(here)]).toEqual([[], []])
  })

  it('a list that mail leads to is asked about, by the words of the reminder', async () => {
    const here = planned()
    await here.say(SET)
    const steps = [
      call('s1', 'email.list', {}),
      call('s2', 'reminder.cancel', { which: ref('s1.emails[0].subject') }),
    ]
    expect(await here.does('juggle what the mail says', steps)).toBe('done,reminder_unknown')
    expect([rows(here).length, await waiting(here)]).toEqual([1, []])
  })
})

describe('what is listed', () => {
  it('with its repetition, for the owner', async () => {
    const here = planned()
    await here.say('remind me to take the pills every weekday at 8')
    await here.does('juggle my reminders', [call('s1', 'reminder.list', {})])
    const { parts } = here.prompts.filter((one) => one.parts.purpose === 'synthesize').at(-1) ?? {}
    expect(JSON.stringify(parts?.contents)).toContain('"repeat":"weekdays"')
  })

  it('never for anybody but the owner and the owner’s jobs', async () => {
    const here = planned()
    const task = here.disk.store.loadTask(await here.say(SET))
    if (task === null) throw new Error('no task')
    const asked = (principal: string) =>
      listOpen(here.powers, { ...task, principal }, 'reminder.list', receive({}, kernelWords()))
    expect((await asked('principal:owner')).ok).toBe(true)
    expect(await asked('principal:eve')).toMatchObject({ reason: { code: 'principal_not_allowed' } })
  })
})

describe('reminder.later', () => {
  const later = call('s1', 'reminder.later', { due: '2026-11-21T16:00+01:00' })

  it('is refused before a card where none rang', async () => {
    const here = planned()
    await here.say(SET)
    expect(await here.does('juggle it later', [later])).toBe('reminder_none_fired')
    expect(await waiting(here)).toEqual([])
  })

  it('names the one that rang last on its card', async () => {
    const here = planned()
    await here.say('in 20 minutes remind me to check the oven')
    await at(here, FRIDAY_NOON + 20 * MINUTE)
    await here.does('juggle it later', [later])
    expect(here.sent.at(-1)?.text).toContain('the reminder: Friday 20 November, 12:20 · check the oven')
    await answer(here, (await onlyOne(here)).id)
    expect(shown(here)).toEqual([[1, '2026-11-21T16:00', null]])
  })

  it('puts off no other one that rang while the card waited', async () => {
    const here = planned()
    await here.say('in 20 minutes remind me to check the oven')
    await here.say('in 21 minutes remind me to call the bank')
    await at(here, FRIDAY_NOON + 20 * MINUTE)
    await here.does('juggle it later', [later])
    const { id } = await onlyOne(here)
    await at(here, FRIDAY_NOON + 21 * MINUTE)
    await answer(here, id)
    expect(shown(here)).toEqual([])
    const [again] = await waiting(here)
    expect(again?.id).not.toBe(id)
    expect(here.sent.at(-1)?.text).toMatch(/^It has changed .*the reminder: .* call the bank/s)
  })
})
