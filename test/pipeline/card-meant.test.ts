/**
 * What a message is about while a card waits (F-11): a change by time alone is of the card that was shown since, and a no with more words
 * is a no whose rest is a request of its own.
 */
import { describe, expect, it } from 'vitest'
import { onlyOne, waiting } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const contacts = [
  { name: 'Mira Vogel', email: 'mira@family.example' },
  { name: 'Priya Shah', email: 'priya@friends.example' },
  { name: 'Tom Baker', email: 'tom@baker.example' },
]
const WRITE = 'write to Mira: can you look after the dog on tuesday?'
const LUNCH = 'book lunch with Priya on Thursday at 12:30'
const JOB = "every morning at 7 tell me what's on today and my new mail"

const sent: ScriptedTool = ({ to }) => ({
  ok: true,
  output: { to: [to].flat() as string[], refused: [], filed: true },
})
const tools = { ...mailTools(), ...calendarTools(), 'email.send': sent }
const having = (): World => createWorld({ tools, contacts, pushes: true })

async function given(...said: readonly string[]): Promise<World> {
  const world = having()
  for (const one of said) {
    await world.say(one)
    if (world.disk.store.jobs().some(({ state }) => state === 'asked')) {
      await world.shell.tick()
      world.clock.now += 1_000
      await world.say('yes')
    }
    world.clock.now += 1_000
  }
  return world
}

const jobAt = ({ disk }: World) => disk.store.jobs().map(({ repeat }) => repeat.first.slice(11))

describe('a change by time alone', () => {
  it.each([
    ['half an hour later', LUNCH],
    ['make it 13:00', LUNCH],
    ['eine halbe Stunde später', LUNCH],
    ['make that 13:00', LUNCH],
    ['half an hour later', WRITE],
    ['make it 7:30', WRITE],
    ['lieber um 8', WRITE],
  ])('is never of a job of which nothing was said since the card: %s after %s', async (said, asked) => {
    const world = await given(JOB, asked, 'at 13:00 instead', said)
    expect(jobAt(world)).toEqual(['07:00'])
    expect(await waiting(world)).toHaveLength(1)
  })

  it('is of the job once it was spoken of since the card', async () => {
    const world = await given(JOB, LUNCH, 'move job 1 to 7:45', 'make that 8:15')
    expect(jobAt(world)).toEqual(['08:15'])
    expect((await onlyOne(world)).full).toContain('12:30')
  })

  it('is of the card, and not of a reminder that came before it', async () => {
    const world = await given('remind me in 2 minutes to call mum')
    world.clock.now += 180_000
    await world.shell.tick()
    for (const one of [LUNCH, 'half an hour later']) await world.say(one)
    expect((await onlyOne(world)).full).toContain('starts: Thursday 26 November, 13:00')
  })

  it.each([
    [WRITE, 'half an hour later', /"edit: …"/, /half an hour/],
    [LUNCH, 'edit: half an hour laterish somehow instead', /half an hour later/, /edit: …/],
  ])('that a card cannot take is answered by what it can: %s, %s', async (asked, said, shows, hides) => {
    const world = await given(asked, said)
    const { id } = await onlyOne(world)
    expect(world.heard()).toMatch(shows)
    expect(world.heard().split('PFAR:')[0]).not.toMatch(hides)
    expect((await onlyOne(world)).id).toBe(id)
  })
})

