/** What a task leaves behind, and what it must not (B-12 – B-21, C-04); and what is refused on the way in (B-29). */

import { describe, expect, it } from 'vitest'
import { EMAIL_MANIFEST } from '../../integrations/tools/email/manifest.ts'
import { PUBLIC } from '../../kernel/flow/label.ts'
import { insideOf } from '../../kernel/flow/labeled.ts'
import { createRecord } from '../../kernel/flow/record.ts'
import { CLEAN } from '../../kernel/flow/taint.ts'
import type { Powers } from '../../kernel/powers/all-powers.ts'
import { shapeOf } from '../../kernel/powers/effects.ts'
import { keepRecord, openRecordOf, openTextOf } from '../../kernel/powers/sealed.ts'
import type { SealedRef } from '../../kernel/task/task.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { calendarTools, EMAILS, mailTools } from './mailbox.ts'
import { createWorld, message, scriptedModel, type World } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }
const OWNER = 'principal:owner'

async function remembered(world: World, index = 0): Promise<string> {
  const entry = world.disk.store.workingMemory(OWNER, 20)[index]
  const record = entry === undefined ? null : await openRecordOf(world.powers, entry.ref)
  if (!record?.ok) throw new Error('nothing remembered')
  return JSON.stringify(insideOf(record.value.whole()))
}

describe('working memory', () => {
  it('keeps ids and names of a mail, never its body (B-16)', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('read the one from Sarah')
    const kept = await remembered(world)
    expect(kept).toContain('"id":"m1"')
    expect(kept).toContain('Q3 budget')
    expect(kept).not.toContain('Body:')
  })

  it('is empty for a new conversation, as the talk is; facts stay, and the rest is archived', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('remember that the gate code is fig')
    await world.say('read the one from Sarah')
    const { store } = world.disk
    expect(store.historySize(OWNER).turns).toBe(2)
    await world.say('/new')
    expect(world.heard()).toContain('new conversation')
    // The command itself.
    expect(store.historySize(OWNER).turns).toBe(1)
    expect(store.workingMemory(OWNER, 50)).toEqual([])
    expect(store.facts(OWNER, 5)).toHaveLength(1)
    expect(store.archivedMemory(OWNER, 50).length).toBeGreaterThan(0)
    expect(store.earlierTurns(OWNER, { limit: 9, archivedOnly: true })).toHaveLength(2)
    await world.say('what do you know about the gate code?')
    expect(world.heard()).toContain('fig')
  })

  it('keeps label and taint with what it keeps', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('check my email')
    const [entry] = world.disk.store.workingMemory(OWNER, 1)
    expect(entry?.ref.label.atoms.every(({ level }) => level === 'sensitive')).toBe(true)
    expect(entry?.ref.taint.level).toBe('raw')
  })

  it('keeps the last ten tasks and archives what the eleventh pushes out (B-14)', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('read the one from Sarah')
    for (let turn = 0; turn < 10; turn += 1) await world.say('am I free tomorrow?')
    const { store } = world.disk
    const turns = store.workingMemory(OWNER, 50).map(({ turn }) => turn)
    expect([new Set(turns).size, Math.min(...turns)]).toEqual([10, 2])
    const archived = store.archivedMemory(OWNER, 50)
    expect(archived.map(({ turn }) => turn)).toEqual([1, 1])
    expect(archived.map(({ ref }) => ref.taint.level)).toEqual(['raw', 'raw'])
    expect(archived.map(({ ref }) => store.getSealed(ref.id)?.store)).toEqual(['memory', 'memory'])
    await world.say('what do you know about the budget?')
    expect(world.heard()).toContain('Q3 budget')
    await world.say('what do you remember?')
    expect(world.heard()).not.toContain('Q3 budget')
  })

  it('finds a fact rather than the archive, so that the answer stays the owner’s own', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('check my email')
    for (let turn = 0; turn < 10; turn += 1) await world.say('am I free tomorrow?')
    await world.say('remember that the budget is due in May')
    await world.say('what do you know about the budget?')
    expect(world.heard()).toContain('due in May')
    expect(world.heard()).not.toContain('Sarah')
  })

  it('hides the archive from a task whose ceiling is below it (B-20)', async () => {
    const home = createWorld({ tools: TOOLS })
    await home.say('check my email')
    for (let turn = 0; turn < 10; turn += 1) await home.say('am I free tomorrow?')
    expect(home.disk.store.archivedMemory(OWNER, 9)).toHaveLength(1)
    const edge = createWorld({ place: 'edge', disk: home.disk })
    await edge.say('what do you know about the budget?')
    expect(edge.heard()).toBe('You have not told me anything about that.')
  })

  it('deletes what was only for the task (C-04)', async () => {
    const world = createWorld({ tools: TOOLS })
    const task = world.disk.store.loadTask(await world.say('read the one from Sarah'))
    const temporary = Object.values(task?.results ?? {}).flatMap((result) =>
      result.kind === 'sealed' ? [result.ref.id] : [],
    )
    expect(temporary.length).toBeGreaterThan(0)
    expect(temporary.map((id) => world.disk.store.getSealed(id))).toEqual(temporary.map(() => null))
  })

  it.each([
    ['the fast path', 'hi'],
    ['the full path', 'check my email'],
    ['a plan that is empty', 'please sing'],
  ])('stores the turn on %s (B-21)', async (_path, words) => {
    const world = createWorld({ tools: TOOLS })
    await world.say(words)
    const turn = world.disk.store.recentTurns(OWNER, 5).at(-1)
    const opened = turn === undefined ? null : await openTextOf(world.powers, turn.words)
    expect(opened?.ok ? insideOf(opened.value) : null).toBe(words)
  })

  it('is not there for a task whose ceiling is below it (A-04, B-20)', async () => {
    const home = createWorld({ tools: TOOLS })
    await home.say('remember that the code is lantern-4711')
    await home.say('check my email')
    const edge = createWorld({ place: 'edge', disk: home.disk })
    await edge.say('what do you know about the code?')
    expect(edge.heard()).not.toContain('lantern-4711')
    const planner = scriptedModel('rules', () => '{"steps":[],"explanation":"not_understood"}')
    const other = createWorld({ place: 'edge', disk: home.disk, models: [planner] })
    await other.say('please do the unusual thing')
    const roots = other.prompts[0]?.parts.metadata.map(({ root }) => root)
    expect(roots).toEqual(['said'])
  })
})

