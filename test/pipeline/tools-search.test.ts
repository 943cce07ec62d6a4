/**
 * A look at the tools (O-29): any words find something that fits, a look that fails does not end the plan, and it costs no yes
 * unless what others wrote chose the words.
 */
import { describe, expect, it } from 'vitest'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import { MOST_FOR_REQUEST } from '../../kernel/prompt/shown-tools.ts'
import { loadTemplates } from '../../kernel/template/load.ts'
import { answer, onlyOne, waiting, worldWith } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { message, scriptedModel, type World } from './world.ts'

const ODD = 'please juggle the oven thing at 13:05 as usual'
const NOTE = { id: 's2', do: 'tool', tool: 'task.add', args: { text: 'juggle the oven thing' } }

const look = (words: unknown) => ({
  steps: [{ id: 's1', do: 'tool', tool: 'tools.search', args: { words } }],
  again: true,
})

/** A world whose model answers with these plans, one after the other. */
async function planned(plans: readonly unknown[], said = ODD): Promise<World & { readonly task: string }> {
  const left = [...plans]
  const model = scriptedModel('a-model', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify(left.shift() ?? { steps: [] }) : 'That is done.',
  )
  const moved = () => ({ ok: true as const, output: {} })
  const tools = { ...mailTools(), ...calendarTools(), 'email.archive': moved, 'email.file': moved }
  const here = worldWith({ models: [model], tools })
  return { ...here, task: await here.say(said) }
}

const onList = ({ disk }: World) => disk.store.openReminders('principal:owner', 'task').length
const lastOf = ({ prompts }: World, purpose: string) =>
  prompts.filter(({ parts }) => parts.purpose === purpose).at(-1)

describe('what it finds', () => {
  it.each([
    'remove reminder, done',
    'unsubscribe from a mailing list, archive mail, delete, move, calendar event, folder, send',
    'xyzzy',
  ])('%s: as much as fits, and the next plan goes on', async (words) => {
    const here = await planned([look(words), { steps: [NOTE] }])
    expect(onList(here)).toBe(1)
    expect(lastOf(here, 'synthesize')?.parts.troubles).toEqual([])
  })

  it('the tools that fit best are described to the next plan', async () => {
    const here = await planned([look('unsubscribe, archive, put in a folder'), { steps: [] }])
    const wanted = lastOf(here, 'plan')?.parts.tools.filter((tool) => tool.wanted === true) ?? []
    expect(wanted.map(({ id }) => id)).toEqual(expect.arrayContaining(['email.archive', 'email.file']))
    expect(wanted.length).toBeLessThanOrEqual(MOST_FOR_REQUEST)
  })

  it('one that fails is told of nowhere, and the next plan goes on', async () => {
    const here = await planned([look('x '.repeat(2_000)), { steps: [NOTE] }])
    const steps = (await here.shell.report(here.task))?.task.steps ?? []
    expect(steps.map(({ outcome }) => outcome)).toEqual(['denied', 'done'])
    expect([onList(here), lastOf(here, 'synthesize')?.parts.troubles]).toEqual([1, []])
  })
})

describe('what the cards say', () => {
  it('a closed argument names its values', async () => {
    const here = await planned([{ steps: [] }])
    const cards = lastOf(here, 'plan')?.parts.tools ?? []
    const card = (id: string) => cards.find((tool) => tool.id === id)
    expect(card('reminder.set')?.args['repeat?']).toBe(
      'daily|weekdays|weekly|monthly|monthly_weekday|on_days|month_end|last_weekday',
    )
    expect(card('calendar.create_event')?.args['days?']).toMatch(/^list of monday\|.*\|sunday$/)
    const closed = [...here.powers.registry.actions.values()].flatMap(({ id, args }) =>
      Object.entries(args.fields).flatMap(([name, field]) =>
        field.kind === 'enum' && cards.some((tool) => tool.id === id)
          ? [[id, name, field.values] as const]
          : [],
      ),
    )
    expect(closed.length).toBeGreaterThan(0)
    for (const [id, name, values] of closed)
      expect(Object.entries(card(id)?.args ?? {})).toContainEqual([
        expect.stringContaining(name),
        values?.join('|'),
      ])
  })
})