describe('a no with more words', () => {
  it.each([
    ...[
      'no wait, keep it',
      'no leave it there',
      'nope',
      'no thanks',
      'nooo',
      'nee vergiss das',
      'nö, lieber nich',
    ],
    ...[
      'ne lass',
      'no, the other tom',
      'no to the priya one',
      'no just delete it',
      'nein, das war der andere',
    ],
    'no, as a reply to his mail',
  ])('refuses the only card that waits: %s', async (said) => {
    for (const between of [[], ['when am I free on Monday?']]) {
      const world = await given(WRITE, ...between, said)
      expect(await waiting(world)).toEqual([])
      expect(world.calls.filter(({ tool }) => tool === 'email.send')).toEqual([])
      expect(world.sent.map(({ text }) => text).join('\n')).toContain('Cancelled at 12:00: I did not do it.')
    }
  })

  it.each([
    ['no, the other tom', /not understand|other tom/i],
    ['no, check my mail', /unread/],
    ['nein, zeig mir meine Mails', /unread|ungelesen/],
  ])('has what is left as the next request: %s', async (said, answer) => {
    const world = await given(WRITE, said)
    expect(await waiting(world)).toEqual([])
    expect(world.sent.find(({ kind }) => kind === 'answer')?.text).toMatch(answer)
  })

  it('is to the card that was shown last where several wait, and to none of them after something else', async () => {
    const world = await given(WRITE, LUNCH, 'no, the other tom')
    expect((await onlyOne(world)).tool).toBe('email.send')
    const other = await given(WRITE, LUNCH, 'when am I free on Monday?', 'no, the other tom')
    expect(await waiting(other)).toHaveLength(2)
  })

  it.each([
    ...[
      'no problem',
      'no messages from tom?',
      'no, on Friday',
      'no, to Tom',
      'no, subject: Dog',
      'not now then maybe',
    ],
    ...['nein, an Tom', 'no, say Wednesday', 'no, and invite Tom'],
  ])('that is about the card itself, or is none, ends nothing: %s', async (said) => {
    const world = await given(WRITE, said)
    expect(await waiting(world)).toHaveLength(1)
  })

  it.each(['nein zu allem', 'alles abbrechen', 'no to everything', 'cancel everything', 'zu beidem nein'])(
    'ends all that waits: %s',
    async (said) => {
      const world = await given(WRITE, LUNCH, said)
      expect(await waiting(world)).toEqual([])
    },
  )

  it.each(['zu beidem ja', 'ja zu allem', '1 ja und 3 auch', 'yes, the other tom', 'yes wait, keep it'])(
    'has no yes for its like: %s',
    async (said) => {
      const world = await given(WRITE, LUNCH, said)
      expect(await waiting(world)).toHaveLength(2)
      expect(world.calls.filter(({ tool }) => /send|create/.test(tool))).toEqual([])
    },
  )
})

describe('a yes with more words', () => {
  it.each([
    'ja beide merken',
    'ja bitte merk dir das Haus',
    'yes remember the house',
    'ja, merk dir beides',
    'ja das merken',
  ])('is nothing to remember while a card waits: %s', async (said) => {
    const world = await given(WRITE, LUNCH, said)
    expect(await waiting(world)).toHaveLength(2)
    expect(world.sent.map(({ text }) => text).join('\n')).not.toMatch(
      /I will remember|I remember|merke mir|Noted/i,
    )
    expect(world.calls.filter(({ tool }) => tool.startsWith('memory.'))).toEqual([])
    expect(world.heard()).toMatch(/yes 1|1\. |Say which/)
  })
})

describe('the number of an option', () => {
  const INVITE = 'book lunch with Priya on Thursday at 12:30 and invite Sam'
  const TWO = [
    { name: 'Sam Hill', email: 'hill@baker.example' },
    { name: 'Sam Lake', email: 'lake@baker.example' },
  ]
  async function asked(...said: readonly string[]): Promise<World> {
    const world = createWorld({ tools, contacts: [...contacts, ...TWO], pushes: true })
    for (const one of [INVITE, ...said]) {
      await world.say(one)
      world.clock.now += 1_000
    }
    return world
  }

  it.each([
    ['1', 'hill', []],
    ['nein, die zweite meinte ich', 'lake', []],
    ['the second one i meant', 'lake', []],
    ['1', 'hill', ['hm what was that']],
    ['1', 'hill', ['check my mail', 'hm what was that']],
    ['the second', 'lake', ['check my mail', 'hm what was that']],
  ])('picks it also behind what was said since: %s', async (said, who, between) => {
    const card = await onlyOne(await asked(...between, said))
    expect(card.tool).toBe('calendar.create_event')
    expect(card.full).toContain(`${who}@baker.example`)
  })

  it('is of the rows that were shown since, where nothing says that the question waits', async () => {
    const world = await asked('check my mail', 'the first')
    expect((await onlyOne(world)).full).not.toContain('starts:')
  })
})

describe('an event with a guest', () => {
  const WITH_GUEST = 'lunch with Priya thursday 12.30, invite her'
  it.each([
    ['and invite tom', /tom@baker\.example[\s\S]*12:30/],
    ['at 1pm instead', /priya@friends\.example[\s\S]*starts: Thursday 26 November, 13:00/],
    ['half an hour later', /priya@friends\.example[\s\S]*starts: Thursday 26 November, 13:00/],
    ['make it 45 minutes', /priya@friends\.example[\s\S]*ends: Thursday 26 November, 13:15/],
  ])('is changed as one without, also while others wait: %s', async (said, shows) => {
    const before = ['check my mail', 'read the one from Eve', WRITE, 'book tea with Mira on Friday at 15:00']
    const world = await given(...before, WITH_GUEST, said)
    const cards = await waiting(world)
    expect(cards).toHaveLength(3)
    expect(cards.at(-1)?.full).toMatch(shows)
    await world.say('and invite Mira')
    expect((await waiting(world)).at(-1)?.full).toContain('mira@family.example')
  })
})
