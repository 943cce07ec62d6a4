/**
 * What is said right after something, without a model: of a card of an event, of the list, of a contact, of a waiting mail, of times that
 * were found. Each does what is meant of that thing, or changes nothing.
 */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { onlyOne, waiting } from './approvals-owner.ts'
import { calendarTools, EMAILS, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const slot = (day: string, from: string, to: string) => ({
  from: `2026-11-${day}T${from}:00+01:00`,
  to: `2026-11-${day}T${to}:00+01:00`,
})
const TIMES = [slot('23', '09:00', '10:00'), slot('24', '11:00', '12:00'), slot('25', '15:00', '16:00')]
const CHOIR = { id: 'e1', title: 'Choir', ...slot('21', '19:00', '20:00'), allDay: false, attendees: 0 }
const sent: ScriptedTool = ({ to }) => ({
  ok: true,
  output: { to: [to].flat() as string[], refused: [], filed: true },
})
const tools: Record<string, ScriptedTool> = {
  ...mailTools(),
  ...calendarTools(),
  ...{ 'email.send': sent, 'email.reply': sent, 'email.send_later': () => err('tool_unavailable') },
  'calendar.freebusy': ({ from, to }) => ({
    ok: true,
    output: { slots: [{ from: String(from), to: String(to), busy: String(from).includes('-12-12') }] },
  }),
  'calendar.delete_event': () => err('tool_unavailable'),
  'calendar.list_events': () => ({ ok: true, output: { events: [CHOIR], more: false } }),
  'calendar.find_times': ({ attendees = [] }) => ({
    ok: true,
    output: { times: TIMES.map((time) => ({ ...time, guests: attendees })), more: false },
  }),
  'email.archive': ({ id }) => ({ ok: true, output: { id } }),
}
const contacts = [
  { name: 'Sarah Chen', email: 'sarah@friends.example' },
  { name: 'Tom Baker', email: 'tom@baker.example' },
]

function having(): World {
  const home = createRulesModel({ place: 'home', home: HOME_RULES })
  return createWorld({ tools, contacts, pushes: true, models: [home] })
}

async function talked(...said: readonly string[]): Promise<World> {
  const world = having()
  for (const one of said) {
    world.clock.now += 60_000
    await world.say(one)
  }
  return world
}

const BOOK = 'book coffee with Tom on Friday at 15:00'

describe('of the card of an event', () => {
  it.each([
    ['8 oclock actually', 'starts: Friday 27 November, 20:00'],
    ['mach 19:30 draus', 'starts: Friday 27 November, 19:30'],
    ['mach daraus 19:30', 'starts: Friday 27 November, 19:30'],
    ['call it budget catch up', 'title: budget catch up'],
    ['change the title to budget catch up', 'title: budget catch up'],
    ["it's at the school, add that", 'place: the school'],
    ['set the place to the school hall', 'place: the school hall'],
    ['in der aula, schreib das dazu', 'place: aula'],
  ])('%s: %s, in the owner’s own words', async (said, line) => {
    const card = await onlyOne(await talked(BOOK, said))
    expect(card.full).toContain(line)
    expect(card.full).toContain('You wrote all of it.')
  })

  it.each(['where is it', 'how long is it', 'wo ist der?', 'wann ist das', 'what does it say'])(
    'a question about it is answered by the card, also a second one: %s',
    async (asked) => {
      const world = await talked(BOOK, "it's at the school, add that", asked, 'how long is it?')
      for (const text of world.sent.slice(-2).map((one) => one.text)) {
        expect(text).toContain('place: the school')
        expect(text).toContain('ends: Friday 27 November, 16:00')
      }
      expect(await waiting(world)).toHaveLength(1)
    },
  )

  it('such a question is of no card that something else was shown after', async () => {
    const world = await talked(BOOK, 'check my mail', 'where is it')
    expect(world.heard()).not.toContain('May I do this?')
  })

  it('its length changes again after its time did', async () => {
    const card = await onlyOne(await talked(BOOK, 'mach 19:30 draus', 'make it 90 min'))
    expect(card.full).toContain('ends: Friday 27 November, 21:00')
  })

  it.each(['no, 23:30 tonight', 'make it 22:30'])(
    'a time is of the card, and moves no newer reminder: %s',
    async (said) => {
      const world = await talked(
        'book drinks with Tom tonight at 22:00',
        'in 2 min remind me to check the oven',
        said,
      )
      expect((await onlyOne(world)).full).toMatch(/starts: Friday 20 November, 2[23]:30/)
      await world.say('what are my reminders')
      expect(world.heard()).toContain('12:04')
    },
  )
})

it('a reminder that was set by the clock is moved, and the card stays', async () => {
  const world = await talked(
    'book drinks with Tom tonight at 22:00',
    'remind me at 20:00 to call mum',
    'make it 20:30',
  )
  expect((await onlyOne(world)).full).toContain('starts: Friday 20 November, 22:00')
  await world.say('what are my reminders')
  expect(world.heard()).toContain('20:30')
})

describe('of the card of a text', () => {
  it.each([
    ['sure, this afternoon', 'no wait, say tomorrow morning instead', 'Sure, tomorrow morning'],
    ['the numbers are fine', 'no wait, say tomorrow morning instead', 'Tomorrow morning'],
    ['sure, friday or monday', 'say saturday instead', 'Saturday'],
    ['geht klar, heute Abend', 'nein, sag lieber morgen früh', 'Geht klar, morgen früh'],
    ['the numbers are fine', 'write we have to talk instead', 'We have to talk'],
  ])('%s; %s', async (text, said, body) => {
    const card = await onlyOne(await talked(`reply to Sarah: ${text}`, said))
    expect(card.full).toContain(`body: ${body}\n`)
  })

  it('what names a time is of the time of a mail that has one', async () => {
    const card = await onlyOne(await talked('send Tom tomorrow at 8: running late', 'say 9:30 instead'))
    expect(card.full).toContain('at: Saturday 21 November, 09:30')
    expect(card.full).toContain('body: Running late')
  })
})

describe('of a mail that waits for its time', () => {
  const SET = ['send Tom a mail tomorrow at 8: running late', 'yes'] as const

  it.each([
    'actually dont send it',
    "i changed my mind, don't send it",
    'doch nicht schicken',
    'ich hab es mir anders überlegt, schick sie nicht ab',
  ])('is cancelled: %s', async (said) => {
    const world = await talked(...SET, said)
    expect(world.heard()).toContain('Cancelled, it is not sent')
    await world.say('/scheduled')
    expect(world.heard()).toContain('Nothing waits to be sent')
  })

  it('the card about another time for it goes with it, and a yes then does nothing', async () => {
    const world = await talked(...SET, 'send it at 8:15 instead')
    expect(await waiting(world)).toHaveLength(1)
    await world.say('dont send it')
    expect(world.sent.map(({ text }) => text).join('\n')).toContain('Cancelled, it is not sent')
    expect(await waiting(world)).toEqual([])
    await world.say('yes')
    expect(world.heard()).not.toContain('08:15')
    await world.say('/scheduled')
    expect(world.heard()).toContain('Nothing waits to be sent')
  })

  it.each([
    'is anything waiting to be sent',
    'which mails still go out later',
    'what mails are waiting to go',
    'welche mails gehen noch raus',
  ])('is listed by whom it goes to and its subject: %s', async (asked) => {
    const world = await talked(SET[0], 'make it 8:15', 'yes', asked)
    expect(world.heard()).toContain('08:15: to Tom Baker: Running late')
  })

  it('is still found by words of the request', async () => {
    const world = await talked(...SET, 'cancel the mail to tom')
    expect(world.heard()).toContain('Cancelled, it is not sent')
  })
})

describe('of the list', () => {
  const LIST = 'add milk, bread, nappies and eggs to my list'
  it.each([
    ['make the milk 2 litres', 'milk (2 litres)', 'milk'],
    ['mach 2 liter milk draus', 'milk (2 liter)', 'milk'],
    ['swap the bread for rolls', 'rolls', 'bread'],
    ['tausch das bread gegen rolls', 'rolls', 'bread'],
    ['rolls instead of the bread', 'rolls', 'bread'],
  ])('%s', async (said, there, gone) => {
    const world = await talked(LIST, said, '/tasks')
    const rows = world.heard().split('\n')
    expect(rows.some((row) => row.endsWith(`. ${there}`))).toBe(true)
    expect(rows.some((row) => row.endsWith(`. ${gone}`))).toBe(false)
    expect(rows).toHaveLength(4)
  })

  it('nothing comes in the place of what is not on it', async () => {
    const world = await talked(LIST, 'swap the butter for rolls', '/tasks')
    expect(world.heard()).not.toContain('rolls')
    expect(world.heard().split('\n')).toHaveLength(4)
  })

  it('where the chat was not about it, nothing is changed', async () => {
    const world = await talked(LIST, 'check my mail', 'when am I free on Monday?', 'swap the bread for rolls')
    await world.say('/tasks')
    expect(world.heard()).toContain('bread')
  })

  it.each(['whats left to do today', 'what is still to do'])('%s', async (asked) => {
    expect((await talked(LIST, asked)).heard()).toContain('nappies')
  })
})

describe('a deed ticks off what was to be done', () => {
  it.each([
    ['call tom', 'done, rang him'],
    ['ring tom', 'done, rang him'],
    ['book the hall', 'finished, booked it'],
    ['pay the plumber', 'paid him, that is done'],
    ['tom anrufen', 'erledigt, hab ihn angerufen'],
    ['bücher zurückgeben', 'hab sie zurückgegeben, ist erledigt'],
  ])('%s: %s', async (entry, said) => {
    const world = await talked(`put ${entry} on my list`, 'put milk on my list', said, '/tasks')
    expect(world.heard()).toBe('2. milk')
  })

  it('of two that it could be, none', async () => {
    const world = await talked(
      'put call tom on my list',
      'put call mum on my list',
      'done, rang him',
      '/tasks',
    )
    expect(world.heard().split('\n')).toHaveLength(2)
  })
})

it.each([
  ['make a list called packing with tent and torch', 'packing'],
  ['mach ne liste packliste mit tent und torch', 'packliste'],
])('a list with a name comes with its things, and an entry stays on it: %s', async (said, name) => {
  const world = await talked(said, 'swap the torch for a lamp', '/tasks')
  expect(world.heard().split('\n')).toEqual([`${name}:`, '1. tent', '3. lamp'])
})

it.each(['find mails with attachments', 'zeig mir mails mit anhang'])(
  'that mails cannot be looked for by their files is said: %s',
  async (said) => {
    const world = await talked(said)
    expect(world.heard()).toContain('I cannot look for mails by their attachments')
    expect(world.calls).toEqual([])
  },
)

describe('of a contact', () => {
  const ADD = 'add maria, maria@example.com to contacts'
  it.each(['and jo, jo@example.org', 'und auch Jo jo@example.org', 'also jo: jo@example.org'])(
    'another one behind it: %s',
    async (said) => {
      const world = await talked(ADD, said, '/contacts')
      expect(world.heard()).toMatch(/jo: jo@example\.org/i)
      expect(world.heard()).toContain('maria: maria@example.com')
      expect(await waiting(world)).toEqual([])
    },
  )

  it('an address is none where no contact was added before', async () => {
    const world = await talked('check my mail', 'and jo, jo@example.org', '/contacts')
    expect(world.heard()).not.toContain('jo@example.org')
  })

  it('names side by side are people, where each of them is one', async () => {
    const world = await talked(ADD, 'and jo, jo@example.org', 'my choir is maria jo and tom')
    for (const email of ['maria@example.com', 'jo@example.org', 'tom@baker.example'])
      expect(world.heard()).toContain(email)
    const unknown = await talked(ADD, 'my choir is maria jo and tom')
    expect(unknown.heard()).toContain('I know no address of maria jo')
  })

  it('the address of who wrote what was shown is added after a card; of nobody else', async () => {
    const card = await onlyOne(await talked('read the mail from eve', "save eve's address"))
    expect([card.tool, card.full.includes(EMAILS[1]?.from ?? '-')]).toEqual(['contact.add', true])
    const known = await talked('read the mail from sarah', 'save sarahs address')
    expect(known.heard()).toContain('nobody there who is not a contact already')
    expect(await waiting(await talked('read the mail from eve', 'save toms address'))).toEqual([])
  })
})

describe('of free times', () => {
  it.each([
    'whens everyone free for an hour next week, sarah and tom',
    'when are sarah and tom free for an hour next week',
    'wann haben sarah und tom nächste woche eine stunde zeit',
  ])('whoever is named is invited: %s', async (asked) => {
    const card = await onlyOne(await talked(asked, 'book the second one'))
    for (const { email } of contacts) expect(card.full).toContain(email)
    expect(card.full).toContain('starts: Tuesday 24 November, 11:00')
  })

  it('whom nobody knows is asked for, where everyone is to be free', async () => {
    const world = await talked('whens everyone free for an hour next week, sarah and zoe')
    expect(world.calls.filter(({ tool }) => tool === 'calendar.find_times')).toEqual([])
  })
})

describe('of events', () => {
  it.each(['nimm den dritten', "i'll take the third one", 'nehmen wir den letzten'])(
    'one of the times that were found is booked, with whom they were for: %s',
    async (said) => {
      const card = await onlyOne(await talked('when are sarah and tom free for an hour next week', said))
      expect(card.full).toContain('starts: Wednesday 25 November, 15:00')
      for (const { email } of contacts) expect(card.full).toContain(email)
    },
  )

  it('of a list of anything else none is', async () => {
    expect(await waiting(await talked('check my mail', 'nimm den zweiten'))).toEqual([])
  })

  it.each(['which saturday is free in december', 'welcher samstag ist im dezember frei'])(
    'each of the days is looked at by itself: %s',
    async (asked) => {
      const world = await talked(asked)
      const looked = world.calls.map(({ args }) => String(args['from']).slice(0, 10))
      expect(looked).toEqual(['2026-12-05', '2026-12-12', '2026-12-19', '2026-12-26'])
      const [one = '', other = ''] = world.heard().split('\n\n')
      expect([/5 Dec.* free/.test(one), /12 Dec/.test(other)]).toEqual([true, true])
    },
  )

  it.each([
    ['work shift fri 14-18 and sat 8-12', 'Work shift'],
    ['schicht freitag 14 bis 18 uhr und samstag 8 bis 12 uhr', 'Schicht'],
  ])('one title at two times is two events: %s', async (said, title) => {
    const world = await talked(said)
    for (const when of ['Friday 27 November, 14:00', 'Saturday 21 November, 08:00']) {
      const card = await onlyOne(world)
      expect(card.full).toContain(`title: ${title}\n  starts: ${when}`)
      await world.say(`yes ${card.number}`)
    }
    expect(await waiting(world)).toEqual([])
  })

  it.each(['am I free fri 14-18 and sat 8-12', 'move the shift fri 14-18 and sat 8-12'])(
    'what asks, or changes one, books none: %s',
    async (said) => {
      const cards = await waiting(await talked(said))
      expect(cards.filter(({ tool }) => tool === 'calendar.create_event')).toEqual([])
    },
  )

  it.each(['sag die morgige ab', 'sag den morgigen Termin bitte ab', 'sag die morgige Choir ab'])(
    'what is off tomorrow is that of tomorrow, after its card: %s',
    async (said) => {
      const world = await talked(said)
      expect((await onlyOne(world)).tool).toBe('calendar.delete_event')
      expect(world.calls[0]?.args).toEqual({
        ...{ from: '2026-11-21T00:00:00+01:00', to: '2026-11-22T00:00:00+01:00' },
      })
    },
  )
})

it.each([
  ['order a pizza', '“order a pizza”'],
  ['bestell eine pizza', '“bestell eine pizza”'],
])('what cannot be bought is named as it was typed: %s', async (said, words) => {
  const world = await talked(said)
  expect(world.heard()).toContain(words)
  expect(world.heard()).not.toContain('flights')
})

it.each([
  ['book choir practice every tuesday 7:30pm till 9 until easter', 'Choir practice', 'Tuesday 23 March 2027'],
  ['chorprobe jeden donnerstag 19:30 bis 21 uhr bis ostern', 'Chorprobe', 'Thursday 25 March 2027'],
])('a series ends before Easter: %s', async (said, title, last) => {
  const card = await onlyOne(await talked(said))
  expect(card.full).toContain(`title: ${title}\n`)
  expect(card.full).toContain(`the last on ${last}`)
  expect(card.full).toMatch(/19:30–21:00/)
})
