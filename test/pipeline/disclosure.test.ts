/**
 * Words of the owner's that a service cleared for less may be told (DESIGN §2): a span of this very message, at most 80 characters, on
 * a card that names the hosts, or under a grant for tool, hosts and arguments. Each use is recorded; nothing else goes down.
 */

import { describe, expect, it } from 'vitest'
import type { Proposer } from '../../kernel/features/approvals/port.ts'
import type { ToolManifest } from '../../kernel/tool/manifest.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import {
  answer,
  auditedAs,
  OWNER,
  onlyOne,
  planning,
  READING,
  TOOLS,
  waiting,
  worldWith,
} from './approvals-owner.ts'
import { addJobRow } from './job-row.ts'
import { message, scriptedModel, type World, type WorldOptions } from './world.ts'

const ME: Proposer = { principal: OWNER, place: 'home', message: 'm1' }
const ASKED = 'please look up Lisbon harbour for me, and the ferry at 東京 Bay'

const LOOKUP: ToolManifest = {
  ...{ name: 'lookup', version: '1.0.0', ownerOnly: true, places: ['edge', 'home'], credential: null },
  network: ['find.example', 'answers.example'],
  actions: [
    {
      ...{ id: 'lookup.find', description: 'What a town is like.', semantics: 'read', sink: null },
      args: {
        kind: 'record',
        fields: {
          words: { kind: 'text', max: 500, disclosed: true },
          more: { kind: 'text', max: 500, disclosed: true, optional: true },
          near: { kind: 'text', optional: true },
        },
      },
      output: { kind: 'record', fields: { size: { kind: 'number' } } },
      ...{ ceiling: 'public', compartment: null, reaches: 'public' },
    },
  ],
}

function finding(args: Record<string, unknown>, id = 's1') {
  return { id, do: 'tool', tool: 'lookup.find', args }
}

function world(steps: readonly Record<string, unknown>[], options: WorldOptions = {}): World {
  const tools = { ...TOOLS, 'lookup.find': () => ({ ok: true as const, output: { size: 3 } }) }
  return worldWith({ tools, manifests: [LOOKUP], models: [planning(...steps)], ...options })
}

function told({ calls }: World): readonly unknown[] {
  return calls.filter(({ tool }) => tool === 'lookup.find').map(({ args }) => args['words'])
}

describe('words that a service is told', () => {
  it('are asked about on a card with the words and every host, and told once after a yes', async () => {
    const here = world([finding({ words: 'Lisbon harbour' })])
    await here.say(ASKED)
    const card = await onlyOne(here)
    expect(card).toMatchObject({ kind: 'declassification', reason: 'disclosure_asks' })
    expect(card.card).toContain('words: Lisbon harbour')
    expect(card.card).toContain('Goes to a service of others (find.example, answers.example).')
    expect(told(here)).toEqual([])
    expect(await answer(here, card.id)).toBe('ok')
    expect(told(here)).toEqual(['Lisbon harbour'])
    expect(auditedAs(here, 'declassification')).toMatchObject([{ approval: card.id, tool: 'lookup.find' }])
  })

  it('are told nobody after a no', async () => {
    const here = world([finding({ words: 'Lisbon harbour' })])
    await here.say(ASKED)
    await answer(here, (await onlyOne(here)).id, { decision: 'deny' })
    expect([told(here), auditedAs(here, 'declassification')]).toEqual([[], []])
  })

  it('are asked about on the edge’s own line, too', async () => {
    const here = world([finding({ words: 'Lisbon harbour' })], { place: 'edge' })
    await here.say(ASKED)
    await answer(here, (await onlyOne(here)).id, { place: 'edge' })
    expect(told(here)).toEqual(['Lisbon harbour'])
  })

  it('may be put in other words on their card, which is asked about anew and told after its own yes', async () => {
    const here = world([finding({ words: 'Lisbon harbour' })])
    await here.say(ASKED)
    const edit = { principal: OWNER, place: 'home', argument: 'words' } as const
    const { id } = await onlyOne(here)
    expect((await here.shell.edit({ ...edit, approval: id, text: 'Faro' })).ok).toBe(true)
    await here.shell.run(OWNER)
    const second = await onlyOne(here)
    expect([second.id === id, second.card]).toEqual([false, expect.stringContaining('words: Faro')])
    expect(told(here)).toEqual([])
    await answer(here, second.id)
    expect(told(here)).toEqual(['Faro'])
  })

  it('of a card are at most eighty characters, too', async () => {
    const here = world([finding({ words: 'Lisbon harbour' })])
    await here.say(ASKED)
    const { id } = await onlyOne(here)
    const edit = { approval: id, text: 'x'.repeat(81), argument: 'words', principal: OWNER } as const
    await here.shell.edit({ ...edit, place: 'home' })
    await here.shell.run(OWNER)
    expect([told(here), await waiting(here)]).toEqual([[], []])
  })

  it('stand in any script, where a word begins and ends', async () => {
    const here = world([finding({ words: '東京' })])
    await here.say(ASKED)
    await answer(here, (await onlyOne(here)).id)
    expect(told(here)).toEqual(['東京'])
  })
})

