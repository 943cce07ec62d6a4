/**
 * A reminder gets another time without a word for its kind: "make it an hour later" right after it was set or came, "push the oven one to 6", "the day before
 * instead". One that is meant, and no other; what may be of an event or a job is left to what reads those.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const MINUTE = 60_000
const local = (due: number | null) => new Date((due ?? 0) + 60 * MINUTE).toISOString().slice(0, 16)
const open = ({ disk: { store } }: World) =>
  store.openReminders('principal:owner', 'reminder').map(({ number, due }) => [number, local(due)])

/** The world begins on Friday 20 November 2026 at noon in Madrid. */
async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const OVEN = 'remind me tomorrow at 17:00 to check the oven'
const MUM = 'remind me tomorrow at 10 to call mum'

describe('right after it was set', () => {
  it.each([
    ['make it an hour later', '2026-11-21T18:00'],
    ['no, make it half an hour earlier', '2026-11-21T16:30'],
    ['push it back by two hours', '2026-11-21T19:00'],
    ['the day before instead', '2026-11-20T17:00'],
    ['move it a day later', '2026-11-22T17:00'],
    ['make that 6 instead', '2026-11-21T18:00'],
    ['push it to monday', '2026-11-23T17:00'],
    ['make it 18:30', '2026-11-21T18:30'],
    ['at 19:00 instead', '2026-11-21T19:00'],
    ['mach es eine Stunde später', '2026-11-21T18:00'],
    ['lieber um 18 Uhr', '2026-11-21T18:00'],
    ['verschieb es bitte auf Montag', '2026-11-23T17:00'],
    ['lieber am Tag davor', '2026-11-20T17:00'],
    ['nein, ich meinte um 18 Uhr', '2026-11-21T18:00'],
    ['sorry, at 18:45', '2026-11-21T18:45'],
    ['ach quatsch, um halb sieben', '2026-11-21T18:30'],
    ['hmm, I meant monday', '2026-11-23T17:00'],
  ])('%s', async (said, due) => {
    const of = await given(MUM, OVEN)
    await of.say(said)
    expect(of.heard()).toMatch(/^Moved: 2\. .*check the oven$/)
    expect(open(of)).toContainEqual([2, due])
    expect(open(of)).toContainEqual([1, '2026-11-21T10:00'])
    await of.say('/undo')
    expect(open(of)).toContainEqual([2, '2026-11-21T17:00'])
  })

  it.each(['nein', 'no, call Tom at 5', 'and at 5?', 'sorry'])('stays as it is: %s', async (said) => {
    const of = await given(OVEN)
    await of.say(said)
    expect(open(of)).toEqual([[1, '2026-11-21T17:00']])
  })

  it('a repetition moves with it, and one on named days does not move to others', async () => {
    const of = await given('remind me every day at 8 to stretch')
    await of.say('make it an hour later')
    const [daily] = of.disk.store.openReminders('principal:owner', 'reminder')
    expect([daily?.repeat?.kind, daily?.repeat?.first.slice(11), local(daily?.due ?? 0).slice(11)]).toEqual([
      'daily',
      '09:00',
      '09:00',
    ])
    const days = await given('remind me every monday and thursday at 8 to swim')
    await days.say('a day later instead')
    expect(open(days)).toEqual([[1, '2026-11-23T08:00']])
  })

  it('a time that is over is refused, and leaves it as it is', async () => {
    const of = await given('remind me today at 14:00 to call mum')
    await of.say('the day before instead')
    expect(of.heard()).toMatch(/over|past/i)
    expect(open(of)).toEqual([[1, '2026-11-20T14:00']])
  })
})

describe('by a word of it', () => {
  it.each([
    ['push the oven one to 6', '2026-11-21T18:00'],
    ['make the oven one an hour later', '2026-11-21T18:00'],
    ['move the oven thing to monday', '2026-11-23T17:00'],
    ['move the one about the oven to 18:30', '2026-11-21T18:30'],
    ['verschieb die mit dem oven auf Montag', '2026-11-23T17:00'],
  ])('%s', async (said, due) => {
    const of = await given(OVEN, MUM, "what's the time")
    await of.say(said)
    expect(of.heard()).toMatch(/^Moved: 1\. .*check the oven$/)
    expect(open(of)).toContainEqual([1, due])
  })

  it.each(['push the bike one to 6', 'push the second one to 6', 'push the oven one to the garage'])(
    '%s: moves nothing',
    async (said) => {
      const of = await given(OVEN, MUM, "what's the time")
      const before = open(of)
      await of.say(said)
      expect(open(of)).toEqual(before)
    },
  )

  it('says nothing of one where two fit', async () => {
    const of = await given(OVEN, 'remind me tomorrow at 11 to clean the oven')
    const before = open(of)
    await of.say('push the oven one to 6')
    expect(open(of)).toEqual(before)
  })
})

describe('right after it came', () => {
  it.each([
    ['make it an hour later', '2026-11-20T13:20'],
    ['make it 30 minutes later', '2026-11-20T12:50'],
    ['push it to 6', '2026-11-20T18:00'],
    ['mach es eine Stunde später', '2026-11-20T13:20'],
    ['move it to tomorrow at 10', '2026-11-21T10:00'],
  ])('%s', async (said, due) => {
    const of = await given('in 20 minutes remind me to check the oven')
    of.clock.now = Number(of.disk.store.nextReminder())
    await of.shell.tick()
    await of.say(said)
    expect(of.heard()).toMatch(/^Put off: 1\. .*check the oven$/)
    expect(open(of).map(([, at]) => at)).toEqual([due])
  })
})

describe('is of something else', () => {
  it.each([
    ['make it an hour later', 'what is on my calendar tomorrow'],
    ['make it 18:30', 'hello'],
    ['the day before instead', 'add milk to my list'],
  ])('%s, after: %s', async (said, before) => {
    const of = await given(OVEN, before)
    await of.say(said)
    expect(open(of)).toEqual([[1, '2026-11-21T17:00']])
  })

  it("another's words move nothing", async () => {
    const of = await given(OVEN)
    await of.say('make it an hour later', 'm9', ['quoted'])
    expect(open(of)).toEqual([[1, '2026-11-21T17:00']])
  })
})
