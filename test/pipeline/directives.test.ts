/** Which directive files a prompt takes along, for whom, and from when on (O-01 – O-07, O-13 – O-18, O-58). */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { seedDirectives } from '../../kernel/features/directives/directive-keeping.ts'
import { directivesFor, loadDirective } from '../../kernel/features/directives/directives.ts'
import { describeLabel } from '../../kernel/flow/label.ts'
import { checkModel, type ModelReader } from '../../kernel/flow/policy.ts'
import { kernelWords, quotedWords, receive } from '../../kernel/flow/provenance.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { keepText } from '../../kernel/powers/sealed.ts'
import { readBrainTemplates } from '../../sidecar/config/home-texts.ts'
import { memoryRing } from '../vault/memory-ring.ts'
import { answer, onlyOne, planning } from './approvals-owner.ts'
import { brainWorld, codeOf, ME, own, taken } from './brain.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createDisk, createWorld } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }

function model(level: ModelReader['level'], locality: ModelReader['locality']): ModelReader {
  return { id: 'm', level, locality, compartments: [] }
}

describe('an owner’s prompt', () => {
  it('has personality and rules, the rules last; a file that says nothing is left out', async () => {
    const world = await brainWorld()
    const task = await world.taskOf('hello')
    expect((await taken(world, task))?.always).toEqual(['SOUL', 'AGENTS'])
    await world.append('USER', '- Likes tea.')
    expect((await taken(world, task))?.always).toEqual(['SOUL', 'USER', 'AGENTS'])
  })

  it('lists every other file, with the owner’s own from its next turn on, and no body of them', async () => {
    const world = await brainWorld()
    await world.write('TRIPS', own('journeys', 'agent_requested', '- Window seat.'))
    const found = await taken(world, await world.taskOf('hello'))
    expect(found?.index).toContain('TRIPS: journeys (user-created)')
    expect(found?.index.map((line) => line.split(':')[0]).sort()).toEqual([
      'BOOT',
      'CODE',
      'HEARTBEAT',
      'MEMORY',
      'SECURITY',
      'TOOLS',
      'TRIPS',
    ])
    expect(found?.whole).not.toContain('Window seat')
  })

  it('shows an edit in the next turn, under another version of the whole', async () => {
    const world = await brainWorld()
    const task = await world.taskOf('hello')
    const before = await directivesFor(world.powers, task)
    expect(await directivesFor(world.powers, task)).toMatchObject({ version: before?.version })
    await world.append('SOUL', '- Says ahoy.')
    expect((await directivesFor(world.powers, task))?.version).not.toBe(before?.version)
    expect((await taken(world, task))?.whole).toContain('Says ahoy')
  })

  it('takes an own file that is always there after the core ones', async () => {
    const world = await brainWorld()
    await world.write('TRIPS', own('journeys', 'always', '- Window seat.'))
    expect((await taken(world, await world.taskOf('hello')))?.always).toEqual(['SOUL', 'AGENTS', 'TRIPS'])
  })
})

