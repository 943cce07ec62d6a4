/** What goes on with a job that was just shown, with a repeating reminder that was just set, or with quiet hours: said without a name for it. */
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