describe('what is told nobody, whatever the owner would say', () => {
  it.each([
    ['words of the planner’s', { words: 'Porto' }],
    ['words that were said, in another order', { words: 'harbour Lisbon' }],
    ['other letters', { words: 'lisbon harbour' }],
    ['signs that nobody wrote', { words: 'Lisbon harbour!' }],
    ['a piece of a word', { words: 'isbo' }],
    ['nothing', { words: '' }],
    ['blanks', { words: ' ' }],
    ['two arguments that are longer together', { words: ASKED.slice(0, 36), more: ASKED }],
    ['what only another argument may hold', { words: 'Porto', near: 'Lisbon harbour' }],
  ])('%s', async (_, args) => {
    const here = world([finding(args)])
    await here.say(ASKED)
    expect([told(here), await waiting(here)]).toEqual([[], []])
    expect(auditedAs(here, 'denial')).toMatchObject([{ code: 'disclosure_not_said' }])
  })

  it('eighty-one characters of the owner’s own, while eighty are asked about', async () => {
    const most = `${'ab '.repeat(26)}ab`
    for (const [words, asked] of [
      [most, 1],
      [`${most} c`, 0],
    ] as const) {
      const here = world([finding({ words })])
      await here.say(`find ${most} c`)
      expect(await waiting(here)).toHaveLength(asked)
    }
  })

  it('the owner’s words by an argument that is not declared for it', async () => {
    const here = world([finding({ words: 'Lisbon harbour', near: 'ferry' })])
    await here.say(ASKED)
    expect(auditedAs(here, 'denial')).toMatchObject([{ code: 'write_down' }])
    expect([told(here), await waiting(here)]).toEqual([[], []])
  })

  it('a mail’s text, even where the owner wrote the same', async () => {
    const here = world([{ ...READING, args: { id: 'm1' } }, finding({ words: { $ref: 's1.subject' } }, 's2')])
    await here.say(`${ASKED}. Q3 budget`)
    expect(told(here)).toEqual([])
    expect(auditedAs(here, 'denial')).toMatchObject([{ step: 1, code: 'disclosure_not_said' }])
  })

  it('words of an earlier message', async () => {
    const here = world([finding({ words: 'Lisbon harbour' })])
    await here.say(ASKED)
    await answer(here, (await onlyOne(here)).id, { decision: 'deny' })
    await here.say('please look up the ferry for me')
    expect(auditedAs(here, 'denial')).toMatchObject([{ code: 'disclosure_not_said' }])
    expect([told(here), await waiting(here)]).toEqual([[], []])
  })

  it('words that are not the owner’s message, such as a job’s', async () => {
    const job = {
      ...{ template_id: 'nightly', triggers: ['adapter:cron:cron_trigger:cron'], principal_class: 'cron' },
      ...{ description: 'A job of the night.', planner_task_description: 'Look up Lisbon harbour.' },
      ...{
        allowed_tools: ['lookup.find'],
        max_tool_calls: 3,
        max_tokens_plan: 500,
        max_tokens_synthesize: 500,
      },
      ...{ output_sinks: ['reply_to_sender'], data_ceiling: 'sensitive' },
    }
    const here = world([], { templates: [job] })
    addJobRow(here.disk, {
      ...{ id: 'nightly', sink: 'sink:cron:owner' },
      steps: [{ id: 's1', do: 'tool', tool: 'lookup.find', args: { words: 'Lisbon harbour' } }],
    })
    const source = { adapter: 'cron', user: 'nightly', chat: 'owner', group: false }
    const due = { ...message('look up Lisbon harbour', { id: 'e1', at: here.clock.now }), source }
    const received = await here.shell.receive({ ...due, kind: 'cron_trigger' })
    if (!received.ok) throw new Error(received.reason.code)
    await here.shell.run(received.value.principal)
    expect([told(here), await waiting(here)]).toEqual([[], []])
    expect(auditedAs(here, 'denial')).toMatchObject([{ code: 'disclosure_not_said' }])
  })
})

