/** A fact and another request in one message, without a model: the fact is kept alone, and the other is done or said to be left out. */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { calendarTools, mailTools } from '../pipeline/mailbox.ts'
import { createWorld } from '../pipeline/world.ts'

async function heard(said: string) {
  const home = createRulesModel({ place: 'home', home: HOME_RULES })
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools() }, models: [home] })
  const task = await world.say(said)
  const tools = world.disk.store.loadTask(task)?.traces.map(({ tool }) => tool)
  const asking = { principal: 'principal:owner', sink: 'sink:terminal:owner' }
  const kept = (await world.ports.memory.list(asking)).filter(({ kind }) => kind === 'fact')
  return { tools, facts: kept.map(({ text }) => text), answer: world.heard() }
}

describe('a fact, and what the next sentence asks for', () => {
  it.each([
    ['remember my locker is 12. Then what’s on tomorrow?', 'my locker is 12', 'calendar.list_events'],
    [
      'remember that my locker is 12. And remind me tomorrow at 9 to call mum',
      'my locker is 12',
      'reminder.set',
    ],
    [
      'merk dir, dass der Zählerstand 4711 ist. Und setz Brot auf die Liste',
      'der Zählerstand 4711 ist',
      'task.add',
    ],
    [
      'merk dir, dass mein Spind die 12 hat. Und was steht morgen an?',
      'mein Spind die 12 hat',
      'calendar.list_events',
    ],
  ])('both are done: %s', async (said, fact, tool) => {
    const { tools, facts } = await heard(said)
    expect([facts, tools]).toEqual([[fact], ['memory.save', tool]])
  })

  it.each([
    ['merk dir, dass mein Spind die 12 hat. Und leg Lena als Kontakt an', 'mein Spind die 12 hat'],
    ['remember that my locker is 12. And add Lena as a contact, lena@kurz.example', 'my locker is 12'],
  ])('the other is said to be left out: %s', async (said, fact) => {
    const { facts, answer } = await heard(said)
    expect(facts).toEqual([fact])
    expect(answer).toMatch(/only a part|nur einen Teil/)
  })

  it.each([
    ['remember that Tom likes tea. He drinks no coffee', 'Tom likes tea. He drinks no coffee'],
    ['merk dir: Tom mag Tee. Er trinkt keinen Kaffee', 'Tom mag Tee. Er trinkt keinen Kaffee'],
  ])('a second statement stays with the first: %s', async (said, fact) => {
    expect((await heard(said)).facts).toEqual([fact])
  })
})

it.each(['bin bags on my list and new mail', 'nappies on my list and new mail'])(
  'a thing for the list is nothing said beside a look: %s',
  async (said) => {
    const { tools } = await heard(said)
    expect(tools?.toSorted()).toEqual(['email.list', 'task.add'])
  },
)

it('whom it is said to is no fact', async () => expect((await heard('merk dir')).facts).toEqual([]))

it.each([
  ['merk dir, dass mein Spind die 12 hat, und was steht morgen an?', 'mein Spind die 12 hat'],
  [
    'jot down that the gas meter is under the stairs, what have i got on friday',
    'the gas meter is under the stairs',
  ],
  ['merk dir der Zähler ist im Keller, was steht freitag an', 'der Zähler ist im Keller'],
])('a request behind a comma is done, and is no part of the fact: %s', async (said, fact) => {
  const { facts, tools } = await heard(said)
  expect(facts).toEqual([fact])
  expect(tools).toContain('calendar.list_events')
})

it('what looks like a request stays in a fact that is about it', async () => {
  const { facts } = await heard('remember: the plumber is Karl, call him on fridays')
  expect(facts).toEqual(['the plumber is Karl, call him on fridays'])
})
