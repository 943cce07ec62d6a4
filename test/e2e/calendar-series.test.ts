/**
 * Events that come again as their owner has them, at a home without a model, in the demo's calendar: booked by words in two languages after a card that says it
 * whole, seen on their days, one time of them cancelled alone, then all.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBench } from './terminal-bench.ts'

const DAY = 86_400_000
const bench = createBench({ env: { TZ: 'UTC' } })
beforeAll(() => bench.start('--only', 'home'))
afterAll(async () => {
  await bench.stop()
  await bench.remove()
})

/** The next day of such a weekday at this hour in UTC, Sunday's is 0; then a week later each. */
function nextDays(weekday: number, hour: number): readonly string[] {
  const today = new Date()
  const days = (weekday - today.getUTCDay() + 7) % 7
  // Today is the first of them until its hour has come.
  const ahead = days === 0 && today.getUTCHours() >= hour ? 7 : days
  return [0, 7, 14].map((more) =>
    new Date(today.getTime() + (ahead + more) * DAY).toLocaleDateString('en-GB', {
      ...{ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
    }),
  )
}

const reply = async (text: string): Promise<string> => (await bench.ask(text)).report.reply ?? ''
const dayOf = (day: string): Promise<string> => reply(`what is on my calendar on ${day}?`)

/** The card of what is asked for, which waits. */
async function cardOf(
  text: string,
): Promise<{ readonly card: string; readonly yes: () => Promise<unknown> }> {
  const { report } = await bench.ask(text)
  expect(report.task.state, report.reply ?? '').toBe('awaiting_approval')
  const number = String(JSON.parse((await bench.pfar('approvals', '--json')).out).at(-1).number)
  const { out } = await bench.pfar('approvals', 'show', number)
  return { card: out, yes: () => bench.pfar('approve', number) }
}

const [first = '', second = '', third = ''] = nextDays(2, 7)

test('it is on each of its days after one yes to a card that says so', async () => {
  const { card, yes } = await cardOf('add gym every Tuesday at 7am')
  expect(card).toMatch(/It comes again: every Tuesday, 07:00–08:00, first on Tuesday \d+ \w+/)
  expect(card).toContain('It goes on without an end.')
  await yes()
  for (const day of [first, second, third]) expect(await dayOf(day)).toMatch(/07:00[\s\S]*Gym/)
})

test('one time is cancelled alone, which its card says', async () => {
  const { card, yes } = await cardOf(`cancel gym on ${second}`)
  expect(card).toContain('It is one of a series: the other times of it stay as they are.')
  await yes()
  expect(await dayOf(second)).not.toContain('Gym')
  expect(await dayOf(third)).toContain('Gym')
})

test('another is moved alone', async () => {
  const { card, yes } = await cardOf(`move gym on ${first} to 9am`)
  expect(card).toContain('It is one of a series')
  await yes()
  expect(await dayOf(first)).toMatch(/09:00[\s\S]*Gym/)
  expect(await dayOf(third)).toMatch(/07:00[\s\S]*Gym/)
})

test('all of it is moved where the series is said, and one that was moved alone stays', async () => {
  const { card, yes } = await cardOf('move the whole gym series to half past seven')
  expect(card).toContain('ALL of a series, with its times in the past.')
  await yes()
  expect(await dayOf(first)).toMatch(/09:00[\s\S]*Gym/)
  expect(await dayOf(second)).not.toContain('Gym')
  expect(await dayOf(third)).toMatch(/07:30[\s\S]*Gym/)
})

test('it ends on another day', async () => {
  const { card, yes } = await cardOf(`end the gym series on ${second}`)
  expect(card).toContain('it has no time after its new last day')
  await yes()
  expect(await dayOf(first)).toContain('Gym')
  expect(await dayOf(third)).not.toContain('Gym')
})

test('days that are left out are said on its card, and stay free', async () => {
  const { card, yes } = await cardOf(`add yoga every Tuesday at 10am except on ${second}`)
  expect(card).toContain('Not on Tuesday')
  await yes()
  expect(await dayOf(first)).toContain('Yoga')
  expect(await dayOf(second)).not.toContain('Yoga')
  const skipped = await cardOf(`the yoga not on ${third}`)
  expect(skipped.card).toContain('It is one of a series')
  await skipped.yes()
  expect(await dayOf(third)).not.toContain('Yoga')
})

test('all of it goes where the series is said', async () => {
  const { card, yes } = await cardOf('cancel the whole gym series')
  expect(card).toContain('ALL of a series, with its times in the past.')
  await yes()
  for (const day of [first, third]) expect(await dayOf(day)).not.toContain('Gym')
})

test('it has an end, in German as well, and what was just booked is taken back whole', async () => {
  const [monday = '', next = '', after = ''] = nextDays(1, 18)
  const { card, yes } = await cardOf('trag jeden Montag um 18 Uhr Chor für zwei Wochen ein')
  expect(card).toMatch(/every Monday, 18:00–19:00[\s\S]*2 times/)
  await yes()
  expect(await dayOf(monday)).toMatch(/18:00[\s\S]*Chor/)
  expect(await dayOf(next)).toMatch(/18:00[\s\S]*Chor/)
  expect(await dayOf(after)).not.toContain('Chor')
  const back = await cardOf('undo that')
  expect(back.card).toContain('ALL of a series')
  await back.yes()
  expect(await dayOf(next)).not.toContain('Chor')
})

test('what is not understood whole is not booked at all', async () => {
  const { report } = await bench.ask('add gym every Tuesday at 7am except in the school holidays')
  expect(report.task.state).not.toBe('awaiting_approval')
  expect(await dayOf(third)).not.toContain('Gym')
})
