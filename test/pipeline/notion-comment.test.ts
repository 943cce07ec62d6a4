/**
 * A comment on a page of Notion, and a column that is set back (I-15): the card shows the page, its place and who reads it; a page that was published meanwhile
 * gets no comment; "undo" sets a column to what stood there, and says where it cannot.
 */
import { describe, expect, it } from 'vitest'
import { mailTools } from './mailbox.ts'
import { createWorld, type ScriptedTool, scriptedModel, type World, type WorldOptions } from './world.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const PAGE = { id: ID, kind: 'page', name: 'Roof', place: 'Home', visibility: 'workspace' }
const CELL = { ...PAGE, name: 'Buy paint', place: 'Tasks', cell: 'Status', as: 'status', after: 'Done' }

function worldOf(
  {
    pages = [PAGE],
    cells = [CELL],
  }: { readonly pages?: readonly object[]; readonly cells?: readonly object[] },
  options: WorldOptions = {},
): World {
  const inTurn = (answers: readonly object[]): ScriptedTool => {
    let at = 0
    return () => ({ ok: true, output: answers[Math.min(at++, answers.length - 1)] })
  }
  const set: ScriptedTool = ({ id, name, cell, after, before, partly }) => ({
    ok: true,
    output: {
      ...{ id, within: name, cell, after },
      ...(before !== undefined && { before }),
      ...(partly !== true && { was: before ?? '' }),
    },
  })
  const tools = {
    'notion.find_page': inTurn(pages),
    'notion.comment': () => ({ ok: true as const, output: { id: ID, within: 'Roof' } }),
    'notion.comments': () => ({
      ok: true as const,
      output: { ...PAGE, comments: [{ id: ID, author: 'Sarah', text: 'Slates?' }], more: false },
    }),
    'notion.find_cell': inTurn(cells),
    'notion.set_cell': set,
  }
  return createWorld({ ...options, tools: { ...mailTools(), ...tools } })
}

async function approve(world: World): Promise<void> {
  const [waiting] = await world.ports.approvals.list('principal:owner')
  if (waiting === undefined) throw new Error('nothing waits')
  const by = { principal: 'principal:owner', place: 'home' } as const
  const decided = await world.shell.decide({ approval: waiting.id, decision: 'approve', ...by })
  if (!decided.ok) throw new Error(decided.reason.code)
  await world.shell.run(decided.value.principal)
}

const written = (world: World) =>
  world.calls.filter(({ tool }) => ['notion.comment', 'notion.set_cell'].includes(tool))

describe('a comment', () => {
  it.each([
    ['comment on my notion page Roof: the slates are here'],
    ['add the comment the slates are here to my notion page Roof'],
    ['kommentiere die notion-seite Roof mit the slates are here'],
  ])('is added after a card with page, place and readers: %s', async (said) => {
    const world = worldOf({})
    await world.say(said)
    const card = world.heard()
    expect(card).toMatch(/Comment on this page in Notion/)
    for (const line of ['page: Roof', 'place: Home', /text: the slates are here/i]) expect(card).toMatch(line)
    expect(card).toContain('Whoever the page is shared with in Notion can read it.')
    expect(written(world)).toEqual([])
    await approve(world)
    expect(written(world)).toHaveLength(1)
    expect(written(world)[0]?.args).toMatchObject({ page: 'Roof', id: ID })
    expect(world.heard()).toContain('Commented on Roof.')
  })

  it('is not added where the page was published meanwhile', async () => {
    const world = worldOf({ pages: [PAGE, { ...PAGE, visibility: 'public' }] })
    const id = await world.say('comment on my notion page Roof: the slates are here')
    await approve(world)
    expect(written(world)).toEqual([])
    expect((await world.shell.report(id))?.task.trouble).toBe('approval_changed')
  })

  it('of what a mail says goes onto no published page, by no card', async () => {
    const steps = [
      { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm2' } },
      { id: 's2', do: 'tool', tool: 'notion.comment', args: { page: 'Roof', text: { $ref: 's1.subject' } } },
    ]
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps }) : 'done',
    )
    const world = worldOf({ pages: [{ ...PAGE, visibility: 'public' }] }, { models: [model] })
    const id = await world.say('do the unusual thing with Roof please')
    expect(await world.ports.approvals.list('principal:owner')).toEqual([])
    expect((await world.shell.report(id))?.task.trouble).toBe('write_down')
  })

  it('is read with who wrote it', async () => {
    const world = worldOf({})
    await world.say('show the comments on my notion page Roof')
    expect(world.heard()).toMatch(/One open comment on Roof:\n- Sarah: Slates\?/)
  })
})

describe('"undo"', () => {
  const SAID = 'mark Buy paint as done in notion'
  it.each([
    ['what stood there', { before: 'Doing' }, 'Doing'],
    ['nothing, where nothing did', { as: 'date', cell: 'Due' }, ''],
  ])('sets a column back to %s, after a card', async (_what, more, was) => {
    const now = { ...CELL, ...more }
    // Looked up for the card, after the yes, and right before the write.
    const world = worldOf({ cells: [now, now, now, { ...now, after: was }] })
    await world.say(SAID)
    await approve(world)
    await world.say('undo that')
    expect(world.heard()).toMatch(was === '' ? /then: ""/ : /then: Doing/)
    await approve(world)
    expect(written(world).at(-1)?.args).toMatchObject({ row: ID, to: was, exactly: true, after: was })
  })

  it('leaves what was more than its words, which the card says before', async () => {
    const world = worldOf({ cells: [{ ...CELL, as: 'text', cell: 'Notes', before: 'Ask', partly: true }] })
    await world.say(SAID)
    expect(world.heard()).toMatch(/now is more than its words, so that "undo" cannot bring it back: yes/)
    await approve(world)
    await world.say('undo that')
    expect(await world.ports.approvals.list('principal:owner')).toEqual([])
    expect(written(world)).toHaveLength(1)
  })
})
