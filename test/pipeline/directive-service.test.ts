/** Directive files in their owner's hands: what is kept at once, what is asked, what can be brought back (O-08 – O-13). */
import { describe, expect, it } from 'vitest'
import { BACKUP_LIFETIME } from '../../kernel/directives/retention.ts'
import { answer, onlyOne, waiting } from './approvals-owner.ts'
import { type BrainWorld, brainWorld, codeOf, ME, own } from './brain.ts'

const USER = 'who the owner is, and what they prefer'
const TEA = own(USER, 'always', '- Tea.')
const COFFEE = own(USER, 'always', '- Coffee.')

async function versions(world: BrainWorld, name: string): Promise<readonly number[]> {
  const found = await world.desk.history(ME, name)
  return found.ok ? found.value.map(({ version }) => version) : []
}

describe('an edit', () => {
  it('that adds is kept at once, byte for byte, empty sections too', async () => {
    const world = await brainWorld()
    const text = `${await world.text('USER')}- Tea.\n`
    expect(await world.write('USER', text)).toMatchObject({ ok: true, value: { version: 2, approval: null } })
    expect(await world.text('USER')).toBe(text)
    expect(text).toContain('# Who\n\n# Preferences')
    expect(await waiting(world)).toEqual([])
  })

  it('that takes lines away changes nothing unless it says so', async () => {
    const world = await brainWorld()
    const before = await world.text('USER')
    expect(codeOf(await world.write('USER', TEA))).toBe('directive_shrinks')
    expect(await world.text('USER')).toBe(before)
  })

  it('that says so waits for a yes in another message, on the very lines', async () => {
    const world = await brainWorld()
    const asked = await world.write('USER', TEA, { cleanup: true, message: 'm1' })
    expect(asked).toMatchObject({ ok: true, value: { version: null } })
    expect(await world.text('USER')).not.toBe(TEA)
    const view = await onlyOne(world)
    expect(view).toMatchObject({ kind: 'admin_change', tool: 'admin.brain' })
    expect(view.full).toContain('  - # Corrections\nIn their place:\n  + - Tea.')
    expect(await answer(world, view.id, { message: 'm1' })).toBe('approval_step_up')
    expect(await world.text('USER')).not.toBe(TEA)
    expect(await answer(world, view.id, { message: 'm2' })).toBe('ok')
    expect(await world.text('USER')).toBe(TEA)
    expect(await versions(world, 'USER')).toEqual([2, 1])
  })

  it.each([
    [
      'is refused',
      async (world: BrainWorld, id: string) => answer(world, id, { decision: 'deny', message: 'm2' }),
      'ok',
    ],
    [
      'is too late',
      async (world: BrainWorld, id: string) => {
        world.clock.now += 300_001
        await world.shell.tick()
        return answer(world, id, { message: 'm2' })
      },
      'approval_expired',
    ],
  ])('whose question %s leaves the file and no draft', async (_, answering, told) => {
    const world = await brainWorld()
    const before = await world.text('USER')
    await world.write('USER', TEA, { cleanup: true })
    expect(world.disk.directives.nextDraftEnd()).not.toBeNull()
    expect(await answering(world, (await onlyOne(world)).id)).toBe(told)
    expect(await world.text('USER')).toBe(before)
    expect(world.disk.directives.nextDraftEnd()).toBeNull()
  })

  it('is not made where the file was changed after the card', async () => {
    const world = await brainWorld()
    await world.write('USER', TEA, { cleanup: true })
    const { id } = await onlyOne(world)
    await world.append('USER', '- Cake.')
    expect(await answer(world, id, { message: 'm2' })).toBe('approval_changed')
    expect(await world.text('USER')).toContain('Cake')
  })

  it('survives a restart between question and yes', async () => {
    const first = await brainWorld()
    await first.write('USER', TEA, { cleanup: true })
    const { id } = await onlyOne(first)
    const world = await brainWorld({ disk: first.disk })
    expect(await answer(world, id, { message: 'm2' })).toBe('ok')
    expect(await world.text('USER')).toBe(TEA)
  })

  it.each<[string, string, string, object]>([
    ['record_stale', 'USER', `${COFFEE}`, { replaces: 7 }],
    ['directive_header', 'TRIPS', '- Window seat.', {}],
    ['directive_name', '../USER', COFFEE, {}],
    ['directive_name', 'US%45R', COFFEE, {}],
    ['directive_name', 'USER\0', COFFEE, {}],
    ['secret_pasted', 'TRIPS', own('x', 'manual', 'ghp_0123456789abcdefghijABCDEFGHIJ012345'), {}],
    ['field_too_large', 'TRIPS', own('x', 'manual', 'y'.repeat(20_000)), {}],
  ])('is refused as %s: %s', async (code, name, text, more) => {
    const world = await brainWorld()
    expect(codeOf(await world.write(name, text, more))).toBe(code)
    expect(await world.desk.list(ME)).toHaveLength(9)
  })

  it('is the owner’s alone, through a sink that is cleared for it', async () => {
    const world = await brainWorld()
    const edit = {
      name: 'TRIPS',
      text: own('x', 'manual', '- y'),
      replaces: 0,
      cleanup: false,
      message: 'm1',
    }
    const other = { ...ME, principal: 'principal:telegram:peer:1' }
    expect(codeOf(await world.desk.edit(other, edit))).toBe('principal_not_allowed')
    expect(await world.desk.list(other)).toEqual([])
    expect(await world.desk.list({ ...ME, sink: 'sink:openline:owner' })).toEqual([])
  })

  it('tells which file keeps a line that stands there already', async () => {
    const world = await brainWorld()
    await world.append('SOUL', '- Never whispers.')
    expect(await world.append('SECURITY', '- Never whispers.')).toMatchObject({
      value: { keptBy: ['SECURITY'] },
    })
    expect(await world.append('MEMORY', '- Never whispers.')).toMatchObject({
      value: { keptBy: ['SOUL', 'SECURITY'].sort() },
    })
  })

  it('makes no more than so many files, and none twice', async () => {
    const world = await brainWorld()
    for (let n = 0; n < 30; n += 1) await world.write(`OWN-${n}`, own('x', 'manual', '- y'))
    expect(codeOf(await world.write('ONE-MORE', own('x', 'manual', '- y')))).toBe('directive_budget')
    expect(await world.write('OWN-3', own('x', 'manual', '- y'))).toMatchObject({ value: { version: 1 } })
    expect(await world.desk.list(ME)).toHaveLength(39)
  })
})

