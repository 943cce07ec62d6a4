/**
 * What the owner says next of a text that stands on a card (F-11): other words for some of it, without some of it, or more. Nothing of it
 * becomes a request of its own, what others wrote in it stays theirs, and what is sent is byte for byte what the new card shows.
 */
import { describe, expect, it } from 'vitest'
import { onlyOne, waiting } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const sent: ScriptedTool = ({ to }) => ({
  ok: true,
  output: { to: [to].flat() as string[], refused: [], filed: true },
})
const tools: Record<string, ScriptedTool> = {
  ...mailTools(),
  ...calendarTools(),
  ...{ 'email.send': sent, 'email.reply': sent, 'email.forward': sent },
}
const contacts = [
  { name: 'Sarah Chen', email: 'sarah@friends.example' },
  { name: 'Mira Vogel', email: 'mira@family.example' },
  { name: 'Tom Baker', email: 'tom@baker.example' },
]
const having = (): World => createWorld({ tools, contacts, pushes: true })
const done = ({ calls }: World) =>
  calls.filter(({ tool }) =>
    /^(?:email\.(?:send|reply|forward)|calendar\.(?:create|update|delete)_event)$/.test(tool),
  )

async function agreed(...said: readonly string[]): Promise<Record<string, unknown>> {
  const world = having()
  for (const one of said) await world.say(one)
  expect(done(world)).toEqual([])
  const card = await onlyOne(world)
  await world.say(`yes ${card.number}`)
  const [call, ...more] = done(world)
  expect(more).toEqual([])
  return { card: card.full, tool: call?.tool, ...call?.args }
}

const WRITE = 'write to Mira: can you look after the dog on tuesday?'
const BOOK = 'book coffee with Tom on Friday at 15:00'

describe('a text on a card is corrected by what is said next', () => {
  it.each([
    ['change tuesday to Wednesday', 'Can you look after the dog on Wednesday?'],
    ['hmm, say cat instead of dog', 'Can you look after the cat on tuesday?'],
    ['nicht tuesday sondern friday', 'Can you look after the dog on friday?'],
    ['without on tuesday', 'Can you look after the dog?'],
    ['add: thanks a lot', 'Can you look after the dog on tuesday? Thanks a lot.'],
    ['and sign it Nora', 'Can you look after the dog on tuesday?\n\nNora'],
  ])('%s', async (said, body) => {
    expect(await agreed(WRITE, said)).toMatchObject({ tool: 'email.send', body, to: ['mira@family.example'] })
  })

  it('in each of its texts, and one correction after another', async () => {
    const mail = await agreed(WRITE, 'change tuesday to Friday', 'say cat instead of dog', 'sign it Nora')
    expect(mail).toMatchObject({ body: 'Can you look after the cat on Friday?\n\nNora' })
    expect(mail['subject']).not.toMatch(/tuesday|dog/)
  })

  it('by its name, where the text is the name of an event', async () => {
    expect(await agreed(BOOK, 'say tea instead of coffee')).toMatchObject({ title: 'Tea with Tom' })
  })

  it('stays the owner’s where it was, and with other changes', async () => {
    const mail = await agreed(WRITE, 'cc Sarah', 'change tuesday to Friday', 'subject: The dog')
    expect(mail).toMatchObject({
      body: 'Can you look after the dog on Friday?',
      ...{ cc: ['sarah@friends.example'], subject: 'The dog' },
    })
    expect(mail['card']).not.toContain('Others wrote')
  })

  it('where several cards wait, in the one in which the words stand', async () => {
    const world = having()
    await world.say(WRITE)
    await world.say(BOOK)
    await world.say('say cat instead of dog')
    const all = (await waiting(world)).map(({ full }) => full).join('\n')
    expect(all).toContain('look after the cat')
    expect(all).toContain('title: Coffee with Tom')
  })

  it('also after another message, where the words stand in it', async () => {
    expect(await agreed(WRITE, 'when am I free on Monday?', 'say cat instead of dog')).toMatchObject({
      body: 'Can you look after the cat on tuesday?',
    })
  })
})

it.each(['change Thursday to Saturday', 'say 12 instead of 11', 'nimm 4300 statt 4200', 'ohne das danke'])(
  'what does not stand in it changes nothing, asks for nothing else, and is said: %s',
  async (said) => {
    const world = having()
    await world.say(WRITE)
    const { id } = await onlyOne(world)
    await world.say(said)
    expect(world.heard()).toMatch(/those words do not stand in its text\. It still waits/)
    expect((await onlyOne(world)).id).toBe(id)
    expect(done(world)).toEqual([])
  },
)