describe('a reference that was edited at rest', () => {
  it.each([
    ['taint', (ref: SealedRef) => ({ ...ref, taint: { ...ref.taint, level: 'clean' as const } })],
    [
      'label',
      (ref: SealedRef) => ({
        ...ref,
        label: { atoms: ref.label.atoms.map((atom) => ({ ...atom, origin: 'chat:sink:terminal:owner' })) },
      }),
    ],
  ])('opens nothing: %s', async (_what, edit) => {
    const world = createWorld({ tools: TOOLS })
    await world.say('check my email')
    const entry = world.disk.store.workingMemory(OWNER, 1)[0]
    if (entry === undefined) throw new Error('nothing remembered')
    expect((await openRecordOf(world.powers, entry.ref)).ok).toBe(true)
    const opened = await openRecordOf(world.powers, edit(entry.ref))
    expect(opened).toMatchObject({ ok: false, reason: { code: 'record_unreadable' } })
  })
})

describe('a declaration that was loosened since', () => {
  const loosened = (edit: (text: string) => string): Powers['registry'] =>
    createRegistry([JSON.parse(edit(JSON.stringify(EMAIL_MANIFEST))) as typeof EMAIL_MANIFEST])

  it.each<[string, (text: string) => string, string]>([
    ['not at all', (text) => text, 'ok'],
    ['in its level', (text) => text.replaceAll('"sensitive"', '"internal"'), 'record_stale'],
    ['in a field that was free text', (text) => text.replaceAll('"text"', '"number"'), 'record_stale'],
  ])('lowers nothing that is stored: %s (invariant 2)', async (_what, edit, code) => {
    const { powers } = createWorld()
    const shape = shapeOf(powers.registry, 'email.list')
    const inputs = { label: PUBLIC, taint: CLEAN }
    const record = shape.ok
      ? createRecord({ ...shape.value, inputs }, { emails: EMAILS, more: false })
      : shape
    if (!record.ok) throw new Error(record.reason.code)
    const keeping = { principal: OWNER, store: 'sessions', until: null, action: 'email.list' } as const
    const ref = await keepRecord(powers, keeping, record.value)
    // As read back from storage: what this very process sealed is at hand and not opened.
    const opened = await openRecordOf({ ...powers, registry: loosened(edit) }, structuredClone(ref))
    expect(opened.ok ? 'ok' : opened.reason.code).toBe(code)
  })
})

describe('what comes in wrong', () => {
  it.each([
    ['nonsense', 'hello', 'event_malformed'],
    ['a message that is too long', message('x'.repeat(100_001), { id: 'a' }), 'event_too_large'],
    [
      'a sender of an adapter without a template',
      { ...message('hi', { id: 'b' }), source: { adapter: 'pigeon', user: 'x', chat: 'x', group: false } },
      'template_none_matches',
    ],
    ['an event for the other place', message('hi', { id: 'c', place: 'edge' }), 'place_not_cleared'],
  ])('%s is refused with its reason and leaves no task', async (_what, event, code) => {
    const world = createWorld({ tools: TOOLS })
    expect(await world.shell.receive(event)).toMatchObject({ ok: false, reason: { code } })
    expect(world.disk.store.activePrincipals()).toEqual([])
  })

  it('a label that an adapter sends along changes nothing (A-07)', async () => {
    const world = createWorld({ tools: TOOLS })
    const received = await world.shell.receive({
      ...message('hi', { id: 'd' }),
      label: 'public',
      taint: 'clean',
    })
    const task = received.ok ? world.disk.store.loadTask(received.value.task) : null
    expect(task?.words.label.atoms).toMatchObject([{ level: 'sensitive', field: 'words' }])
  })

  it('an event of another principal is not taken into a namespace (R-01)', async () => {
    const world = createWorld({ tools: TOOLS })
    const refusal = { ok: false, reason: { code: 'principal_not_allowed' } }
    expect(await world.shell.receive(message('hi', { id: 'e' }), 'principal:telegram:peer:1')).toMatchObject(
      refusal,
    )
  })
})
