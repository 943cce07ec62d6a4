/**
 * The owner's session in two shards (DESIGN §1): words typed on the open line are known at home, at the trust that the
 * open line has, whatever the edge claims; and nothing goes the other way.
 */
import { expect, it } from 'vitest'
import {
  MAX_SYNCED_A_DAY,
  MAX_SYNCED_DENIALS,
  takeOpenMemory,
} from '../../kernel/features/memory/open-memory.ts'
import { sendTurnsToHome } from '../../kernel/features/memory/turns-home.ts'
import type { OpenMemory } from '../../kernel/features/places/home-port.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { describeLabel } from '../../kernel/flow/label.ts'
import { insideOf } from '../../kernel/flow/labeled.ts'
import { openRecordOf } from '../../kernel/powers/sealed.ts'
import { createShell } from '../../kernel/runtime/shell.ts'
import { createWorld, FRIDAY_NOON, message, scriptedModel, type World } from './world.ts'

const OWNER = 'principal:owner'
const PAGE = { title: 'Gooseberry almanac', text: 'They ripen in July.', links: [], language: 'en' }
const WEB = { 'web.read': () => ({ ok: true, output: PAGE }) as const }
const CLEAN = { level: 'clean', origins: [], touchedBy: [] }
const labelled = (level: string): Json => ({
  atoms: [{ origin: 'chat:sink:openline:owner', field: 'words', level, compartment: null }],
})

async function pass(edge: World, home: World): Promise<void> {
  await sendTurnsToHome(edge.powers, OWNER, true)
  for (const memory of edge.told) await takeOpenMemory(home.powers, memory)
}

function fact(content: Json, over: Partial<OpenMemory> = {}): OpenMemory {
  return { id: 'f1', principal: OWNER, what: 'fact', at: FRIDAY_NOON, content, ...over }
}

function turn(records: readonly Json[], over: Partial<OpenMemory> = {}): OpenMemory {
  const content = { words: 'please look', records }
  return { id: 't1', principal: OWNER, what: 'turn', at: FRIDAY_NOON, content, ...over }
}

function result(action: string, output: Json, over: { readonly [key: string]: Json } = {}): Json {
  return { action, output, inputs: { label: labelled('internal'), taint: CLEAN }, reported: null, ...over }
}

function refusals(home: World): unknown {
  return home.audited.flatMap(({ kind, facts }) => (kind === 'denial' ? [facts['code']] : []))
}

it('finds at home a fact that was saved on the open line', async () => {
  const [edge, home] = [createWorld({ place: 'edge' }), createWorld()]
  await edge.say('remember that the locker is 12')
  await pass(edge, home)
  await home.say('what do you know about the locker?')
  expect(home.heard()).toContain('the locker is 12')
  const [stored] = home.disk.store.facts(OWNER, 9)
  expect([stored && describeLabel(stored.ref.label), stored?.ref.taint.level]).toEqual(['internal', 'clean'])
})

it('shows home’s planner the words of both lines in the order in which they were said', async () => {
  const edge = createWorld({ place: 'edge' })
  const model = scriptedModel('m', ({ parts }) =>
    parts.purpose === 'plan' ? '{"steps":[],"explanation":""}' : 'ok',
  )
  const home = createWorld({ models: [model] })
  await home.say('please do the first')
  edge.clock.now += 1_000
  await edge.say('please do the second')
  home.clock.now += 2_000
  await home.say('please do the third')
  await pass(edge, home)
  home.prompts.length = 0
  await home.say('please do the last')
  const planning = home.prompts.find(({ parts }) => parts.purpose === 'plan')
  // What the edge answered is not kept here.
  const said = ['please do the first', '(answered) please do the second', 'please do the third']
  expect(planning?.parts.history).toEqual(said)
  expect(planning?.provenance.taint.level).toBe('clean')
})

