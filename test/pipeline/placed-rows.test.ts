/**
 * A row of the list of reminders or tasks that was just shown is meant by its place in it: moved, deleted, ticked off. Where something was changed or looked at
 * since, a place means nothing. A reminder keeps its day when only a time is said, and is set on another day as well.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const MINUTE = 60_000
const local = (due: number | null) => new Date((due ?? 0) + 60 * MINUTE).toISOString().slice(5, 16)
const open = ({ disk: { store } }: World) =>
  store.openReminders('principal:owner', 'reminder').map(({ due }) => local(due))
const tasks = ({ disk: { store } }: World) =>
  store.openReminders('principal:owner', 'task').map(({ number }) => number)

/** The world begins on Friday 20 November 2026 at noon in Madrid. */
async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const TWO = [
  'remind me tomorrow at 8 to feed the cat',
  'remind me on sunday at 9 to call mum',
  'what reminders do I have?',
]
const THREE = ['add milk, ribbon and moss to my list', 'what is on my list?']

describe('by its place', () => {
  it.each([
    ['move the first one to 10', ['11-21T10:00', '11-22T09:00']],
    ['verschieb die erste auf 7 Uhr', ['11-21T07:00', '11-22T09:00']],
    ['move the second one to monday', ['11-21T08:00', '11-23T09:00']],
    ['delete the last one', ['11-21T08:00']],
    ['lösch die erste', ['11-22T09:00']],
    ['delete the fourth one', ['11-21T08:00', '11-22T09:00']],
  ])('%s', async (said, due) => {
    const of = await given(...TWO)
    await of.say(said)
    expect(open(of)).toEqual(due)
  })

  it.each([
    ['done with the first one', [2, 3]],
    ['die zweite kannst du streichen', [1, 3]],
    ['hak die dritte ab', [1, 2]],
    ['cross off the last one', [1, 2]],
    ['take the second one off', [1, 3]],
  ])('of the list: %s', async (said, numbers) => {
    const of = await given(...THREE)
    await of.say(said)
    expect(tasks(of)).toEqual(numbers)
  })

  it('counts in what was shown: a row that was ended since means that no place is sure', async () => {
    const of = await given(...TWO, '/cancel 1')
    await of.say('lösch die erste')
    expect(open(of)).toEqual(['11-22T09:00'])
    const mail = await given(...TWO, 'any new mail?')
    await mail.say('delete the first one')
    expect(open(mail)).toHaveLength(2)
  })
})

describe('its time', () => {
  it.each([
    ['move the cat reminder to half seven in the evening', '11-21T19:30'],
    ['move the cat reminder to quarter past nine', '11-21T09:15'],
    ['verschieb die Erinnerung an die cat auf 7 Uhr abends', '11-21T19:00'],
  ])('keeps its day: %s', async (said, due) => {
    const of = await given(...TWO)
    await of.say(said)
    expect(open(of)).toContain(due)
  })

  it('without a name it is the one that was just set, or the only one; of several it is asked', async () => {
    const one = await given('remind me tomorrow at 8 to feed the cat', 'what is on tomorrow?')
    await one.say('stell die Erinnerung auf 7 Uhr')
    expect(open(one)).toEqual(['11-21T07:00'])
    const two = await given(...TWO)
    await two.say('move the reminder to 10')
    expect(open(two)).toEqual(['11-21T08:00', '11-22T09:00'])
    expect(two.heard()).toMatch(/^More than one fits/)
    const meant = await given('erinner mich morgen um 8 an die Heizung')
    await meant.say('nein, ich meinte um 7')
    expect(open(meant)).toEqual(['11-21T07:00'])
  })
})

describe('on another day as well', () => {
  it.each([
    ['und übermorgen auch', '11-22T08:00'],
    ['and on monday too', '11-23T08:00'],
    ['the same again on tuesday as well', '11-24T08:00'],
  ])('%s', async (said, due) => {
    const of = await given('remind me tomorrow at 8 to feed the cat')
    await of.say(said)
    expect(open(of)).toEqual(['11-21T08:00', due])
  })

  it('only right after it was set', async () => {
    const of = await given('remind me tomorrow at 8 to feed the cat', 'what is on tomorrow?')
    await of.say('und übermorgen auch')
    expect(open(of)).toEqual(['11-21T08:00'])
  })
})

describe('on a day of every month', () => {
  it.each([
    ['remind me on the first of every month at 9 to pay rent', '12-01T09:00'],
    ['remind me every 15th of the month at 9 to pay rent', '12-15T09:00'],
    ['erinner mich am 1. jeden Monats um 9 an die Miete', '12-01T09:00'],
    ['erinnere mich jeden dritten im Monat um 9 an die Miete', '12-03T09:00'],
  ])('%s', async (said, due) => {
    const of = await given(said)
    const [row] = of.disk.store.openReminders('principal:owner', 'reminder')
    expect([row?.repeat?.kind, local(row?.due ?? 0)]).toEqual(['monthly', due])
  })
})
