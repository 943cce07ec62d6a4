/** Changing what waits for a yes by a later message (F-11, DESIGN §10): a new card in place of the old one, with its bytes and its provenance. */
import { describe, expect, it } from 'vitest'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { OWNER_PRINCIPAL as OWNER } from '../../kernel/task/principal.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }
const SPAN = { from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' }
const BOOK = {
  ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
  args: { title: 'the unusual thing', ...SPAN, attendees: ['ann@known.example'] },
}
const SHIFT = (id: string, of: string): object => ({
  ...{ id, do: 'compute', op: 'shift', unit: 'minutes', of: [{ $ref: of }, 30] },
})
const LATER = [
  SHIFT('s1', 'q1.from'),
  SHIFT('s2', 'q1.to'),
  {
    ...{ id: 's3', do: 'tool', tool: 'calendar.create_event' },
    args: {
      ...{ title: { $ref: 'q1.title' }, from: { $ref: 's1' }, to: { $ref: 's2' } },
      attendees: [{ $ref: 'q1.attendees[0]' }],
    },
  },
]

/** One plan a message, in order; what a planner was shown is kept. */
function worldOf(plans: readonly (readonly object[])[]): {
  readonly world: World
  readonly shown: FinalPrompt[]
} {
  const shown: FinalPrompt[] = []
  let turn = 0
  const model = scriptedModel('local', (prompt) => {
    if (prompt.parts.purpose !== 'plan') return 'a text'
    shown.push(prompt)
    const steps = plans[turn] ?? []
    turn += 1
    return JSON.stringify({ steps, explanation: '' })
  })
  return { world: createWorld({ tools: TOOLS, models: [model] }), shown }
}

function pending({ disk }: World): readonly string[] {
  return disk.store.pendingApprovals(OWNER).map(({ approval }) => approval.id)
}

async function says(world: World, approval: string): Promise<string> {
  const decided = await world.shell.decide({ approval, decision: 'approve', principal: OWNER, place: 'home' })
  await world.shell.run(OWNER)
  return decided.ok ? 'ok' : decided.reason.code
}

function booked({ calls }: World): readonly unknown[] {
  return calls.filter(({ tool }) => tool === 'calendar.create_event').map(({ args }) => args)
}

describe('a later message', () => {
  it('changes one part of what waits, keeps the rest, and takes the place of the old card', async () => {
    const { world } = worldOf([[BOOK], LATER])
    const first = await world.say('please do the unusual thing')
    const [old = ''] = pending(world)
    await world.say('make it half an hour later')
    const card = world.heard()
    expect(card).toContain('title: the unusual thing')
    expect(card).toContain('starts: Friday 27 November, 14:30')
    expect(card).toContain('- ann@known.example')
    const waiting = pending(world)
    expect(waiting).toHaveLength(1)
    expect(waiting).not.toContain(old)
    expect((await world.shell.report(first))?.task.state).toBe('cancelled')
    expect(await says(world, old)).toBe('approval_changed')
    expect(booked(world)).toEqual([])
    expect(await says(world, waiting[0] ?? '')).toBe('ok')
    expect(booked(world)).toEqual([
      {
        ...{ title: 'the unusual thing', attendees: ['ann@known.example'] },
        ...{ from: '2026-11-27T14:30+01:00', to: '2026-11-27T15:30+01:00' },
      },
    ])
  })

  it('changes what was changed', async () => {
    const { world } = worldOf([[BOOK], LATER, LATER])
    await world.say('please do the unusual thing')
    await world.say('make it half an hour later')
    await world.say('and once more')
    expect(world.heard()).toContain('starts: Friday 27 November, 15:00')
    const [only = '', ...more] = pending(world)
    expect(more).toEqual([])
    expect(await says(world, only)).toBe('ok')
    expect(booked(world)).toEqual([expect.objectContaining({ from: '2026-11-27T15:00+01:00' })])
  })

  it('keeps who wrote what: a title from a mail stays that', async () => {
    const list = { id: 's1', do: 'tool', tool: 'email.list', args: {} }
    const fromMail = { ...BOOK, id: 's2', args: { ...BOOK.args, title: { $ref: 's1.emails[0].subject' } } }
    const { world } = worldOf([[list, fromMail], LATER])
    await world.say('please do the unusual thing')
    await world.say('make it half an hour later')
    expect(world.heard()).toContain('Others wrote: title.')
    expect(world.heard()).toContain('I ask because part of this was written by someone else.')
  })

  it('sees times and kinds, and no word of what waits', async () => {
    const { world, shown } = worldOf([[BOOK], []])
    await world.say('please do the unusual thing')
    await world.say('what about it?')
    const text = shown[1]?.user ?? ''
    expect(text).toMatch(/^q1 calendar\.create_event .*"from":"2026-11-27T14:00\+01:00"/m)
    expect(text.split('\n').find((line) => line.startsWith('q1 '))).not.toContain('unusual')
  })
})

describe('nothing that waits goes elsewhere', () => {
  const book = (args: object): object => ({ id: 's1', do: 'tool', tool: 'calendar.create_event', args })
  it.each<[string, readonly object[]]>([
    [
      'to another tool',
      [{ id: 's1', do: 'tool', tool: 'memory.save', args: { text: { $ref: 'q1.title' } } }],
    ],
    ['to another argument', [book({ ...SPAN, title: { $ref: 'q1.from' } })]],
    [
      'into a text',
      [
        { id: 's1', do: 'compose', from: ['q1.title'], instruction: 'x', maxChars: 40 },
        { ...book({ ...SPAN, title: { $ref: 's1' } }), id: 's2' },
      ],
    ],
    ['from a card that there is not', [book({ ...SPAN, title: { $ref: 'q2.title' } })]],
  ])('%s', async (_, steps) => {
    const { world } = worldOf([[BOOK], steps])
    await world.say('please do the unusual thing')
    const before = pending(world)
    await world.say('and now that')
    expect(pending(world)).toEqual(before)
    expect(world.disk.store.facts(OWNER, 5)).toEqual([])
    expect(booked(world)).toEqual([])
  })

  it('once it was answered', async () => {
    const { world } = worldOf([[BOOK], LATER])
    await world.say('please do the unusual thing')
    const [old = ''] = pending(world)
    expect(await says(world, old)).toBe('ok')
    await world.say('make it half an hour later')
    expect(pending(world)).toEqual([])
    expect(booked(world)).toHaveLength(1)
  })
})
