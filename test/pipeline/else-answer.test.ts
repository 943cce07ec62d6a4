/** Another answer to a question with options than one of them (DESIGN §10): "none of these, Thursday at 4", "neither", "the second, but an hour later". */
import { describe, expect, it } from 'vitest'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { elseInMessage } from '../../kernel/task/answers/else-words.ts'
import { OWNER_PRINCIPAL as OWNER } from '../../kernel/task/principal.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }
const FIRST = 'lunch with Tom on Friday, please do the unusual thing'
const SPAN = { from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' }
const CONTACTS = [
  { name: 'Tom Miller', email: 'tom.miller@known.example' },
  { name: 'Tom Baker', email: 'tom.baker@known.example' },
]
const ASK = [
  {
    ...{ id: 's1', do: 'clarify', question: 'Which Tom do you mean?' },
    options: [{ $ref: 'contacts.people[0]' }, { $ref: 'contacts.people[1]' }],
  },
  {
    ...{ id: 's2', do: 'tool', tool: 'calendar.create_event' },
    args: { title: 'lunch', ...SPAN, attendees: [{ $ref: 's1.email' }] },
  },
]
const THURSDAY = [
  {
    ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
    args: { title: 'lunch', from: '2026-11-26T16:00:00Z', to: '2026-11-26T17:00:00Z' },
  },
]
const LATER = [
  { id: 's1', do: 'compute', op: 'shift', unit: 'hours', of: [{ $ref: 'q1.from' }, 1] },
  { id: 's2', do: 'compute', op: 'shift', unit: 'hours', of: [{ $ref: 'q1.to' }, 1] },
  {
    ...{ id: 's3', do: 'tool', tool: 'calendar.create_event' },
    args: {
      ...{ title: { $ref: 'q1.title' }, from: { $ref: 's1' }, to: { $ref: 's2' } },
      attendees: [{ $ref: 'q1.attendees[0]' }],
    },
  },
]

function worldOf(
  plans: readonly (readonly object[])[],
  pushes = true,
): {
  readonly world: World
  readonly shown: FinalPrompt[]
} {
  const shown: FinalPrompt[] = []
  const model = scriptedModel('local', (prompt) => {
    if (prompt.parts.purpose !== 'plan') return 'a text'
    shown.push(prompt)
    return JSON.stringify({ steps: plans[shown.length - 1] ?? [], explanation: '' })
  })
  return {
    world: createWorld({ tools: TOOLS, models: [model], contacts: CONTACTS, ...(pushes && { pushes }) }),
    shown,
  }
}

const pending = ({ disk }: World) => disk.store.pendingApprovals(OWNER).map(({ approval }) => approval)
/** Kinds of what was sent, where a closed card shows how it ended. */
const sentSince = ({ sent }: World, at: number) => sent.slice(at).map(({ kind }) => kind)
const called = ({ calls }: World): readonly unknown[] =>
  calls.filter(({ tool }) => tool === 'calendar.create_event').map(({ args }) => args)

describe('a question with options', () => {
  it.each([
    'none of these, Thursday at 4',
    'no, Thursday at 4',
    'keine davon, lieber Donnerstag um 16 Uhr',
    'neither, on Thursday at 4 instead',
  ])(
    'ends with “%s”, which is planned with the words of the first request and no answer in between',
    async (said) => {
      const { world, shown } = worldOf([ASK, THURSDAY])
      const first = await world.say(FIRST)
      const cards = world.sent.length
      await world.say(said)
      expect(shown).toHaveLength(2)
      expect(shown[1]?.user).toContain(FIRST)
      expect(shown[1]?.user).not.toContain(`(answered) ${FIRST}`)
      expect(pending(world).map(({ kind }) => kind)).toEqual(['tainted_write'])
      expect(sentSince(world, cards)).toEqual(['card', 'notice'])
      expect((await world.shell.report(first))?.task.state).toBe('cancelled')
      expect(
        world.audited.some(({ facts }) => facts['decision'] === 'deny' && facts['kind'] === 'clarification'),
      ).toBe(true)
    },
  )

  it.each(['none of these', 'neither', 'neither of them', 'keiner von beiden', 'keine davon'])(
    'ends with “%s” alone, and that is said',
    async (said) => {
      const { world, shown } = worldOf([ASK])
      await world.say(FIRST)
      await world.say(said)
      expect(pending(world)).toEqual([])
      expect(shown).toHaveLength(1)
      expect(sentSince(world, 1)).toEqual(['answer', 'notice'])
      expect(called(world)).toEqual([])
    },
  )

  it('takes “the second, but an hour later” as that option, and changes the card that comes of it', async () => {
    const { world } = worldOf([ASK, LATER])
    await world.say(FIRST)
    await world.say('the second, but an hour later')
    const [card, ...others] = pending(world)
    expect(others).toEqual([])
    await world.shell.decide({
      approval: card?.id ?? '',
      decision: 'approve',
      principal: OWNER,
      place: 'home',
    })
    await world.shell.run(OWNER)
    expect(called(world)).toMatchObject([
      { attendees: ['tom.baker@known.example'], from: '2026-11-27T15:00+01:00' },
    ])
  })

  it('is answered like this on a line that shows nothing by itself, too', async () => {
    const { world, shown } = worldOf([ASK, THURSDAY], false)
    await world.say(FIRST)
    await world.say('none of these, Thursday at 4')
    expect([shown.length, ...pending(world).map(({ kind }) => kind)]).toEqual([2, 'tainted_write'])
  })

  it('waits on while the message may be about something that came after it, or quotes another text', async () => {
    const { world } = worldOf([ASK, [], []])
    await world.say(FIRST)
    await world.say('none of these, Thursday at 4', 'm2', ['any text'])
    await world.say('none of these, Thursday at 4')
    expect(pending(world).map(({ kind }) => kind)).toEqual(['clarification'])
  })

  it('is not ended by a no that comes after it has expired, nor of anybody else', async () => {
    const { world, shown } = worldOf([ASK, []])
    await world.say(FIRST)
    world.clock.now += 3_600_000
    await world.say('none of these, Thursday at 4')
    expect(shown).toHaveLength(2)
    expect(world.audited.some(({ facts }) => facts['decision'] === 'deny' && facts['ok'] === true)).toBe(
      false,
    )
  })
})

it.each([
  ['none of these, Thursday at 4', { choice: null }],
  ['Neither. Friday at noon', { choice: null }],
  ['weder noch, lieber Montag', { choice: null }],
  ['the second, but an hour later', { choice: 2 }],
  ['die erste, aber eine Stunde später', { choice: 1 }],
  ['2 but at 5', { choice: 2 }],
  ['at 4', { choice: null }],
  ['none of these', null],
  ['2', null],
  ['no news from Tom?', null],
  ['nobody told me about it', null],
  ['the second, and what is the weather tomorrow?', null],
])('%s → %j', (said, meant) => {
  expect(elseInMessage(said)).toEqual(meant)
})
