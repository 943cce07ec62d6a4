/**
 * Turns of the edge wait for home in the session, and are handed over in batches: each once where nothing fails, none lost where
 * something does, and none twice at home.
 */
import { expect, it } from 'vitest'
import { takeOpenMemory } from '../../kernel/features/memory/open-memory.ts'
import {
  beginTurnsForHome,
  hasTurnsForHome,
  MOST_TURNS_WAITING,
  sendTurnsToHome,
} from '../../kernel/features/memory/turns-home.ts'
import type { HomeLink, OpenMemory } from '../../kernel/features/places/home-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { createWorld, message, scriptedModel, type World } from './world.ts'

const OWNER = 'principal:owner'

interface Line {
  readonly got: OpenMemory[]
  readonly batches: number[]
  /** Turns that are taken before home is offline. */
  room: number
  refuse: readonly string[]
}

function lineOf(edge: World): { readonly line: Line; readonly hand: () => Promise<boolean> } {
  const line: Line = { got: [], batches: [], room: Infinity, refuse: [] }
  const tellTurns: HomeLink['tellTurns'] = async (turns) => {
    line.batches.push(turns.length)
    return turns.map((turn): Result<true> => {
      if (line.refuse.some((word) => wordsOf(turn).includes(word))) return err('frame_too_large')
      if (line.room <= 0) return err('home_offline')
      line.room -= 1
      line.got.push(turn)
      return ok(true)
    })
  }
  const { home } = edge.powers
  if (home === null) throw new Error('no edge')
  const powers = { ...edge.powers, home: { ...home, tellTurns } }
  return { line, hand: () => sendTurnsToHome(powers, OWNER, false) }
}

function wordsOf({ content }: OpenMemory): string {
  return typeof content === 'object' && content !== null && 'words' in content ? String(content['words']) : ''
}

const said = ({ got }: Line): readonly string[] => got.map(wordsOf)

it('hands over each turn once, in order, and nothing while there is none', async () => {
  const edge = createWorld({ place: 'edge' })
  const { line, hand } = lineOf(edge)
  expect([await hand(), line.batches]).toEqual([true, []])
  await edge.say('please do the first')
  await edge.say('please do the second')
  expect(hasTurnsForHome(edge.powers, OWNER)).toBe(true)
  expect(await hand()).toBe(true)
  expect(hasTurnsForHome(edge.powers, OWNER)).toBe(false)
  await edge.say('please do the third')
  expect(await hand()).toBe(true)
  expect(line.batches).toEqual([2, 1])
  expect(said(line)).toEqual(['please do the first', 'please do the second', 'please do the third'])
})

it('goes on where home stopped taking', async () => {
  const edge = createWorld({ place: 'edge' })
  const { line, hand } = lineOf(edge)
  for (const n of [1, 2, 3]) await edge.say(`please do number ${n}`)
  line.room = 1
  expect([await hand(), said(line)]).toEqual([false, ['please do number 1']])
  line.room = Infinity
  expect(await hand()).toBe(true)
  expect(said(line)).toEqual([1, 2, 3].map((n) => `please do number ${n}`))
})

it('leaves out what can never be sent, notes it, and stops nothing behind it', async () => {
  const edge = createWorld({ place: 'edge' })
  const { line, hand } = lineOf(edge)
  line.refuse = ['second']
  for (const word of ['first', 'second', 'third']) await edge.say(`please do the ${word}`)
  expect(await hand()).toBe(true)
  expect(said(line)).toEqual(['please do the first', 'please do the third'])
  const faults = edge.audited.filter(({ kind }) => kind === 'fault').map(({ facts }) => facts)
  expect(faults).toEqual([{ code: 'frame_too_large', effect: 'tell_home' }])
  expect(hasTurnsForHome(edge.powers, OWNER)).toBe(false)
})

it('hands over the turn of a task that waited while later ones were handed over', async () => {
  const edge = createWorld({ place: 'edge' })
  const { line, hand } = lineOf(edge)
  const waits = await edge.say('am I free tomorrow at 3pm?')
  expect(edge.disk.store.loadTask(waits)?.state.at).toBe('awaiting_home')
  edge.link.up = false
  const [call] = edge.homeCalls
  if (call === undefined) throw new Error('nothing was asked')
  // A later one ends first: it is put in the session beside the waiting one, as after the notice that home is away.
  const { id, step } = call
  const other = edge.disk.store.loadTask(waits)
  if (other === null) throw new Error('no task')
  const late = { ...other, id: 'late', turn: other.turn + 5, state: { at: 'completed' } } as typeof other
  edge.disk.store.addTask(late, [])
  const { turn, words, principal, createdAt: at } = late
  edge.disk.store.appendTurn({ turn, principal, task: 'late', words, answer: null, at })
  expect(await hand()).toBe(true)
  expect(line.got.map(({ id: task }) => task)).toEqual(['late'])
  await edge.shell.homeAnswered({ id, task: waits, step, ok: false, reason: 'tool_failed' })
  await edge.shell.run(OWNER)
  expect(await hand()).toBe(true)
  expect(line.got.map(({ id: task }) => task)).toEqual(['late', waits])
  expect(hasTurnsForHome(edge.powers, OWNER)).toBe(false)
})

