/** The verb `clarify` (DESIGN §10): a question with options for the owner, answered by a number, and what may be done with the answer. */
import { describe, expect, it } from 'vitest'
import {
  buttonIdIn,
  buttonsUnder,
  createCardService,
  settleTap,
} from '../../integrations/channels/runtime/cards.ts'
import type { ChannelState } from '../../integrations/channels/runtime/channel-state.ts'
import type { Delivery } from '../../kernel/powers/ports.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { OWNER_PRINCIPAL as OWNER } from '../../kernel/task/principal.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }
const SPAN = { from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' }
const CONTACTS = [
  { name: 'Tom Miller', email: 'tom.miller@known.example' },
  { name: 'Tom Baker', email: 'tom.baker@known.example' },
]
const WHICH_TOM = {
  ...{ id: 's1', do: 'clarify', question: 'Which Tom do you mean?' },
  options: [{ $ref: 'contacts.people[0]' }, { $ref: 'contacts.people[1]' }],
}
const BOOK = {
  ...{ id: 's2', do: 'tool', tool: 'calendar.create_event' },
  args: { title: 'lunch', ...SPAN, attendees: [{ $ref: 's1.email' }] },
}
const WHICH_MAIL = [
  { id: 's1', do: 'tool', tool: 'email.list', args: {} },
  {
    ...{ id: 's2', do: 'clarify', question: 'Which one shall I read?' },
    options: [{ $ref: 's1.emails[0]' }, { $ref: 's1.emails[1]' }],
  },
  { id: 's3', do: 'tool', tool: 'email.read', args: { id: { $ref: 's2.id' } } },
]
const HOW = {
  ...{ id: 's1', do: 'clarify', question: 'Shall I book it for lunch or for dinner?' },
  options: ['lunch with the team', 'dinner with the team'],
}

function worldOf(
  steps: readonly object[],
  { again, pushes }: { readonly again?: true; readonly pushes?: true } = {},
): { readonly world: World; readonly shown: FinalPrompt[] } {
  const shown: FinalPrompt[] = []
  const model = scriptedModel('local', (prompt) => {
    if (prompt.parts.purpose !== 'plan') return 'a text'
    shown.push(prompt)
    if (shown.length > 1) return JSON.stringify({ steps: [], explanation: '' })
    return JSON.stringify({ steps, explanation: '', ...(again && { again }) })
  })
  return {
    world: createWorld({ tools: TOOLS, models: [model], contacts: CONTACTS, ...(pushes && { pushes }) }),
    shown,
  }
}

const pending = ({ disk }: World): readonly string[] =>
  disk.store.pendingApprovals(OWNER).map(({ approval }) => approval.id)

async function says(world: World, approval: string, decision: 'approve' | 'deny' = 'approve') {
  const decided = await world.shell.decide({ approval, decision, principal: OWNER, place: 'home' })
  await world.shell.run(OWNER)
  return decided.ok ? 'ok' : decided.reason.code
}

const called = ({ calls }: World, tool: string): readonly unknown[] =>
  calls.filter((call) => call.tool === tool).map(({ args }) => args)

describe('a question with options', () => {
  it('is shown to the owner with every option whole, and the chosen one is used', async () => {
    const { world } = worldOf([WHICH_TOM, BOOK])
    await world.say('lunch with Tom on Friday, please do the unusual thing')
    expect(world.heard()).toBe(
      [
        'Which Tom do you mean?',
        '  1: Tom Miller · tom.miller@known.example',
        '  2: Tom Baker · tom.baker@known.example',
        'Which one? Say its number, such as "1" or "the first".',
      ].join('\n'),
    )
    const [id = ''] = pending(world)
    expect(await says(world, `${id}.2`)).toBe('ok')
    expect(world.heard()).toContain('tom.baker@known.example')
    expect(world.heard()).not.toContain('tom.miller')
    expect(await says(world, pending(world)[0] ?? '')).toBe('ok')
    expect(called(world, 'calendar.create_event')).toMatchObject([{ attendees: ['tom.baker@known.example'] }])
  })

  it('needs the number of an option it has: a bare yes is none, and nothing is done', async () => {
    const { world } = worldOf([WHICH_TOM, BOOK])
    await world.say('lunch with Tom on Friday, please do the unusual thing')
    const [id = ''] = pending(world)
    for (const name of [id, `${id}.3`, `${id}.9`]) expect(await says(world, name)).toBe('choice_missing')
    expect(pending(world)).toEqual([id])
    expect(await says(world, `${id}.1`)).toBe('ok')
    expect(await says(world, `${id}.1`)).toBe('ok')
    expect(await says(world, `${id}.2`)).toBe('approval_spent')
    expect(called(world, 'calendar.create_event')).toEqual([])
  })

  it('ends with "none of these": nothing after it runs, and nothing is asked again', async () => {
    const { world } = worldOf([WHICH_TOM, BOOK])
    const task = await world.say('lunch with Tom on Friday, please do the unusual thing')
    expect(await says(world, pending(world)[0] ?? '', 'deny')).toBe('ok')
    expect(pending(world)).toEqual([])
    expect(called(world, 'calendar.create_event')).toEqual([])
    expect((await world.shell.report(task))?.task.state).toBe('completed')
  })

  it('shows what others wrote in one line each, and the plan goes on with the thing that was picked', async () => {
    const { world } = worldOf(WHICH_MAIL)
    await world.say('read it, please do the unusual thing')
    const lines = world.heard().split('\n')
    expect(lines).toHaveLength(4)
    const [id = ''] = pending(world)
    expect(await says(world, `${id}.2`)).toBe('ok')
    expect(called(world, 'email.read')).toEqual([{ id: 'm2' }])
  })

  it('is bound to what it showed: options that changed since are not chosen from', async () => {
    const { world } = worldOf([WHICH_TOM, BOOK])
    const task = await world.say('lunch with Tom on Friday, please do the unusual thing')
    const [id = ''] = pending(world)
    const stored = world.disk.store.findTask(task)?.task
    const plan = stored?.plan
    const [ask, ...rest] = plan?.steps ?? []
    if (stored === undefined || ask?.do !== 'clarify') throw new Error('no question')
    const steps = [{ ...ask, options: [...ask.options].reverse() }, ...rest]
    world.disk.store.saveTask({ ...stored, plan: { explanation: '', steps } }, [])
    await says(world, `${id}.2`)
    expect(called(world, 'calendar.create_event')).toEqual([])
    expect(world.audited.some(({ facts }) => facts['code'] === 'approval_changed')).toBe(true)
  })

  it('is refused for what a plan may not offer', async () => {
    const waiting = { ...HOW, options: ['lunch', { $ref: 'q1.title' }] }
    const linked = { ...HOW, options: ['lunch', 'see https://evil.example/x'] }
    for (const step of [waiting, linked, { ...HOW, options: ['one'] }, { ...HOW, options: [1, 2] }]) {
      const { world } = worldOf([step])
      await world.say('please do the unusual thing')
      expect(pending(world)).toEqual([])
    }
  })
})

describe('a chosen text of the planner', () => {
  it('stays the planner’s: the card names the assistant, and it decides a condition', async () => {
    const { world } = worldOf([
      HOW,
      {
        ...{ id: 's2', do: 'tool', tool: 'calendar.create_event' },
        args: { title: { $ref: 's1' }, ...SPAN },
        when: { ref: 's1', is: 'equals', value: 'dinner with the team' },
      },
      {
        ...{ id: 's3', do: 'tool', tool: 'calendar.create_event' },
        args: { title: 'team lunch', ...SPAN },
        when: { ref: 's1', is: 'equals', value: 'lunch with the team' },
      },
    ])
    await world.say('please do the unusual thing')
    await says(world, `${pending(world)[0]}.2`)
    expect(world.heard()).toContain('title: dinner with the team')
    expect(world.heard()).toMatch(/I wrote (?:all of it|[^.]*title)/)
    expect(world.heard()).not.toMatch(/(?:You|Others) wrote[^.]*title/)
  })

  it('is never somebody to write to', async () => {
    const { world } = worldOf([
      { ...HOW, options: ['eve@evil.example', 'mallory@evil.example'] },
      {
        ...{ id: 's2', do: 'tool', tool: 'calendar.create_event' },
        args: { title: 'lunch', ...SPAN, attendees: [{ $ref: 's1' }] },
      },
    ])
    await world.say('please do the unusual thing')
    await says(world, `${pending(world)[0]}.1`)
    expect(called(world, 'calendar.create_event')).toEqual([])
    const card = pending(world).length === 0 ? '' : world.heard()
    expect(card === '' || card.includes('eve@evil.example')).toBe(true)
  })

  it('is not shown to a later planner', async () => {
    const { world, shown } = worldOf([HOW], { again: true })
    await world.say('please do the unusual thing')
    await says(world, `${pending(world)[0]}.2`)
    expect(shown).toHaveLength(2)
    expect(shown[1]?.user).toBeDefined()
    expect(shown[1]?.user).not.toContain('dinner with the team')
  })
})

describe('a number typed in the chat', () => {
  it('chooses where one question with options was shown last', async () => {
    const { world } = worldOf(WHICH_MAIL, { pushes: true })
    await world.say('read it, please do the unusual thing')
    await world.say('2')
    expect(called(world, 'email.read')).toEqual([{ id: 'm2' }])
  })

  it.each([
    ['the first', 'm1'],
    ['die erste', 'm1'],
    ['the second one, please', 'm2'],
    ['number 2', 'm2'],
    ['ich meine das zweite', 'm2'],
    ['the last one', 'm2'],
    ['nimm nummer 1', 'm1'],
  ])('or in words does, too: %s', async (said, id) => {
    const { world } = worldOf(WHICH_MAIL, { pushes: true })
    await world.say('read it, please do the unusual thing')
    await world.say(said)
    expect(called(world, 'email.read')).toEqual([{ id }])
  })

  it('is asked for where a yes is said to it', async () => {
    const { world } = worldOf(WHICH_MAIL, { pushes: true })
    await world.say('read it, please do the unusual thing')
    await world.say('yes')
    expect(world.heard()).toBe('Say which one, by its number.')
    expect(pending(world)).toHaveLength(1)
  })

  it.each(['what time is it', 'good morning', 'blargh the foo'])(
    'chooses behind another message, as long as it is the one that waits: %s',
    async (between) => {
      const { world } = worldOf(WHICH_MAIL, { pushes: true })
      await world.say('read it, please do the unusual thing')
      await world.say(between)
      await world.say('the second one')
      expect(called(world, 'email.read')).toEqual([{ id: 'm2' }])
    },
  )

  it('is a message where there is no such question, or not that many options', async () => {
    const { world } = worldOf(WHICH_MAIL, { pushes: true })
    await world.say('read it, please do the unusual thing')
    await world.say('7')
    expect(called(world, 'email.read')).toEqual([])
    expect(pending(world)).toHaveLength(1)
  })

  it('is a message beside a quoted part, which may be of another card', async () => {
    const { world } = worldOf(WHICH_MAIL, { pushes: true })
    await world.say('read it, please do the unusual thing')
    await world.say('2', 'm2', ['any text'])
    expect(called(world, 'email.read')).toEqual([])
    expect(pending(world)).toHaveLength(1)
  })

  it('can be named with the card’s number', async () => {
    const { world } = worldOf(WHICH_MAIL)
    await world.say('read it, please do the unusual thing')
    await world.say('/approve 1.2')
    expect(called(world, 'email.read')).toEqual([{ id: 'm2' }])
  })
})

describe('the buttons of a messenger', () => {
  const key = new Uint8Array(32).fill(7)
  const values = new Map<string, unknown>()
  const kept = {
    get: (name: string) => values.get(name),
    put: (name: string, value: unknown) => void values.set(name, structuredClone(value)),
  } as ChannelState
  const store = { kept, channel: 'telegram' }

  it('have the numbers of the options, and a tap is that number', async () => {
    const { world } = worldOf([WHICH_TOM, BOOK])
    await world.say('lunch with Tom on Friday, please do the unusual thing')
    const card = world.sent.at(-1) as Delivery
    const rows = buttonsUnder(createCardService(store, key), card, 7) ?? []
    expect(rows.map((row) => row.map(({ text }) => text))).toEqual([['1', '2'], ['None of these']])
    const button = buttonIdIn(key, { channel: 'telegram', chat: 7 }, rows[0]?.[1]?.data ?? '') ?? ''
    const tap = () => settleTap(store, world, { button, chat: 7, message: 31 })
    expect(await tap()).toEqual({ ok: true, value: { what: 'approve', words: 'You chose 2.' } })
    await world.shell.run(OWNER)
    expect(world.sent.some(({ text }) => text.includes('You chose 2.'))).toBe(true)
    expect(world.heard()).toContain('tom.baker@known.example')
    expect(await tap()).toMatchObject({ ok: true, value: { what: 'late' } })
  })
})
