/**
 * Lists by name: put on one, shown, ticked off by words and by place, taken back, and which there are; in both languages, without a model. A list is what its entries
 * say, so one that was emptied is gone, and an unknown one says so.
 */
import { describe, expect, it } from 'vitest'
import {
  isOnList,
  LIST_NAME_MAX,
  listIn,
  listKey,
  listName,
  MOST_LISTS,
} from '../../kernel/features/reminders/lists.ts'
import { createWorld, type World } from './world.ts'

async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld()
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const rows = (of: World) =>
  of.disk.store.openReminders('principal:owner', 'task').map(({ number, list }) => `${number} ${list ?? '-'}`)

describe('put on a list', () => {
  it.each([
    ['put screws on the hardware list', ['1 hardware list']],
    ['add milk and eggs to the shopping list', ['1 shopping list', '2 shopping list']],
    ['please add screws to my hardware list', ['1 hardware list']],
    ['setz Schrauben auf die Baumarktliste', ['1 Baumarktliste']],
    ['schreib Milch und Eier auf den Einkaufszettel', ['1 Einkaufszettel', '2 Einkaufszettel']],
    ['pack bitte Sonnencreme auf die Urlaubsliste', ['1 Urlaubsliste']],
    ['hardware list: screws, nails', ['1 hardware list', '2 hardware list']],
    ['put screws on my list', ['1 -']],
    ['put screws on my to-do list', ['1 -']],
    ['add screws to my task list', ['1 -']],
    ['setz Schrauben auf meine Aufgabenliste', ['1 -']],
  ])('%s', async (said, kept) => {
    expect(rows(await given(said))).toEqual(kept)
  })

  it('by the name that it has already, however it is typed', async () => {
    const of = await given(
      'put milk on the Café list',
      'put tea on the cafe list',
      'put eggs on the grocery list',
      'setz Brot auf die Einkaufsliste',
    )
    expect(rows(of)).toEqual(['1 Café list', '2 Café list', '3 grocery list', '4 grocery list'])
  })
})

const THREE = [
  'put screws and nails on the hardware list',
  'put milk on the shopping list',
  'put call mum on my list',
]

const ALL = 'On your list:\n4. call mum\nhardware list:\n1. screws\n2. nails\nshopping list:\n3. milk'

describe('shown', () => {
  it.each([
    ["what's on the hardware list?", '1. screws\n2. nails'],
    ['show me my hardware list', '1. screws\n2. nails'],
    ['was steht auf der Einkaufsliste', '3. milk'],
    ['was steht noch auf dem Einkaufszettel?', '3. milk'],
    ["what's open?", ALL],
    ['/tasks hardware', '1. screws\n2. nails'],
    ['which lists do I have?', ALL],
    ['welche Listen habe ich?', ALL],
  ])('%s', async (said, shown) => {
    expect((await given(...THREE, said)).heard()).toBe(shown)
  })

  it('one alone is named', async () => {
    expect((await given('put milk on the shopping list', 'show me my list')).heard()).toBe(
      'shopping list:\n1. milk',
    )
  })

  it('an unknown one is named, with what is open', async () => {
    const of = await given('put milk on my list', "what's on the garden list?")
    expect(of.heard()).toBe('There is no "garden list" yet. This is open:\nOn your list:\n1. milk')
  })
})

describe('ticked off', () => {
  it.each([
    ['take screws off the hardware list', 1],
    ['remove the nails from the hardware list', 2],
    ['done with the second on the hardware list', 2],
    ['done with the first on the shopping list', 3],
    ['streich milk von der Einkaufsliste', 3],
  ])('%s', async (said, number) => {
    const of = await given(...THREE, said)
    expect(of.heard()).toMatch(new RegExp(`^Done: ${number}\\.`))
    await of.say('/undo')
    expect(rows(of)).toHaveLength(4)
  })

  it('a place says nothing among several lists, and ticks nothing off', async () => {
    const of = await given(...THREE, 'done with the second')
    expect(rows(of)).toHaveLength(4)
  })

  it('all of a list that there is not is nothing', async () => {
    const of = await given(...THREE, 'take all off the garden list')
    expect(rows(of)).toHaveLength(4)
    await of.say('take all off the hardware list')
    expect(rows(of)).toEqual(['4 -', '3 shopping list'])
  })

  it('a place is of the list that was shown', async () => {
    const of = await given(...THREE, "what's on the hardware list?", 'tick off the second one')
    expect(rows(of)).toEqual(['4 -', '1 hardware list', '3 shopping list'])
  })

  it('the same words on two lists are told apart by the list', async () => {
    const of = await given(
      'put milk on my list',
      'put milk on the shopping list',
      'take milk off the shopping list',
    )
    expect(rows(of)).toEqual(['1 -'])
  })
})

describe('names', () => {
  it.each([
    ['put Tom on the guest list'],
    ['add Tom to the mailing list'],
    ['put milk and the eggs on the list'],
    ['put milk on the shopping list and screws on the hardware list'],
    ['what is on the list of people at the table'],
  ])('%s: no list of the owner', (said) => {
    expect(listIn(said)).toBeNull()
  })

  it.each([
    'my list',
    'list',
    'To-do list',
    'Aufgabenliste',
    '',
    '  ',
    'the',
    'a, b',
    'x'.repeat(LIST_NAME_MAX + 1),
    'a\nb',
  ])('%j is no name', (said) => {
    expect(listName(said)).toBeNull()
  })

  it('are compared without case, accents and the word for a list', () => {
    expect(isOnList('Baumarktliste', 'BAUMARKT')).toBe(true)
    expect(isOnList(null, 'hardware')).toBe(false)
    expect(listKey('the Café list')).toBe('cafe')
  })
})

it('there are only so many', async () => {
  const names = Array.from({ length: MOST_LISTS + 1 }, (_, at) => `put milk on the list${at} list`)
  const of = await given(...names)
  expect(rows(of)).toHaveLength(MOST_LISTS)
  expect(of.heard()).toMatch(/too many/)
})
