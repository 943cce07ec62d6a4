/**
 * What the owner says of a card that waits (F-11): other words for its text, and changes of its time, its people and its name, without a
 * model. What is sent afterwards is byte for byte what the new card shows; what was not changed is said.
 */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { onlyOne, waiting } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, message, type ScriptedTool, scriptedModel, type World } from './world.ts'

const sent: ScriptedTool = ({ to }) => ({
  ok: true,
  output: { to: [to].flat() as string[], refused: [], filed: true },
})
const tools: Record<string, ScriptedTool> = {
  ...mailTools(),
  ...calendarTools(),
  ...{ 'email.send': sent, 'email.reply': sent, 'email.forward': sent },
  'email.draft': () => ({ ok: true, output: { id: 'd1' } }),
  'calendar.update_event': ({ from, to }) => ({
    ok: true,
    output: { id: 'e1', from, to, before: { from: '2026-11-27T08:00:00Z', to: '2026-11-27T09:00:00Z' } },
  }),
}
const contacts = [
  { name: 'Sarah Chen', email: 'sarah@friends.example' },
  { name: 'Mira Vogel', email: 'mira@family.example' },
  { name: 'Tom Baker', email: 'tom@baker.example' },
]
const having = (): World => createWorld({ tools, contacts, pushes: true })

const done = ({ calls }: World) =>
  calls.filter(({ tool }) =>
    /^(?:email\.(?:send|reply|forward)|calendar\.(?:create|update)_event)$/.test(tool),
  )

/** Says each, then yes to the only card. */
async function agreed(...said: readonly string[]): Promise<Record<string, unknown>> {
  const world = having()
  for (const one of said) await world.say(one)
  const before = done(world).length
  expect(before).toBe(0)
  const card = await onlyOne(world)
  await world.say(`yes ${card.number}`)
  const [call, ...more] = done(world)
  expect(more).toEqual([])
  return { card: card.full, ...call?.args }
}

const WRITE = 'write to Mira: can you look after the dog on tuesday?'
const BOOK = 'book coffee with Tom on Friday at 15:00'

it('a request that is made again while its card waits is done once by a yes', async () => {
  const world = having()
  await world.say(BOOK)
  await world.say(BOOK)
  await world.say('yes')
  expect(done(world)).toHaveLength(1)
  expect(await waiting(world)).toEqual([])
  expect(world.sent.filter(({ text }) => text.endsWith('It is done once.'))).toHaveLength(2)
})

describe('two requests of one message', () => {
  const BOTH = 'coffee with Tom on Sunday at 3pm and drinks with Mira on Sunday at 5pm'

  it('both stay when one of them is changed', async () => {
    const world = having()
    await world.say(BOTH)
    await world.say('at 4 instead')
    const cards = await waiting(world)
    expect(cards.map(({ full }) => /title: (.+)/.exec(full)?.[1])).toEqual([
      'Coffee with Tom',
      'Drinks with Mira',
    ])
    for (const { number } of cards) await world.say(`yes ${number}`)
    expect(done(world).map(({ args }) => String(args['from']).slice(11, 16))).toEqual(['16:00', '17:00'])
  })

  it('the second is still asked about after a no to the first, which its card names no more', async () => {
    const world = having()
    await world.say(BOTH)
    await world.say('no')
    const card = await onlyOne(world)
    expect(card.full).toContain('Drinks with Mira')
    expect(card.full).not.toContain('Coffee')
    await world.say(`yes ${card.number}`)
    expect(done(world)).toHaveLength(1)
  })

  it('what is reminded of ahead of an event is not set after a no to the event', async () => {
    const world = having()
    await world.say('book coffee with Tom on Friday at 15:00 and remind me an hour before')
    await world.say('no')
    expect(await waiting(world)).toEqual([])
    await world.say('what reminders do I have?')
    expect(world.heard()).not.toContain('Coffee with Tom, Fri')
    expect(world.calls.filter(({ tool }) => tool === 'reminder.set')).toEqual([])
  })
})