describe('an answer that did nothing', () => {
  it('says that a card still waits, and for what, in one line', async () => {
    const world = having()
    await world.say(WRITE)
    const { id } = await onlyOne(world)
    await world.say('what about the gizmo thing then')
    const [, note, ...more] = world.heard().split('PFAR: ')
    expect(note).toMatch(/^This still waits for your answer: Send this mail.*Mira/)
    expect([more, note?.includes('\n')]).toEqual([[], false])
    expect((await onlyOne(world)).id).toBe(id)
  })

  it('tells nothing of what others wrote on it', async () => {
    const world = having()
    await world.say('reply to Sarah: the numbers are fine')
    await world.say('what about the gizmo thing then')
    expect(world.heard()).toMatch(/PFAR: This still waits for your answer: Send this reply/)
    expect(world.heard()).not.toContain('numbers')
  })

  it('says nothing of the kind where something was done, or nothing waits', async () => {
    const world = having()
    await world.say('what about the gizmo thing then')
    expect(world.heard()).not.toContain('still waits')
    await world.say(WRITE)
    await world.say('when am I free on Monday?')
    expect(world.heard()).not.toContain('still waits')
  })
})

it.each(['make it a bit nicer', 'what about the gizmo thing then'])(
  'is of the mail that waits, behind an answer that did nothing: %s',
  async (between) => {
    const world = having()
    await world.say(WRITE)
    await world.say(between)
    await world.say('add: thanks, Anna')
    expect(world.sent.map(({ text }) => text).join()).toContain('hanks, Anna')
    const [one, ...others] = await waiting(world)
    expect([one?.tool, others]).toEqual(['email.send', []])
  },
)

it('is a message like any where nothing waits', async () => {
  const world = having()
  const task = await world.say('say Wednesday instead of tomorrow')
  expect(world.disk.store.loadTask(task)?.typed).toBeUndefined()
  expect(await waiting(world)).toEqual([])
})

describe('who is on a card', () => {
  it.each([
    [`${BOOK} and invite Sarah and Tom`, 'without tom', { attendees: ['sarah@friends.example'] }],
    [`${BOOK} and invite Sarah and Tom`, 'ohne Tom', { attendees: ['sarah@friends.example'] }],
    [`${BOOK} and invite Sarah and Tom`, "don't invite Sarah", { attendees: ['tom@baker.example'] }],
    [`${BOOK} and invite Tom`, 'without Tom', { attendees: undefined }],
    ['write to Mira and Tom: Tom drives on tuesday', 'without Tom', { to: ['mira@family.example'] }],
  ])('is left out, and the text stays: %s; %s', async (asked, said, args) => {
    const one = await agreed(asked, said)
    expect({ attendees: one['attendees'], to: one['to'] }).toMatchObject(args)
    expect(String(one['title'] ?? one['body'])).toMatch(/Tom/)
  })

  it('whoever a mail goes to alone stays', async () => {
    const world = having()
    await world.say(WRITE)
    await world.say('without Mira')
    expect((await onlyOne(world)).full).toContain('mira@family.example')
  })
})

describe('two changes of the times of an event in one message', () => {
  it.each([
    ['at 4 and make it two hours', '2026-11-27T16:00+01:00', '2026-11-27T18:00+01:00'],
    ['make it half an hour, at 16:30', '2026-11-27T16:30+01:00', '2026-11-27T17:00+01:00'],
    ['make it an hour and a half', '2026-11-27T15:00:00+01:00', '2026-11-27T16:30+01:00'],
  ])('%s', async (said, from, to) => {
    expect(await agreed(BOOK, said)).toMatchObject({ from, to })
  })
})

describe('the calendar of an event on a card', () => {
  it.each([
    ['move it to the work calendar', 'work'],
    ['in the work calendar please', 'work'],
    ['put it in my family calendar', 'family'],
    ['trag es in den Kalender Arbeit ein', 'Arbeit'],
  ])('%s', async (said, calendar) => {
    expect(await agreed(BOOK, said)).toMatchObject({ tool: 'calendar.create_event', calendar })
  })

  it('is none that is called so', async () => {
    const world = having()
    await world.say(BOOK)
    await world.say('put that in my calendar')
    expect((await onlyOne(world)).full).not.toContain('calendar: my')
  })
})

it.each([
  [true, /Invited by mail: /],
  [false, /On the list of guests, and not told: /],
])('what was booked names who was invited (told: %s)', async (guestsTold, said) => {
  const world = createWorld({
    contacts,
    pushes: true,
    tools: {
      ...tools,
      'calendar.create_event': ({ title, from, to, attendees }) => ({
        ok: true,
        output: { id: 'e2', title, from, to, guestsTold, invited: attendees },
      }),
    },
  })
  await world.say(`${BOOK} and invite Sarah`)
  await world.say('yes')
  const told = world.sent.map(({ text }) => text).find((text) => text.startsWith('Booked'))
  expect(told).toMatch(said)
  expect(told).toMatch(/sarah(?:@|\[at\])friends/)
})
