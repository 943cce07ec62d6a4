/**
 * What goes on with a job that was just shown, with a repeating reminder that was just set, or with quiet hours: said
 * without a name for it.
 */
import { describe, expect, it } from 'vitest'
import { first, set, world as withJobs } from './job-world.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }
const says = async (of: World, ...said: readonly string[]): Promise<void> => {
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
}

async function shown(...said: readonly string[]): Promise<World> {
  const of = withJobs({ tools: TOOLS })
  await set(of, 'start the morning briefing every day at 8')
  of.clock.now += 3_600_000
  await says(of, ...said)
  return of
}

describe('a job', () => {
  it.each([
    ['when does it come next', 'make it half 7', '07:30'],
    ['when does it come next', 'make it 6:50', '06:50'],
    ['was läuft von allein?', 'lieber um 9', '09:00'],
    ['what runs by itself?', 'make it half 7', '07:30'],
  ])('%s; %s', async (asked, said, clock) => {
    const of = await shown("what's on friday?", asked, said)
    expect([first(of).repeat.first.slice(11), of.heard().split('\n')[0]]).toEqual([clock, expect.any(String)])
  })

  it('is meant with something between that was not understood', async () => {
    const of = await shown('skip tomorrow', 'skip tomorrow and thursday', 'make it 7:30')
    expect(first(of).repeat.first.slice(11)).toBe('07:30')
  })

  it.each([
    ['morgen auslassen', '2026-11-21'],
    ['morgen bitte überspringen', '2026-11-21'],
    ['morgen weglassen', '2026-11-21'],
  ])('%s', async (said, day) => {
    expect(first(await shown('what runs by itself?', said)).skips).toBe(day)
  })

  it.each(["actually don't skip it", "don't skip that after all", 'undo that skip', 'doch nicht auslassen'])(
    'comes after all: %s',
    async (said) => {
      expect(first(await shown('skip tomorrow', said)).skips).toBeNull()
    },
  )

  it.each(["i don't want it any more", 'brauch ich nicht mehr', 'brauch ich nicht mehr, stopp das'])(
    'is stopped: %s',
    async (said) => {
      expect(first(await shown('what runs by itself?', said)).state).toBe('paused')
    },
  )

  it.each(['make it half 7', "i don't want it any more", 'morgen auslassen'])(
    'is not meant after events were shown: %s',
    async (said) => {
      const before = first(await shown())
      expect(first(await shown('what runs by itself?', "what's on friday?", said))).toMatchObject({
        ...{ skips: null, state: 'on', repeat: before.repeat },
      })
    },
  )
})

describe('a reminder that was just set', () => {
  const RENT = 'remind me every month on the 1st at 9 to pay the music teacher'
  it('with a next time before it, nothing is left out, and of the job neither', async () => {
    const of = await shown(RENT, 'change it to the 28th of november', 'skip december')
    const [row] = of.disk.store.openReminders('principal:owner', 'reminder')
    expect([new Date(row?.due ?? 0).toISOString(), first(of).skips]).toEqual([
      '2026-11-28T08:00:00.000Z',
      null,
    ])
  })

  it('of a day that is none of its own, the job is meant', async () => {
    expect(first(await shown(RENT, 'skip tomorrow')).skips).toBe('2026-11-21')
  })

  it('is put off to its next time', async () => {
    const of = await shown(RENT, 'skip december')
    const [row] = of.disk.store.openReminders('principal:owner', 'reminder')
    expect([new Date(row?.due ?? 0).toISOString(), first(of).skips]).toEqual([
      '2027-01-01T08:00:00.000Z',
      null,
    ])
  })
})