it('hands over a turn that ended while others were under way to home', async () => {
  const edge = createWorld({ place: 'edge' })
  const { line } = lineOf(edge)
  await edge.say('please do the first')
  const { home } = edge.powers
  if (home === null) throw new Error('no edge')
  const slow: HomeLink['tellTurns'] = async (turns) => {
    line.got.push(...turns)
    if (line.got.length === 1) await edge.say('please do the second')
    return turns.map(() => ok(true))
  }
  await sendTurnsToHome({ ...edge.powers, home: { ...home, tellTurns: slow } }, OWNER, false)
  expect(said(line)).toEqual(['please do the first', 'please do the second'])
})

it('hands over again after a crash before it was noted, and home keeps one', async () => {
  const [edge, home] = [createWorld({ place: 'edge' }), createWorld()]
  const { line, hand } = lineOf(edge)
  await edge.say('please do the first')
  const noted = edge.disk.store.setting('turns-handed')
  await hand()
  edge.disk.store.saveSetting('turns-handed', noted)
  await hand()
  expect(line.got).toHaveLength(2)
  for (const memory of line.got) await takeOpenMemory(home.powers, memory)
  expect(home.disk.store.recentTurns(OWNER, 9)).toHaveLength(1)
})

it('takes what an earlier version left as handed over, but not what was under way', async () => {
  const edge = createWorld({ place: 'edge' })
  const { line, hand } = lineOf(edge)
  await edge.say('please do the first')
  const waits = await edge.say('am I free tomorrow at 3pm?')
  beginTurnsForHome(edge.powers, OWNER)
  expect(hasTurnsForHome(edge.powers, OWNER)).toBe(false)
  const [call] = edge.homeCalls
  if (call === undefined) throw new Error('nothing was asked')
  await edge.shell.homeAnswered({
    id: call.id,
    task: waits,
    step: call.step,
    ok: false,
    reason: 'tool_failed',
  })
  await edge.shell.run(OWNER)
  await edge.say('please do the third')
  // It changes nothing when it is called again.
  beginTurnsForHome(edge.powers, OWNER)
  await hand()
  expect(said(line)).toEqual(['am I free tomorrow at 3pm?', 'please do the third'])
})

it('hands over the first turn of a new edge, which began while it ran', async () => {
  const edge = createWorld({ place: 'edge' })
  const { line, hand } = lineOf(edge)
  beginTurnsForHome(edge.powers, OWNER)
  expect(edge.disk.store.setting('turns-handed')).toBe(null)
  const received = await edge.shell.receive(message('please do the first', { id: 'x', place: 'edge' }))
  if (!received.ok) throw new Error(received.reason.code)
  beginTurnsForHome(edge.powers, OWNER)
  await edge.shell.run(OWNER)
  beginTurnsForHome(edge.powers, OWNER)
  await hand()
  expect(said(line)).toEqual(['please do the first'])
})

it('keeps the newest of what waited for weeks, and says how many it left out', async () => {
  const edge = createWorld({ place: 'edge' })
  const { line, hand } = lineOf(edge)
  const first = await edge.say('please do the first')
  const task = edge.disk.store.loadTask(first)
  if (task === null) throw new Error('no task')
  const { principal, words, createdAt: at } = task
  for (let n = 1; n <= MOST_TURNS_WAITING; n += 1)
    edge.disk.store.appendTurn({
      turn: task.turn + n,
      principal,
      task: first,
      words,
      answer: null,
      at: at + n,
    })
  expect(await hand()).toBe(true)
  expect(line.got).toHaveLength(MOST_TURNS_WAITING)
  const faults = edge.audited.filter(({ kind }) => kind === 'fault').map(({ facts }) => facts)
  expect(faults).toEqual([{ code: 'home_offline', effect: 'tell_home', turns: 1 }])
})

it('tells nothing of a result that the owner has forgotten, nor of one that no planner may see', async () => {
  const page = { title: 'Gooseberry almanac', text: 'July.', links: [], language: 'en' }
  const model = scriptedModel('m', () => 'ok')
  const tools = { 'web.read': () => ({ ok: true, output: page }) as const }
  const edge = createWorld({ place: 'edge', tools, models: [model] })
  const { line, hand } = lineOf(edge)
  await edge.say('read https://almanac.example/')
  const [entry] = edge.disk.store.workingMemory(OWNER, 9)
  if (entry === undefined) throw new Error('nothing was kept')
  const { principal, ref } = entry
  edge.disk.store.forgetEntry({
    principal,
    kind: 'result',
    id: ref.id,
    until: edge.clock.now + 9_000,
  } as never)
  await hand()
  expect(line.got.map(({ content }) => content)).toEqual([
    { words: 'read https://almanac.example/', records: [] },
  ])
})

it('goes on behind a turn whose words cannot be opened', async () => {
  const edge = createWorld({ place: 'edge' })
  const { line, hand } = lineOf(edge)
  const first = await edge.say('please do the first')
  const task = edge.disk.store.loadTask(first)
  if (task === null) throw new Error('no task')
  const { principal, turn, words, createdAt: at } = task
  const broken = { ...words, id: 'gone' }
  edge.disk.store.appendTurn({ turn: turn + 1, principal, task: first, words: broken, answer: null, at })
  await edge.say('please do the third')
  expect(await hand()).toBe(true)
  expect(said(line)).toEqual(['please do the first', 'please do the third'])
  const faults = edge.audited.filter(({ kind }) => kind === 'fault').map(({ facts }) => facts)
  expect(faults).toEqual([{ code: 'record_unreadable', effect: 'tell_home' }])
})