describe('versions', () => {
  it('are five and the file itself, and none outlives seven days', async () => {
    const world = await brainWorld()
    for (let n = 0; n < 7; n += 1) await world.append('USER', `- ${n}`)
    expect(await versions(world, 'USER')).toEqual([8, 7, 6, 5, 4, 3])
    world.clock.now += BACKUP_LIFETIME
    expect(await world.shell.tick()).toBeNull()
    expect(world.disk.directives.history('USER').map(({ version }) => version)).toEqual([8])
  })

  it('go by themselves at the moment that the clock is set to', async () => {
    const world = await brainWorld()
    await world.append('USER', '- Tea.')
    const moment = await world.shell.tick()
    expect(moment).toBe(world.clock.now + BACKUP_LIFETIME)
    world.clock.now = moment ?? 0
    await world.shell.tick()
    expect(world.disk.directives.history('USER')).toHaveLength(1)
  })

  it('are restored as a new one, which asks where lines go', async () => {
    const world = await brainWorld()
    await world.append('USER', '- Tea.')
    await world.append('USER', '- Coffee.')
    const back = await world.desk.restore(ME, { name: 'USER', version: 2, message: 'm1' })
    expect(back).toMatchObject({ ok: true, value: { version: null } })
    await answer(world, (await onlyOne(world)).id, { message: 'm2' })
    expect([await world.text('USER'), await versions(world, 'USER')]).toEqual([
      expect.stringMatching(/- Tea\.\n$/),
      [4, 3, 2, 1],
    ])
    expect(await world.desk.restore(ME, { name: 'USER', version: 3, message: 'm3' })).toMatchObject({
      value: { version: 5 },
    })
    expect(codeOf(await world.desk.restore(ME, { name: 'USER', version: 9, message: 'm4' }))).toBe(
      'directive_unknown',
    )
  })

  it('bring back an own file that was emptied', async () => {
    const world = await brainWorld()
    await world.write('TRIPS', own('journeys', 'manual', '- Window seat.'))
    await world.write('TRIPS', '', { cleanup: true })
    await answer(world, (await onlyOne(world)).id, { message: 'm2' })
    expect((await world.desk.list(ME)).some(({ name }) => name === 'TRIPS')).toBe(false)
    await world.desk.restore(ME, { name: 'TRIPS', version: 1, message: 'm3' })
    expect(await world.text('TRIPS')).toContain('Window seat')
  })
})