it.each([
  ['oh no i meant thursday', /starts: Thursday 26 November, 15:00/],
  ['ach nee, doch Samstag', /Samstag 21\. November, 15:00|Saturday 21 November, 15:00/],
  ['actually friday at 4', /starts: Friday 27 November, 16:00/],
  ['oops, i meant 5pm', /starts: Friday 27 November, 17:00/],
])('another time that is meant after it is booked changes the event: %s', async (said, shows) => {
  const world = having()
  await world.say(BOOK)
  await world.say('yes')
  await world.say(said)
  const card = await onlyOne(world)
  expect(card.tool).toBe('calendar.update_event')
  expect(card.full).toMatch(shows)
})

describe('other words for a mail', () => {
  it.each([
    ['a new one', [WRITE], 'email.send'],
    ['an answer', ['reply to Sarah: the numbers are fine'], 'email.reply'],
    ['one that is sent on', ['forward the mail from Sarah to Tom'], 'email.forward'],
    ['one that is sent on with a word', ['forward the mail from Sarah to Tom: see below'], 'email.forward'],
  ])('%s takes its text, shows it and sends it', async (_, said, tool) => {
    const world = having()
    for (const one of said) await world.say(one)
    const old = await onlyOne(world)
    expect(old.tool).toBe(tool)
    await world.say('edit: Hi there,\nLove, Nora')
    const card = await onlyOne(world)
    expect(card.id).not.toBe(old.id)
    expect(world.sent.filter(({ kind }) => kind === 'card').at(-1)?.text).toContain('Love, Nora')
    expect(card.full).toContain('Hi there,')
    await world.say('yes')
    const [call] = done(world)
    expect(call?.tool).toBe(tool)
    expect(call?.args[tool === 'email.forward' ? 'note' : 'body']).toBe('Hi there,\nLove, Nora')
  })

  it.each([
    ['right after the card', []],
    ['after another message', ['when am I free on Monday?']],
  ])('counts %s, with its number and without', async (_, between) => {
    for (const edit of ['edit: Hello', 'edit 1: Hello', 'edit 1 Hello', '/edit 1 Hello', 'Ändere 1: Hello'])
      expect(await agreed(WRITE, ...between, edit)).toMatchObject({ body: 'Hello' })
  })

  it('can be for its subject, and neither edit undoes the other', async () => {
    const sentMail = await agreed(WRITE, 'edit: One', 'edit subject: The dog', 'edit: Two')
    expect(sentMail).toMatchObject({ body: 'Two', subject: 'The dog', to: ['mira@family.example'] })
    expect(await agreed(WRITE, 'edit body: One')).toMatchObject({ body: 'One' })
  })

  it('stay when something else is changed by what is said next', async () => {
    expect(await agreed(WRITE, 'edit: One', 'add a cc to Sarah', 'subject: The dog')).toMatchObject({
      ...{ body: 'One', subject: 'The dog', to: ['mira@family.example'], cc: ['sarah@friends.example'] },
    })
  })

  it.each([
    ['not to Sarah but to Tom', { to: ['mira@family.example'], cc: ['tom@baker.example'] }],
    ['nicht an Sarah, sondern an Tom', { to: ['mira@family.example'], cc: ['tom@baker.example'] }],
    ['not to Mira but to Tom', { to: ['tom@baker.example'], cc: ['sarah@friends.example'] }],
  ])('somebody else gets it in place of who is named: %s', async (said, args) => {
    expect(await agreed(WRITE, 'cc Sarah', said)).toMatchObject(args)
  })

  it.each([
    ...['and Sarah too', 'and to Sarah as well', 'also to Sarah', 'and also to Sarah', 'und an Sarah auch'],
    ...['und Sarah auch', 'auch an Sarah', 'schick sie auch an Sarah', 'also send it to Sarah'],
  ])('one more gets it, besides who is named: %s', async (said) => {
    expect(await agreed(WRITE, said)).toMatchObject({ to: ['mira@family.example', 'sarah@friends.example'] })
  })

  it.each([
    ['edit to: Tom', { to: ['tom@baker.example'] }],
    ['edit to: anna@example.org', { to: ['anna@example.org'] }],
    ['change the subject to The dog', { subject: 'The dog' }],
    ['nein, ändere den Betreff in Der Hund', { subject: 'Der Hund' }],
    ['not to Mira but to Tom', { to: ['tom@baker.example'] }],
    ['nein, warte, nicht an mira sondern an tom', { to: ['tom@baker.example'] }],
    ['no, to Tom', { to: ['tom@baker.example'] }],
    ['cc Sarah', { cc: ['sarah@friends.example'] }],
    ['setz Sarah auch in Kopie', null],
    ['und sarah in kopie', { cc: ['sarah@friends.example'] }],
    ['betreff lieber: Der Hund', { subject: 'Der Hund' }],
    ['häng noch lg jule dran', { body: 'Can you look after the dog on tuesday?\n\nlg jule' }],
    ['füg lg jule an', { body: 'Can you look after the dog on tuesday?\n\nlg jule' }],
    ['add lg jule at the end', { body: 'Can you look after the dog on tuesday?\n\nlg jule' }],
    ['put Sarah in cc', { cc: ['sarah@friends.example'] }],
    [
      'edit: add a cc to Sarah',
      { cc: ['sarah@friends.example'], body: 'Can you look after the dog on tuesday?' },
    ],
  ])('and who gets it: %s', async (said, args) => {
    if (args !== null) expect(await agreed(WRITE, said)).toMatchObject(args)
  })

  it.each([
    ['edit note: x', /^I have not changed it: say which text.*subject.*"edit subject: …"/],
    ['edit 99: x', /^I have not changed it\. /],
    ['edit to: Zoe Unknown', /^I have not changed what waits: I have no address/],
    ['edit cc: Zoe Unknown', /^I have not changed what waits: I have no address/],
  ])('that fit nothing change nothing, and that is said: %s', async (said, words) => {
    const world = having()
    await world.say(WRITE)
    const { id } = await onlyOne(world)
    await world.say(said)
    expect(world.heard()).toMatch(words)
    expect((await onlyOne(world)).id).toBe(id)
  })

  it('of one of several cards: the one shown last, else it is asked which', async () => {
    const world = having()
    await world.say(WRITE)
    await world.say(BOOK)
    await world.say('edit: Tea')
    expect((await waiting(world)).map(({ full }) => full).join()).toContain('title: Tea')
    await world.say('when am I free on Monday?')
    await world.say('edit: Cake')
    expect(world.heard()).toBe(
      'I have not changed any of them: several cards wait. Say which, by its number: "edit 1: …".',
    )
    await world.say('edit 1: Dear Mira')
    expect((await waiting(world)).map(({ full }) => full).join()).toContain('Dear Mira')
  })

  it('of a card that is over is told how it ended', async () => {
    const world = having()
    await world.say(WRITE)
    await world.say('no')
    await world.say('edit 1: Hello')
    expect(world.heard()).toMatch(/^Cancelled at 12:00: I did not do it/)
    expect(await waiting(world)).toEqual([])
  })

  it.each(['edit: Hello', 'edit 1: Hello'])('are told that nothing waits: %s', async (said) => {
    const world = having()
    await world.say(said)
    expect(world.heard()).toMatch(/^(?:Nothing waits for your yes or no here\.|I have not changed it\.)/)
  })

  it('say at a chat of another person nothing', async () => {
    const world = having()
    await world.say(WRITE)
    const { id } = await onlyOne(world)
    const source = { adapter: 'telegram', user: '7', chat: '7', group: false }
    await world.shell.receive({ ...message('edit 1: Hello', { id: 'p1' }), source }).catch(() => undefined)
    expect((await onlyOne(world)).id).toBe(id)
  })
})