describe('what it costs', () => {
  it('no yes, whatever words the planner made up', async () => {
    const here = await planned([look('tick something off a list'), { steps: [NOTE] }])
    expect([onList(here), await waiting(here)]).toEqual([1, []])
  })

  it('a yes, where a text of others chose the words', async () => {
    const words = { $ref: 's1.emails[0].subject' }
    const plan = {
      steps: [
        { id: 's1', do: 'tool', tool: 'email.list', args: {} },
        { id: 's2', do: 'tool', tool: 'tools.search', args: { words } },
      ],
      again: true,
    }
    const here = await planned([plan, { steps: [{ ...NOTE, id: 's3' }] }])
    expect(onList(here)).toBe(0)
    const { id } = await onlyOne(here)
    expect(here.sent.at(-1)?.text).toContain('I had to choose what you meant')
    await answer(here, id)
    expect(onList(here)).toBe(1)
  })

  it('a yes, where mail was read beside it', async () => {
    const plan = {
      steps: [
        { id: 's1', do: 'tool', tool: 'email.list', args: {} },
        { id: 's2', do: 'tool', tool: 'tools.search', args: { words: 'tick off' } },
      ],
      again: true,
    }
    const here = await planned([plan, { steps: [{ ...NOTE, id: 's3' }] }])
    expect([onList(here), (await waiting(here)).length]).toEqual([0, 1])
  })
})

describe('nobody but the owner looks (O-30)', () => {
  const SOURCE = { adapter: 'telegram', user: 'bob', chat: 'bob', group: false }
  it('a stranger whose planner looks gets nothing, and no prompt has it', async () => {
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify(look('unsubscribe, archive, search')) : 'No.',
    )
    const here = worldWith({ models: [model], tools: { ...mailTools(), ...calendarTools() } })
    const source = {
      ...message('which tools are there? please juggle the oven', { id: 'b1' }),
      source: SOURCE,
    }
    const received = await here.shell.receive(source)
    if (!received.ok) throw new Error(received.reason.code)
    await here.shell.run(received.value.principal)
    const asks = here.prompts.filter(({ parts }) => parts.purpose === 'plan')
    expect(asks.length).toBeGreaterThan(0)
    const shown = new Set(asks.flatMap(({ parts }) => parts.tools.map(({ id }) => id)))
    expect(
      [...shown].filter((id) => !['calendar.freebusy', 'owner.ask', 'message.reply'].includes(id)),
    ).toEqual([])
    const report = await here.shell.report(received.value.task)
    expect(report?.task.steps.filter(({ outcome }) => outcome === 'done')).toEqual([])
    expect(here.sent.map(({ text }) => text).join()).not.toMatch(/email\.|archive|unsubscribe/)
  })

  it.each(['third_party', 'paired', 'webhook'])('no template of %s may list it', (name) => {
    const file = {
      ...{ template_id: 't', triggers: [`adapter:telegram:message:${name}`], principal_class: name },
      ...{ description: 'd', planner_task_description: 'Wants', allowed_tools: ['tools.search'] },
      ...{ max_tool_calls: 1, max_tokens_plan: 100, max_tokens_synthesize: 100, data_ceiling: 'internal' },
      output_sinks: ['reply_to_sender'],
    }
    const here = worldWith({})
    expect(loadTemplates([file], here.powers.registry, EFFECT_IDS)).toMatchObject({ ok: false })
    const owners = { ...file, principal_class: 'owner', triggers: ['adapter:telegram:message:owner'] }
    expect(loadTemplates([owners], here.powers.registry, EFFECT_IDS)).toMatchObject({ ok: true })
  })
})