it('lets home refer to what the edge read, by its names and ids and never its body', async () => {
  const [edge, home] = [createWorld({ place: 'edge', tools: WEB }), createWorld()]
  await edge.say('read https://almanac.example/')
  expect(JSON.stringify(edge.told)).not.toContain('July')
  await pass(edge, home)
  const [entry] = home.disk.store.workingMemory(OWNER, 9)
  expect(entry).toMatchObject({ action: 'web.read', ref: { taint: { level: 'raw' } } })
  expect(entry && describeLabel(entry.ref.label)).toBe('internal')
})

it('takes no body, should the edge send one', async () => {
  const home = createWorld()
  await takeOpenMemory(home.powers, turn([result('web.read', PAGE)]))
  const [entry] = home.disk.store.workingMemory(OWNER, 9)
  const record = entry === undefined ? null : await openRecordOf(home.powers, entry.ref)
  if (!record?.ok) throw new Error('not kept')
  expect(insideOf(record.value.whole())).toEqual({ title: PAGE.title, links: [], language: 'en' })
})

it('changes nothing when it is told again', async () => {
  const [edge, home] = [createWorld({ place: 'edge', tools: WEB }), createWorld()]
  await edge.say('remember that the locker is 12')
  await edge.say('read https://almanac.example/')
  const counts = (): readonly number[] => {
    const { store } = home.disk
    return [store.facts(OWNER, 9), store.workingMemory(OWNER, 9), store.recentTurns(OWNER, 9)].map(
      (rows) => rows.length,
    )
  }
  await pass(edge, home)
  expect(counts()).toEqual([1, 1, 2])
  const facts = home.disk.store.facts(OWNER, 9)
  await pass(edge, home)
  expect(counts()).toEqual([1, 1, 2])
  expect(home.disk.store.facts(OWNER, 9)).toEqual(facts)
})

it.each([
  [
    'of another principal',
    fact(
      { text: 'x', label: labelled('internal'), taint: CLEAN },
      { principal: 'principal:telegram:peer:7' },
    ),
    'principal_not_allowed',
  ],
  [
    'above what the edge may know',
    fact({ text: 'x', label: labelled('sensitive'), taint: CLEAN }),
    'place_not_cleared',
  ],
  ['with a label that is none', fact({ text: 'x', label: 'public', taint: CLEAN }), 'label_malformed'],
  [
    'with a taint that is none',
    fact({ text: 'x', label: labelled('internal'), taint: 'clean' }),
    'taint_malformed',
  ],
  [
    'too long',
    fact({ text: 'x'.repeat(2_001), label: labelled('internal'), taint: CLEAN }),
    'frame_malformed',
  ],
  [
    'with more than belongs there',
    fact({ text: 'x', label: labelled('internal'), taint: CLEAN, clean: true }),
    'frame_malformed',
  ],
  ['a turn that is none', turn([], { content: 'x' }), 'frame_malformed'],
  ['too many results', turn(Array.from({ length: 33 }, () => result('web.read', PAGE))), 'frame_malformed'],
])('refuses a claim %s and keeps nothing of it', async (_what, memory, code) => {
  const home = createWorld()
  await takeOpenMemory(home.powers, memory)
  expect(refusals(home)).toEqual([code])
  expect([home.disk.store.facts(OWNER, 9), home.disk.store.recentTurns(OWNER, 9)]).toEqual([[], []])
})

it.each([
  [
    'of a tool whose results the edge may not hold',
    result('email.list', { emails: [], more: false }),
    'place_not_cleared',
  ],
  ['as the kernel’s own', result('memory.search', { facts: [], earlier: [] }), 'tool_unknown'],
  ['as the owner’s own words', result('extractor:message:owner', { intent: 'other' }), 'tool_unknown'],
  ['that the tool cannot put out', result('web.read', { title: 7 }), 'field_malformed'],
  [
    'made of something sensitive',
    result('web.read', PAGE, { inputs: { label: labelled('sensitive'), taint: CLEAN } }),
    'place_not_cleared',
  ],
  [
    'that the tool called sensitive',
    result('web.read', PAGE, { reported: 'sensitive' }),
    'place_not_cleared',
  ],
])('takes the words of a turn without a result %s', async (_what, told, code) => {
  const home = createWorld()
  await takeOpenMemory(home.powers, turn([told]))
  expect(refusals(home)).toEqual([code])
  expect(home.disk.store.workingMemory(OWNER, 9)).toEqual([])
  expect(home.disk.store.recentTurns(OWNER, 9)).toHaveLength(1)
})