describe('quiet hours', () => {
  const quiet = ({ disk }: World) => JSON.parse(disk.store.setting('quiet') ?? '{"hours":null}').hours
  async function given(...said: readonly string[]): Promise<World> {
    const of = createWorld({ tools: TOOLS })
    await says(of, ...said)
    return of
  }

  it.each(['turn it off again', 'wieder aus', 'mach es wieder aus', 'switch that off'])(
    '%s',
    async (said) => {
      expect(quiet(await given("don't disturb me between 22 and 6", said))).toBeNull()
    },
  )

  it.each([
    ['doch bis 7', 22, 7],
    ['rather until 8', 22, 8],
    ['make it from 23', 23, 6],
    ['lieber ab 21 uhr', 21, 6],
  ])('%s', async (said, from, to) => {
    const of = await given("don't disturb me between 22 and 6", said)
    expect(quiet(of)).toEqual({ from: from * 60, to: to * 60 })
  })

  it.each(['turn it off again', 'doch bis 7'])('are not meant after something else: %s', async (said) => {
    const of = await given("don't disturb me between 22 and 6", "what's on friday?", said)
    expect(quiet(of)).toEqual({ from: 1_320, to: 360 })
  })
})

describe('by a part of the day', () => {
  it.each(['stop the morning thing', 'stopp das morgens ding', 'turn off the morning one'])(
    '%s',
    async (said) => {
      expect(first(await shown(said)).state).toBe('paused')
    },
  )

  it.each([
    ['make the morning thing half past 7'],
    ['move the morning thing to 7:30'],
    ['make the morning one at half past 7'],
  ])('%s', async (said) => {
    expect(first(await shown(said)).repeat.first.slice(11)).toBe('07:30')
  })

  it.each(['stop the evening thing', 'stop the thing'])('is none: %s', async (said) => {
    expect(first(await shown(said)).state).toBe('on')
  })
})

describe('right after it was set', () => {
  const reminders = ({ disk }: World) => disk.store.openReminders('principal:owner', 'reminder').length
  async function given(...said: readonly string[]): Promise<World> {
    const of = createWorld({ tools: TOOLS })
    await says(of, ...said)
    return of
  }

  it.each(['did that already, cancel it', "i've done that, so delete it", 'schon erledigt, lösch es'])(
    'it was done: %s',
    async (said) => {
      expect(reminders(await given('remind me tomorrow at 9 to call mum', said))).toBe(0)
      const after = await given('remind me tomorrow at 9 to call mum', "what's on friday?", said)
      expect(reminders(after)).toBe(1)
    },
  )

  it.each(['when is it due', 'when does it come?', 'wann ist sie dran'])('is shown: %s', async (said) => {
    const of = await given('remind me tomorrow at 9 to call mum', said)
    expect(of.heard()).toMatch(/^1\. .*call mum$/)
  })

  it.each(['vergiss das wieder', 'vergiss es', 'delete that'])('a fact: %s', async (said) => {
    const of = await given('remember that my locker is number 12', said)
    expect(of.heard()).toMatch(/^Forgotten: /)
    const after = await given('remember that my locker is number 12', "what's on friday?", said)
    expect(after.heard()).not.toMatch(/^Forgotten: /)
  })
})

describe('the whole list', () => {
  const tasks = ({ disk }: World) => disk.store.openReminders('principal:owner', 'task').length
  it.each([
    'clear the whole list',
    'empty my shopping list',
    'leere die einkaufsliste',
    'lösch die ganze liste',
  ])('is ticked off, and comes back: %s', async (said) => {
    const of = createWorld({ tools: TOOLS })
    await says(of, 'put milk, bread and eggs on my list', said)
    expect(tasks(of)).toBe(0)
    await says(of, '/undo')
    expect(tasks(of)).toBe(3)
  })

  it.each(['clear the table', "don't clear the list", 'clear milk from the list'])(
    'is none: %s',
    async (said) => {
      const of = createWorld({ tools: TOOLS })
      await says(of, 'put bread and eggs on my list', said)
      expect(tasks(of)).toBe(2)
    },
  )

  it.each([
    'put the milk back, they were out of it',
    'actually no, put the milk back, it was sold out',
    'setz die milch wieder auf die liste, die war aus',
  ])('an entry comes back with a reason behind it: %s', async (said) => {
    const of = createWorld({ tools: TOOLS })
    await says(
      of,
      said.startsWith('setz') ? 'setz milch auf die liste' : 'put milk on my list',
      'done with 1',
      said,
    )
    expect(tasks(of)).toBe(1)
  })
})