describe('a change of an event that waits', () => {
  const at = (from: string, to: string) => ({
    from: expect.stringContaining(from),
    to: expect.stringContaining(to),
  })
  it.each([
    ['at 4 instead', at('27T16:00', '27T17:00')],
    ['edit: half an hour later', at('27T15:30', '27T16:30')],
    ['make it half an hour later', at('27T15:30', '27T16:30')],
    ['half an hour longer', at('27T15:00', '27T16:30')],
    ['make it seven', at('27T19:00', '27T20:00')],
    ['make it 7pm instead', at('27T19:00', '27T20:00')],
    ['make it on Monday', at('23T15:00', '23T16:00')],
    ['all day', at('27T00:00', '28T00:00')],
    ['edit 1: at 16:30', at('27T16:30', '27T17:30')],
    ['um 16 Uhr stattdessen', at('27T16:00', '27T17:00')],
    ['eine halbe Stunde später', at('27T15:30', '27T16:30')],
    ['lieber um 16:30', at('27T16:30', '27T17:30')],
    ['doch lieber um 16:30', at('27T16:30', '27T17:30')],
    ['rather at 4', at('27T16:00', '27T17:00')],
    ['actually half five', at('27T17:30', '27T18:30')],
    ['hang on, half five', at('27T17:30', '27T18:30')],
    ['augenblick, doch halb sechs', at('27T17:30', '27T18:30')],
    ['half five', at('27T17:30', '27T18:30')],
    ['ne doch lieber halb sechs', at('27T17:30', '27T18:30')],
    ['ach quatsch, um 16:10', at('27T16:10', '27T17:10')],
    ['oh wait, quarter to six', at('27T17:45', '27T18:45')],
    ['nein, den termin um halb sechs', at('27T17:30', '27T18:30')],
    ["hmm, no, friday's no good, do saturday", at('21T15:00', '21T16:00')],
    ["wait, i'm at the market then, make it 5", at('27T17:00', '27T18:00')],
    ['sorry, I meant saturday', at('21T15:00', '21T16:00')],
    ['change friday to saturday', at('21T15:00', '21T16:00')],
    ['saturday instead of friday', at('21T15:00', '21T16:00')],
    ['make it 45 minutes', at('27T15:00', '27T15:45')],
    ['and make it 45 min', at('27T15:00', '27T15:45')],
    ['und 30 min nur', at('27T15:00', '27T15:30')],
    ['nur eine halbe Stunde', at('27T15:00', '27T15:30')],
    ['till 8', at('27T15:00', '27T20:00')],
    ['bis halb sechs', at('27T15:00', '27T17:30')],
    ['doch lieber raum 2', { location: 'raum 2' }],
    ['nicht um drei sondern um vier', at('27T16:00', '27T17:00')],
  ])('moves it: %s', async (said, times) => {
    expect(await agreed(BOOK, said)).toMatchObject({ title: 'Coffee with Tom', ...times })
  })

  it('is told by what was booked, without the times that were reckoned for it', async () => {
    const world = having()
    for (const one of [BOOK, 'at 4 instead', 'yes']) await world.say(one)
    expect(done(world)).toHaveLength(1)
    const told = world.sent.find(({ text }) => text.includes('Booked: '))
    expect(told?.text).toMatch(/^Booked: Fri 27 Nov, 16:00/)
  })

  it.each([
    ['and invite Sarah', ['sarah@friends.example']],
    ['invite Sarah and Mira', ['sarah@friends.example', 'mira@family.example']],
    ['lade Sarah auch ein', ['sarah@friends.example']],
    ['and Sarah too', ['sarah@friends.example']],
  ])('adds people: %s', async (said, attendees) => {
    expect(await agreed(BOOK, said)).toMatchObject({ title: 'Coffee with Tom', attendees })
  })

  it('is made of several parts, and of several messages', async () => {
    const both = await agreed(BOOK, 'make it seven instead and invite Tom')
    expect(both).toMatchObject({ ...at('27T19:00', '27T20:00'), attendees: ['tom@baker.example'] })
    const each = await agreed(BOOK, 'at 4 instead', 'and invite Tom', 'title: Cake', 'half an hour later')
    expect(each).toMatchObject({
      ...at('27T16:30', '27T17:30'),
      title: 'Cake',
      attendees: ['tom@baker.example'],
    })
  })

  it.each([
    'title: Cake with Tom',
    'edit: title Cake with Tom',
    'edit title: Cake with Tom',
    'call it Cake with Tom',
    'edit: Cake with Tom',
  ])('names it: %s', async (said) => {
    expect(await agreed(BOOK, said)).toMatchObject({ title: 'Cake with Tom', ...at('27T15:00', '27T16:00') })
  })

  it('keeps being possible, and the owner’s, after a mail of a stranger was read', async () => {
    const read = ['check my mail', 'read the one from Eve', BOOK, 'half an hour later']
    const made = await agreed(...read, 'at 4 instead', 'and invite Sarah', 'half an hour longer')
    expect(made).toMatchObject({ ...at('27T16:00', '27T17:30'), attendees: ['sarah@friends.example'] })
    expect(made['card']).not.toContain('I wrote: ')
  })

  it('of one that is moved, before it was', async () => {
    const moved = await agreed('move the standup to 10:30', 'make it 11 instead', 'and invite Tom')
    expect(moved).toMatchObject({
      ...{ id: 'e1', from: expect.stringContaining('27T11:00'), invite: ['tom@baker.example'] },
    })
  })

  it.each(['edit: half an hour laterish somehow instead', 'make it better instead'])(
    'that is not understood leaves it, and says so: %s',
    async (said) => {
      const world = having()
      await world.say(BOOK)
      const { id } = await onlyOne(world)
      await world.say(said)
      expect(world.heard()).toMatch(/not (?:changed|understand)/)
      expect((await onlyOne(world)).id).toBe(id)
    },
  )
})