it.each([
  [
    'a public label is raised to that of the line',
    { label: { atoms: [] }, taint: CLEAN },
    ['internal', 'clean'],
  ],
  [
    'raw text stays raw',
    { label: labelled('internal'), taint: { ...CLEAN, level: 'raw' } },
    ['internal', 'raw'],
  ],
])('%s', async (_what, guard, kept) => {
  const home = createWorld()
  await takeOpenMemory(home.powers, fact({ text: 'x', ...guard }))
  const [stored] = home.disk.store.facts(OWNER, 9)
  expect([stored && describeLabel(stored.ref.label), stored?.ref.taint.level]).toEqual(kept)
})

it('cannot name a fact of home’s own, nor speak from the future', async () => {
  const home = createWorld()
  await home.say('remember that the locker is 12')
  const [own] = home.disk.store.facts(OWNER, 9)
  const claim = { text: 'forged', label: labelled('internal'), taint: CLEAN }
  await takeOpenMemory(home.powers, fact(claim, { id: own?.id ?? '', at: FRIDAY_NOON + 1e9 }))
  const facts = home.disk.store.facts(OWNER, 9)
  expect(facts).toHaveLength(2)
  expect(facts.map(({ at }) => at)).toEqual([FRIDAY_NOON, FRIDAY_NOON])
  expect(facts).toContainEqual(own)
})

it('tells of the owner alone, and home tells nothing', async () => {
  const home = createWorld()
  await home.say('remember that the locker is 12')
  expect(home.told).toEqual([])
  const edge = createWorld({ place: 'edge' })
  const event = message('hello', { id: 'x', place: 'edge' })
  const received = await edge.shell.receive({
    ...event,
    source: { adapter: 'telegram', user: 'mallory', chat: 'mallory', group: false },
  })
  if (!received.ok) throw new Error(received.reason.code)
  await edge.shell.run(received.value.principal)
  expect(edge.disk.store.recentTurns(received.value.principal, 9)).toHaveLength(1)
  expect(edge.told).toEqual([])
})

it('saves a fact in peace when the link fails, and notes it', async () => {
  const edge = createWorld({ place: 'edge' })
  const fails = async (): Promise<never> => {
    throw new Error('canary')
  }
  const home = {
    ask: fails,
    tell: fails,
    tellTurns: fails,
    tellCode: fails,
    up: async () => true,
    granted: () => [],
  }
  const shell = createShell({ ...edge.powers, home })
  const said = message('remember that the locker is 12', { id: 'x', place: 'edge' })
  const received = await shell.receive(said)
  if (!received.ok) throw new Error(received.reason.code)
  await shell.run(OWNER)
  expect((await shell.report(received.value.task))?.task.state).toBe('completed')
  const faults = edge.audited.filter(({ kind }) => kind === 'fault').map(({ facts }) => facts)
  expect(faults).toEqual([{ code: 'home_offline', effect: 'tell_home' }])
})

it('takes no more in a day than anybody says, and refuses the rest in a bounded number of lines', async () => {
  const home = createWorld()
  const tell = (id: string) =>
    takeOpenMemory(home.powers, fact({ text: 'x', label: labelled('internal'), taint: CLEAN }, { id }))
  const kept = () => home.disk.store.facts(OWNER, 2 * MAX_SYNCED_A_DAY).length
  for (let n = 0; n < MAX_SYNCED_A_DAY + MAX_SYNCED_DENIALS + 5; n += 1) await tell(`f${n}`)
  expect(kept()).toBe(MAX_SYNCED_A_DAY)
  expect(refusals(home)).toEqual(new Array(MAX_SYNCED_DENIALS).fill('remote_rate_limited'))
  home.clock.now += 86_400_000
  await tell('tomorrow')
  expect(kept()).toBe(MAX_SYNCED_A_DAY + 1)
})