describe('a file comes along', () => {
  const SPAN = { from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' }
  const BOOKING = { id: 's1', do: 'tool', tool: 'calendar.create_event', args: { title: 'Lunch', ...SPAN } }
  it.each<[string, string, readonly Record<string, unknown>[], readonly string[]]>([
    ['SECURITY with a plan that writes', 'please do', [BOOKING], ['SECURITY']],
    [
      'SECURITY with a plan that reads mails, which anybody may have written',
      'please do',
      [{ id: 's1', do: 'tool', tool: 'email.read', args: { id: 'm1' } }],
      ['SECURITY'],
    ],
    [
      'none with a plan that reads what is the own',
      'please do',
      [{ id: 's1', do: 'tool', tool: 'calendar.list_events', args: { from: SPAN.from, to: SPAN.to } }],
      [],
    ],
    [
      'MEMORY with a search',
      'please do',
      [{ id: 's1', do: 'tool', tool: 'memory.search', args: {} }],
      ['MEMORY'],
    ],
    ['none for its subject', 'what about security, code and boot? CODE!', [], []],
    ['those that are named', 'see @security and BOOT.md', [], ['BOOT', 'SECURITY']],
  ])('%s', async (_, words, steps, attached) => {
    const world = await brainWorld({ tools: TOOLS, models: [planning(...steps)] })
    await world.append('MEMORY', '- The locker is 12.')
    expect((await taken(world, await world.taskOf(words)))?.attached).toEqual(attached)
  })

  it('not because quoted words name it', async () => {
    const world = await brainWorld()
    const task = await world.taskOf('what do you make of this?', ['look into BOOT.md and @security'])
    expect((await taken(world, task))?.attached).toEqual([])
    // Nor if a message itself were of words that are not clean.
    const raw = receive('look into BOOT.md and @security', quotedWords('sink:terminal:owner', 'sensitive'))
    const keeping = { principal: task.principal, store: 'sessions', until: null } as const
    const words = await keepText(world.powers, keeping, raw)
    expect((await taken(world, { ...task, words }))?.attached).toEqual([])
  })

  it('not at all with a mode that there is none of, and its owner is told', async () => {
    const world = await brainWorld()
    const written = await world.write('TRIPS', own('journeys', 'allways', '- Window seat.'))
    expect(written).toMatchObject({ ok: true, value: { warnings: ['mode_invalid'] } })
    const found = await taken(world, await world.taskOf('trips, journeys: TRIPS'))
    expect([found?.always.includes('TRIPS'), found?.attached]).toEqual([false, []])
    const files = await world.desk.list(ME)
    expect(files.find(({ name }) => name === 'TRIPS')).toMatchObject({
      mode: 'manual',
      warnings: ['mode_invalid'],
    })
  })
})

describe('nobody else gets any of it (O-13)', () => {
  it('not a stranger’s task, nor one whose ceiling is lower, nor the edge', async () => {
    const world = await brainWorld()
    const task = await world.taskOf('hello')
    expect(await taken(world, task)).not.toBeNull()
    const stranger = { ...task, template: 'scheduling', principal: 'principal:telegram:peer:1' }
    expect(await directivesFor(world.powers, stranger)).toBeNull()
    expect(await directivesFor(world.powers, { ...task, template: 'gone' })).toBeNull()
    const low = { ...task, ceiling: { level: 'internal', compartments: [] } } as const
    expect(await taken(world, low)).toMatchObject({ always: [], attached: [], index: [] })
    const edge = createWorld({ place: 'edge', disk: world.disk })
    expect(await directivesFor(edge.powers, task)).toBeNull()
  })

  it.each<[string, ModelReader, boolean]>([
    ['a model at home', model('regulated', 'home'), true],
    ['a cloud model that the owner acknowledged', model('sensitive', 'cloud'), true],
    ['a cloud model', model('internal', 'cloud'), false],
  ])('%s may read it: %#', async (_, reader, may) => {
    const world = await brainWorld()
    await world.append('USER', '- Likes tea.')
    const found = await taken(world, await world.taskOf('see @code'))
    expect(found?.labels).toHaveLength(5)
    for (const value of found?.labels ?? []) {
      expect([describeLabel(value.label), value.taint.level]).toEqual(['sensitive', 'clean'])
      expect(checkModel(reader, value.label).allow).toBe(may)
    }
  })
})

describe('the first start', () => {
  it('makes every file, and no later one touches them', async () => {
    const world = await brainWorld()
    expect((await world.desk.list(ME)).map(({ version }) => version)).toEqual(Array(9).fill(1))
    await world.append('SOUL', '- Says ahoy.')
    await seedDirectives(world.powers, () => {
      throw new Error('a second first start')
    })
    const again = await brainWorld({ disk: world.disk })
    expect(await again.text('SOUL')).toContain('Says ahoy')
    expect((await again.desk.list(ME)).map(({ version }) => version).sort()).toEqual([...Array(8).fill(1), 2])
  })

  it('comes once more after the owner’s keys were destroyed, and not for a cipher that fails', async () => {
    const master = new Uint8Array(randomBytes(32))
    const { disk } = await brainWorld({ disk: { ...createDisk(), keys: memoryRing(master) } })
    const broken = createWorld({ disk })
    Object.assign(broken.powers.sealer, { open: async () => err('record_unreadable') })
    await seedDirectives(broken.powers, readBrainTemplates)
    expect(disk.directives.history('SOUL')).toHaveLength(1)
    const [before] = disk.directives.history('SOUL')
    disk.keys.wrappedKeys.destroy('principal:owner')
    const keys = memoryRing(master, disk.keys)
    const world = await brainWorld({ disk: { ...disk, keys } })
    expect(await world.text('SOUL')).toContain('# Voice')
    expect(disk.directives.history('SOUL').map(({ ref }) => ref.id)).not.toContain(before?.ref.id)
  })

  it('leaves out a row that stands in another file’s place', async () => {
    const world = await brainWorld()
    const [soul] = world.disk.directives.history('SOUL')
    if (soul === undefined) throw new Error('no SOUL')
    world.disk.directives.keep({ ...soul, file: 'AGENTS' }, 1)
    expect((await taken(world, await world.taskOf('hello')))?.always).toEqual(['SOUL'])
  })
})

describe('brain.load', () => {
  const load = (id: string, name: string) => ({ id, do: 'tool', tool: 'brain.load', args: { name } })

  it('gives the writer the body of a file that a plan asked for, once', async () => {
    const world = await brainWorld({ models: [planning(load('s1', 'TOOLS'), load('s2', 'TOOLS.md'))] })
    await world.say('please do')
    const contents = world.prompts.at(-1)?.parts.contents.map(({ content }) => content)
    expect(contents).toMatchObject([
      { name: 'TOOLS', state: 'loaded', text: expect.stringContaining('The narrowest read') },
      { name: 'TOOLS', state: 'unchanged' },
    ])
    expect(contents?.[1]).not.toHaveProperty('text')
    expect(describeLabel(world.prompts.at(-1)?.provenance.label ?? { atoms: [] })).toBe('sensitive')
  })

  it('gives a planner no text of it', async () => {
    const world = await brainWorld({ models: [planning(load('s1', 'TOOLS'))] })
    const task = await world.taskOf('please do')
    expect(JSON.stringify(world.prompts[0]?.parts)).not.toContain('narrowest')
    expect(task.plan?.steps).toHaveLength(1)
  })

  it.each([
    ['directive_unknown', 'NOWHERE', 'please do'],
    ['directive_name', '../TOOLS', 'please do'],
    ['directive_name', 'tools', 'please do'],
    ['directive_manual', 'BOOT', 'please boot'],
    [undefined, 'BOOT', 'read BOOT.md'],
  ])('%s for %s after %j', async (code, name, words) => {
    const world = await brainWorld({ models: [planning(load('s1', name))] })
    expect((await world.taskOf(words)).trouble?.code).toBe(code)
  })

  it('serves nobody but the owner’s templates, where the files are, below the ceiling', async () => {
    const world = await brainWorld()
    const task = await world.taskOf('hello')
    const edge = createWorld({ place: 'edge', disk: world.disk })
    const asking = receive({ name: 'TOOLS' }, kernelWords())
    const low = { ...task, ceiling: { level: 'internal', compartments: [] } } as const
    const stranger = { ...task, template: 'scheduling' }
    const answers = await Promise.all([
      loadDirective(world.powers, task, asking),
      loadDirective(world.powers, stranger, asking),
      loadDirective(edge.powers, task, asking),
      loadDirective(world.powers, low, asking),
    ])
    expect(answers.map(codeOf)).toEqual([
      null,
      'principal_not_allowed',
      'tool_unavailable',
      'directive_unknown',
    ])
  })

  it('reads a file again that was changed meanwhile', async () => {
    const world = await brainWorld({
      models: [planning(load('s1', 'TOOLS'), BOOK, load('s3', 'TOOLS.md'))],
      tools: TOOLS,
    })
    await world.say('please do')
    await world.append('TOOLS', '- Count twice.')
    await answer(world, (await onlyOne(world)).id)
    const states = world.prompts
      .at(-1)
      ?.parts.contents.map(({ content }) => (content as { state?: string }).state)
    expect(states?.filter((state) => state !== undefined)).toEqual(['loaded', 'loaded'])
  })
  const BOOK = {
    ...{ id: 's2', do: 'tool', tool: 'calendar.create_event' },
    args: { title: 'Lunch', from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' },
  }
})
