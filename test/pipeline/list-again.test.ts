/**
 * What goes on about entries of the list: two that are alike, one that is put back, one more that is had as well, and things
 * that are needed. Nothing that is not there is ticked off, and what was typed of a thing stays.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({ tools: { ...mailTools(), ...calendarTools() } })
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

async function listed(of: World): Promise<readonly string[]> {
  await of.say('/tasks')
  const shown = of.heard()
  return shown.startsWith('Nothing') ? [] : shown.split('\n').map((line) => line.replace(/^\d+\. /, ''))
}

describe('needed', () => {
  it.each([
    ['need milk, bread n those little batteries', ['milk', 'bread', 'those little batteries']],
    ['we need milk and bread', ['milk', 'bread']],
    ['need to buy eggs, flour', ['eggs', 'flour']],
    ['brauchen milch, brot und butter', ['milch', 'brot', 'butter']],
    ['wir brauchen eier und mehl', ['eier', 'mehl']],
    ['put need eggs on my list', ['need eggs']],
    ['need to call mum and dad', []],
    ['i need a doctor', []],
    ['ich brauche Hilfe', []],
    ['wir brauchen einen Termin', []],
    ['i need you', []],
  ])('%s', async (said, things) => {
    const of = await given(said)
    expect(await listed(of)).toEqual(things)
  })
})

const TWICE = ['put milk on my list', 'put bread on my list', 'put soap on my list', 'put bread on my list']

describe('two that are alike', () => {
  it.each(['got the bread', 'done with bread', 'bread is done', 'brot ist erledigt', 'bought the bread'])(
    '%s: one of them is ticked off',
    async (said) => {
      const of = await given(
        ...TWICE.map((one) => (said.includes('brot') ? one.replace('bread', 'brot') : one)),
        said,
      )
      expect(of.heard()).toMatch(/^Done: 2(?:\.| is off) /)
      expect(await listed(of)).toHaveLength(3)
    },
  )

  it.each(['done with the 2nd bread', 'cross off the second bread', 'take the 2nd bread off my list'])(
    '%s: it is the one at that place',
    async (said) => {
      const of = await given(...TWICE, said)
      expect(of.heard()).toMatch(/^Done: 4\./)
    },
  )

  it('a place that none of them has ticks nothing off', async () => {
    const of = await given(...TWICE, 'done with the 3rd bread')
    expect(await listed(of)).toHaveLength(4)
  })

  it.each(['the 2nd bread', 'the second one', '2', 'the white bread'])(
    'of two that differ it is asked which: %s',
    async (said) => {
      const of = await given('put brown bread on my list', 'put white bread on my list', 'done with bread')
      expect(of.heard()).toBe('More than one fits. Say its number in the list.')
      await of.say(said)
      expect(await listed(of)).toEqual(['brown bread'])
    },
  )

  it('reminders of the same words at two times are asked about', async () => {
    const of = await given(
      'remind me at 15:00 to feed the cat',
      'remind me at 19:00 to feed the cat',
      'cancel the cat reminder',
    )
    expect(of.disk.store.openReminders('principal:owner', 'reminder')).toHaveLength(2)
  })
})

describe('put back', () => {
  it.each([
    ['got the milk', 'actually put the milk back'],
    ['got the milk', 'put milk back on the list'],
    ['got the milk', 'untick the milk'],
    ['got the milk', "i didn't get the milk after all"],
    ['got the milk', 'setz milk doch wieder drauf'],
    ['got the milk', 'die milk wieder auf die liste'],
    ['milk ist erledigt', 'milk hab ich doch nicht gekauft'],
  ])('%s, then %s', async (ticked, said) => {
    const of = await given('put milk and eggs on my list', ticked, said)
    expect(of.heard()).toMatch(/^It is back: 1\./)
    expect(await listed(of)).toEqual(['milk', 'eggs'])
  })

  it('what was never ticked off is not put back', async () => {
    const of = await given('put eggs on my list', 'put the milk back')
    expect(of.heard()).not.toMatch(/It is back/)
    expect(await listed(of)).toEqual(['eggs'])
  })
})

describe('and that too', () => {
  it.each(['and bread too', 'und bread auch', 'the bread as well'])(
    '%s, right after a tick: ticks it off',
    async (said) => {
      const of = await given('put milk, bread and soap on my list', 'got the milk', said)
      expect(await listed(of)).toEqual(['soap'])
    },
  )

  it('what is not on the list is not put on it by that', async () => {
    const of = await given('put milk and soap on my list', 'got the milk', 'and bread too')
    expect(of.heard()).toBe('There is none like that on the list.')
    expect(await listed(of)).toEqual(['soap'])
  })

  it('right after one was added it is added', async () => {
    const of = await given('put milk on my list', 'and bread too')
    expect(await listed(of)).toEqual(['milk', 'bread'])
  })
})