describe('a grant for it', () => {
  const TERMS = { days: 30, perDay: 2 }
  async function granted(here: World): Promise<string> {
    await here.say(ASKED)
    const { id } = await onlyOne(here)
    const put = await here.shell.always(ME, { approval: id, ...TERMS })
    if (!put.ok) throw new Error(put.reason.code)
    await answer(here, id)
    expect(await answer(here, put.value.approval, { message: 'm2' })).toBe('ok')
    return (await here.ports.grants.list())[0]?.id ?? ''
  }

  it('names hosts and arguments on its card, and stands for the yes, each use recorded, so often a day', async () => {
    const here = world([finding({ words: 'Lisbon harbour' })])
    const id = await granted(here)
    const [grant] = await here.ports.grants.list()
    expect(grant).toMatchObject({ kind: 'disclosure', state: 'live' })
    expect(grant?.card).toContain('answers.example and find.example, services of others, by lookup.find')
    await here.say(ASKED)
    await here.say('Lisbon harbour')
    expect([told(here).length, await waiting(here)]).toEqual([3, []])
    expect(auditedAs(here, 'declassification').map(({ grant: by }) => by)).toEqual([undefined, id, id])
    await here.say(ASKED)
    expect([told(here).length, (await waiting(here)).length]).toEqual([3, 1])
  })

  it('covers no other argument, and nothing once it is taken back', async () => {
    const here = world([finding({ words: 'Lisbon harbour' })])
    const id = await granted(here)
    const other = world([finding({ words: 'Lisbon harbour', more: 'ferry' })], { disk: here.disk })
    await other.say(ASKED)
    expect([told(other).length, (await waiting(other)).length]).toEqual([0, 1])
    await answer(other, (await onlyOne(other)).id, { decision: 'deny' })
    await here.ports.grants.revoke(id, OWNER)
    await here.say(ASKED)
    expect([told(here).length, (await waiting(here)).length]).toEqual([1, 1])
  })

  it('covers no host that was not on its card', async () => {
    const here = world([finding({ words: 'Lisbon harbour' })])
    await granted(here)
    const wider = { ...LOOKUP, network: [...LOOKUP.network, 'third.example'] }
    const after = world([finding({ words: 'Lisbon harbour' })], { disk: here.disk, manifests: [wider] })
    await after.say(ASKED)
    expect([told(after).length, (await waiting(after)).length]).toEqual([0, 1])
  })

  it('never stands where private data may have chosen among the owner’s words', async () => {
    const here = world([finding({ words: 'Lisbon harbour' })])
    await granted(here)
    const asked = (...first: readonly object[]): World => {
      const plans = [...first.map((step) => [step]), [finding({ words: 'Lisbon harbour' })]]
      const model = scriptedModel('a-model', ({ parts }) =>
        parts.purpose === 'plan' ? JSON.stringify({ steps: plans.shift(), explanation: '' }) : 'done',
      )
      return world([], { disk: here.disk, models: [model] })
    }
    const clean = asked()
    await clean.say(ASKED)
    expect([told(clean), await waiting(clean)]).toEqual([['Lisbon harbour'], []])
    const influenced = asked({ id: 's1', do: 'tool', tool: 'email.list', args: {} })
    await influenced.say('what came in, oddly')
    await influenced.say(ASKED)
    expect(told(influenced)).toEqual([])
    expect(await onlyOne(influenced)).toMatchObject({ reason: 'disclosure_asks' })
  })

  it('never stands where a mail decided that something is told: its host would learn that', async () => {
    const here = world([finding({ words: 'Lisbon harbour' })])
    await granted(here)
    const decided = { ref: 's1.truncated', is: 'false' }
    const after = world([READING, { ...finding({ words: 'Lisbon harbour' }, 's2'), when: decided }], {
      disk: here.disk,
    })
    await after.say(ASKED)
    expect(told(after)).toEqual([])
    expect(auditedAs(after, 'denial')).toMatchObject([{ code: 'write_down' }])
  })
})

describe('a declaration', () => {
  it.each([
    ['a host that no card can name', { network: ['*'] }],
    ['no host at all', { network: [] }],
  ])('is refused with %s', (_, over) => {
    expect(() => createRegistry([{ ...LOOKUP, ...over }])).toThrow('lookup.find: words cannot be disclosed')
  })
})
