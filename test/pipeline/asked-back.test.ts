/**
 * An answer to what was asked back completes the request, as if it had been said whole: for many requests and answers in both languages. A message that is a request
 * by itself stays one, and nothing but code's own question in the same chat within minutes is answered so.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const MINUTE = 60_000

function fresh(): World {
  return createWorld({ tools: { ...mailTools(), ...calendarTools() } })
}

async function said(...all: readonly string[]): Promise<World> {
  const of = fresh()
  for (const one of all) {
    await of.say(one)
    of.clock.now += MINUTE
  }
  return of
}

const dues = (of: World): readonly (string | null)[] =>
  of.disk.store
    .openReminders('principal:owner', 'reminder')
    .map(({ due }) => (due === null ? null : new Date(due).toISOString()))

const REQUESTS = {
  en: [
    'remind me to call mum',
    'can you remind me to water the plants',
    'remind me about the invoice',
    'please remind me to buy a present for Tom',
  ],
  de: [
    'erinnere mich daran, Mama anzurufen',
    'erinner mich an die Rechnung',
    'kannst du mich an den Müll erinnern',
  ],
} as const
const TIMES = {
  en: [
    ['at 7pm', 'today at 7pm'],
    ['tomorrow at nine', 'tomorrow at nine'],
    ['tomorrow', 'tomorrow'],
    ['in 20 minutes', 'in 20 minutes'],
    ['on friday at 10:30', 'on friday at 10:30'],
    ['every monday at 8', 'every monday at 8'],
  ],
  de: [
    ['morgen um neun', 'morgen um neun'],
    ['um sieben', 'um sieben'],
    ['am Freitag um 10:30', 'am Freitag um 10:30'],
    ['in 20 Minuten', 'in 20 Minuten'],
  ],
} as const

describe.each(['en', 'de'] as const)('a time, in %s', (language) => {
  const rows = REQUESTS[language].flatMap((request) =>
    TIMES[language].map(([answer]) => [request, answer] as const),
  )
  it.each(rows)('%s: %s', async (request, answer) => {
    const of = fresh()
    await of.say(request)
    expect(dues(of)).toEqual([])
    of.clock.now += MINUTE
    const at = of.clock.now
    await of.say(answer)
    const [due, ...others] = dues(of)
    expect(others).toEqual([])
    // The same time as where it is said whole.
    const whole = fresh()
    whole.clock.now = at
    await whole.say(
      language === 'en' ? `remind me ${answer} to do it` : `erinnere mich ${answer} an das Ding`,
    )
    expect(due).toBe(dues(whole)[0])
    expect(due).toBeDefined()
  })
})

describe('what is missing besides a time', () => {
  it.each([
    ['remind me twice a week to water the plants', 'monday and thursday', 'on_days'],
    ['erinnere mich zweimal die Woche ans Gießen', 'Montag und Donnerstag', 'on_days'],
    ['remind me every month to pay rent', 'every month on the 3rd at 8', 'monthly'],
  ])('%s: %s', async (request, answer, repeat) => {
    const of = await said(request)
    expect(dues(of)).toEqual([])
    await of.say(answer)
    expect(of.disk.store.openReminders('principal:owner', 'reminder')).toMatchObject([
      { repeat: { kind: repeat } },
    ])
  })

  it.each([
    ['put on my list', 'milk and eggs', 2],
    ['add to my list', 'screws', 1],
  ])('%s: %s', async (request, answer, count) => {
    const of = await said(request, answer)
    expect(of.disk.store.openReminders('principal:owner', 'task')).toHaveLength(count)
  })

  it.each([
    ['book lunch with Sarah', 'on friday at 13:00'],
    ['book dinner with Tom', 'tomorrow at 8pm'],
  ])('%s: %s', async (request, answer) => {
    const of = await said(request)
    expect(of.calls.map(({ tool }) => tool).filter((tool) => tool.startsWith('calendar.create'))).toEqual([])
    await of.say(answer)
    const created = of.calls.filter(({ tool }) => tool.startsWith('calendar.create'))
    expect(created.length + of.sent.filter(({ kind }) => kind === 'card').length).toBe(1)
  })

  it('two things that are missing are asked for one after the other', async () => {
    const of = await said('remind me', 'to call mum', 'tomorrow at nine')
    expect(dues(of)).toHaveLength(1)
  })
})

describe('a message of its own', () => {
  it.each([
    "what's on tomorrow?",
    'what is on my list',
    'put milk on my list',
    'remind me at 7 to feed the cat',
    'no',
    'never mind',
    'danke',
    'Sarah called',
    'I will be at the office at 7 with Tom',
  ])('%s: is not the time that was asked for', async (message) => {
    const of = await said('remind me to call mum', message)
    const texts = of.disk.store.openReminders('principal:owner', 'reminder').length
    expect(texts).toBe(message.startsWith('remind') ? 1 : 0)
    expect(of.audited.filter(({ facts }) => 'completes' in facts)).toEqual([])
  })

  it.each(['connect telegram', 'connect slack', 'disconnect google', '/status', 'are you ok?'])(
    'what was to be put on the list is no command: %s',
    async (command) => {
      const of = await said('put on my list', command)
      expect(of.disk.store.openReminders('principal:owner', 'task')).toEqual([])
      expect(of.audited.filter(({ facts }) => 'completes' in facts)).toEqual([])
    },
  )

  it('after anything else was said', async () => {
    expect(dues(await said('remind me to call mum', 'show me my list', 'at 7pm'))).toEqual([])
  })

  it('after minutes', async () => {
    const of = fresh()
    await of.say('remind me to call mum')
    of.clock.now += 16 * MINUTE
    await of.say('at 7pm')
    expect(dues(of)).toEqual([])
  })

  it('where the request stood beside words of somebody else', async () => {
    const of = fresh()
    await of.say('remind me to call mum', undefined, ['call me at 7'])
    await of.say('at 7pm')
    expect(dues(of)).toEqual([])
  })

  it('with words of somebody else beside it', async () => {
    const of = await said('remind me to call mum')
    await of.say('at 7pm', undefined, ['at 7pm'])
    expect(dues(of)).toEqual([])
  })
})