describe('what stands behind a booking', () => {
  it.each([
    [
      'book coffee with Tom on Friday at 10, invite him',
      { title: 'Coffee with Tom', attendees: ['tom@baker.example'] },
    ],
    [
      'book coffee with Tom on Friday at 10 and invite him',
      { title: 'Coffee with Tom', attendees: ['tom@baker.example'] },
    ],
    ["put mum's birthday in the calendar on the 28th of December, all day", { title: "Mum's birthday" }],
  ])('is no part of its title: %s', async (said, args) => {
    expect(await agreed(said)).toMatchObject(args)
  })
})

describe('an answer to a card, with more beside it', () => {
  it.each([
    'no, wait',
    'no wait',
    'No, hold on!',
    'wait, no',
    'nein, warte',
    'nein, lieber nicht',
    'halt, nein',
  ])('in haste is a no: %s', async (said) => {
    const world = having()
    await world.say(WRITE)
    await world.say(said)
    expect(await waiting(world)).toEqual([])
    expect(done(world)).toEqual([])
    expect(world.sent.map(({ text }) => text).join('\n')).toContain('Cancelled: I did not do it.')
  })

  it.each(['no, at 4', 'no, invite Tom', 'wait'])(
    'that says something else is no answer: %s',
    async (said) => {
      const world = having()
      await world.say(BOOK)
      await world.say(said)
      expect(await waiting(world)).toHaveLength(1)
    },
  )

  it.each(['yes to both', 'yes to all', 'yes 1 and 3', 'yes 1, 3', 'ja zu beiden', 'Yes to all of them.'])(
    'to several at once does none of them, and says how each is answered: %s',
    async (said) => {
      const world = having()
      await world.say(WRITE)
      await world.say(BOOK)
      await world.say(said)
      expect(done(world)).toEqual([])
      expect(await waiting(world)).toHaveLength(2)
      expect(world.heard()).toBe(
        'I have done none of them: each card needs a yes of its own. Say "yes 1", "yes 3".',
      )
      await world.say('yes 1')
      await world.say('yes 3')
      expect(done(world).map(({ tool }) => tool)).toEqual(['email.send', 'calendar.create_event'])
    },
  )

  it.each(['no to both', 'nein zu beiden', 'no to all of them', 'no 1 and 3'])(
    'that is a no to several is one to each of them, for it changes nothing: %s',
    async (said) => {
      const world = having()
      await world.say(WRITE)
      await world.say(BOOK)
      await world.say(said)
      expect(await waiting(world)).toEqual([])
      expect(done(world)).toEqual([])
      expect(world.sent.map(({ text }) => text).join('\n')).toContain(
        'You said no to all that waited (2): none of it is done.',
      )
    },
  )

  it.each(['no to both', 'no 1 and 9'])('is none to what is not there: %s', async (said) => {
    const world = having()
    await world.say(WRITE)
    await world.say(said)
    expect(await waiting(world)).toHaveLength(1)
    expect(world.heard()).toContain('Say "no 1"')
  })

  it('to all is a message like any where nothing waits', async () => {
    const world = having()
    const task = await world.say('yes to all')
    expect(world.disk.store.loadTask(task)?.typed).toBeUndefined()
  })
})

describe('another tone for a text on a card', () => {
  it.each([
    'make it more polite',
    'mach das höflicher',
    'can you rephrase that?',
    'formuliere die Mail bitte etwas freundlicher',
  ])('says that it needs a model where there is none, and the card waits as it was: %s', async (said) => {
    const home = createRulesModel({ place: 'home', home: HOME_RULES })
    const world = createWorld({ tools, contacts, pushes: true, models: [home] })
    await world.say(WRITE)
    const { full } = await onlyOne(world)
    await world.say(said)
    expect(world.heard()).toMatch(/need a language model/)
    expect((await onlyOne(world)).full).toBe(full)
  })

  const COMPOSED = { id: 's1', do: 'compose', from: ['q1.body'], instruction: 'More polite.', maxChars: 400 }
  const SENDS = { to: [{ $ref: 'q1.to' }], subject: { $ref: 'q1.subject' }, body: { $ref: 's1' } }

  async function reworded(...steps: readonly object[]) {
    const plans = [[COMPOSED, ...steps]]
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan'
        ? JSON.stringify({ steps: plans.shift() ?? [] })
        : 'Dear Mira, could you kindly look after the dog?',
    )
    const world = createWorld({ tools, contacts, pushes: true, models: [model] })
    await world.say(WRITE)
    const task = await world.say('mach das höflicher')
    const traces = world.disk.store.loadTask(task)?.traces ?? []
    return { world, outcomes: traces.map(({ outcome, reason }) => reason ?? outcome) }
  }

  it('is written by a model from the text on the card, and only the new card waits', async () => {
    const { world } = await reworded({ id: 's2', do: 'tool', tool: 'email.send', args: SENDS })
    const card = await onlyOne(world)
    expect(card.full).toContain('body: Dear Mira, could you kindly look after the dog?')
    expect(card.full).toContain('mira@family.example')
    expect(done(world)).toEqual([])
    await world.say(`yes ${card.number}`)
    expect(done(world)).toMatchObject([{ args: { body: 'Dear Mira, could you kindly look after the dog?' } }])
  })

  it.each([
    ['another tool', { id: 's2', do: 'tool', tool: 'memory.save', args: { text: { $ref: 's1' } } }],
    [
      'another argument',
      { id: 's2', do: 'tool', tool: 'email.send', args: { ...SENDS, subject: { $ref: 's1' } } },
    ],
    [
      'a mail that takes nothing else of the card, whose card would wait beside it',
      {
        id: 's2',
        do: 'tool',
        tool: 'email.send',
        args: { ...SENDS, to: ['mira@family.example'], subject: 'Dog' },
      },
    ],
    ['another text', { id: 's2', do: 'compose', from: ['s1'], instruction: 'Short.', maxChars: 80 }],
  ])('is not written for %s', async (_, step) => {
    const { world, outcomes } = await reworded(step)
    expect(outcomes[0]).toBe('reference_unresolved')
    expect((await onlyOne(world)).full).toContain('body: Can you look after the dog on tuesday?')
  })

  it('is not written for nothing, which a later plan could take elsewhere', async () => {
    const { outcomes } = await reworded()
    expect(outcomes[0]).toBe('reference_unresolved')
  })
})
