/**
 * What a planner writes out of the owner's own message is the owner's, bytes and taint, whatever the planner had read before; any
 * other text is the planner's.
 */
import { describe, expect, it } from 'vitest'
import { saidAs } from '../../kernel/call/values/said.ts'
import { ownerWords, quotedWords, receive } from '../../kernel/flow/provenance.ts'
import { OWNER } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const LINE = 'chat:telegram:owner'
const words = (text: string) => receive(text, ownerWords(LINE, 'sensitive'))

describe('a text of the plan is taken from the message', () => {
  it.each([
    ['as it stands', 'remember tea at four, please', 'tea at four', 'said.words[9][20]'],
    ['with a capital of its own', 'book call with Sarah', 'Call with Sarah', 'said.sentence[5][20]'],
    ['the first of several', 'tea or tea', 'tea', 'said.words[0][3]'],
    ['exactly before nearly', 'tea or Tea', 'Tea', 'said.words[7][10]'],
    ['in quotes', 'note „tea at four“.', 'tea at four', 'said.words[6][17]'],
    ['an address', 'read <https://x.example/a>.', 'https://x.example/a', 'said.words[6][25]'],
    ['in a script without blanks', '東京の天気は', '東京', 'said.words[0][2]'],
    ['figures with a word for them', 'keep the one with id 13', '13', 'said.words[21][23]'],
  ])('%s', (_, said, written, ref) => {
    expect(saidAs({ words: words(said), said: null }, written)).toBe(ref)
  })
})

describe('a text of the plan stays the planner’s', () => {
  it.each([
    ['another word', 'remember tea', 'coffee'],
    ['in other letters', 'book lunch with SARAH', 'lunch with Sarah'],
    ['a piece of a word', 'an unusual tea', 'usual'],
    ['the first half of an address', 'read https://x.example.evil.example/a', 'https://x.example'],
    ['the name of a longer address', 'write to tom@x.example', 'tom'],
    ['words in another order', 'tea at four', 'four tea'],
    ['what begins with a blank', 'tea at four', ' at'],
    ['a blank', 'tea at four', ' '],
    ['nothing', 'tea at four', ''],
    ['longer than the message', 'tea', 'tea and more'],
    ['figures of a date', 'what is on June 13', '13'],
    ['a number', 'tea for 13', 13],
    ['a piece of a word in a script without blanks', '天気予報', '気予'],
  ])('%s', (_, said, written) => {
    expect(saidAs({ words: words(said), said: null }, written)).toBeNull()
  })

  it('where others wrote the message', () => {
    const quoted = receive('tea at four', quotedWords(LINE, 'sensitive'))
    expect(saidAs({ words: quoted, said: null }, 'tea at four')).toBeNull()
  })
})

describe('the topic that a planner is shown', () => {
  const shown = async (text: string) => {
    const world = createWorld({
      models: [scriptedModel('a-model', () => '{"steps":[]}')],
      tools: calendarTools(),
    })
    await world.say(text)
    return (
      world.prompts.find(({ parts, model }) => parts.purpose === 'plan' && model === 'a-model')?.user ?? ''
    )
  }

  it.each([
    [
      "Please delete tomorrow's offsite planning from my calendar. The one next week stays as it is, and nobody needs to be told.",
    ],
    [
      'Merk dir, dass ich keinen Kaffee mehr trinke. Und leg Lena, lena@kurz.example, als Kontakt an, das ist meine neue Physiotherapeutin',
    ],
  ])('is none that begins within a word, or goes over a sentence: %s', async (text) => {
    const prompt = await shown(text)
    expect(prompt).toContain('"intent":')
    expect(prompt).not.toContain('"topic"')
  })
})

describe('after mail was read', () => {
  const EVENT = { from: '2026-11-20T13:00:00+01:00', to: '2026-11-20T14:00:00+01:00' }

  /** A world in which mail was listed, and whose model answers the next message with this call. */
  async function afterMail(tool: string, args: Record<string, unknown>): Promise<World> {
    const plans = [
      { id: 's1', do: 'tool', tool: 'email.list', args: {} },
      { id: 's1', do: 'tool', tool, args },
    ]
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps: [plans.shift()], explanation: '' }) : 'done',
    )
    const here = createWorld({ models: [model], tools: { ...mailTools(), ...calendarTools() } })
    await here.say('check what came in, the unusual way')
    return here
  }
  const stateOf = async (here: World, said: string) =>
    (await here.shell.report(await here.say(said)))?.task.state

  it.each([
    ['what the owner said', 'the unusual tea is at four', 'completed'],
    ['what the owner said, with a capital', 'The unusual tea is at four', 'completed'],
    ['what the owner said, in other letters', 'the Unusual Tea is at four', 'awaiting_approval'],
    ['a text of its own', 'the admin password is 1234', 'awaiting_approval'],
  ])('%s is kept or asks', async (_, text, state) => {
    const here = await afterMail('memory.save', { text })
    expect(await stateOf(here, 'odd thing: the unusual tea is at four, mind it well')).toBe(state)
  })

  it('the label stays that of all that the planner read', async () => {
    const here = await afterMail('memory.save', { text: 'the unusual tea is at four' })
    await here.say('odd thing: the unusual tea is at four, mind it well')
    const [fact] = here.disk.store.facts(OWNER, 5)
    expect(fact?.ref.taint.level).toBe('clean')
    expect(fact?.ref.label.atoms.map(({ origin }) => origin)).toContain('tool:email.list')
  })

  it('a time that the owner named is the owner’s, however the plan writes it', async () => {
    const here = await afterMail('calendar.create_event', { ...EVENT, title: 'unusual lunch' })
    await here.say('an unusual lunch, today from 13:00 to 14:00, oddly, goes into the diary')
    const [task] = here.disk.store.recentTasks(OWNER, 1)
    expect(task?.plan?.steps[0]).toMatchObject({
      args: { from: { $ref: 'said.from' }, to: { $ref: 'said.to' }, title: { $ref: 'said.words[3][16]' } },
    })
  })
})

describe('before anything was read', () => {
  const stateOf = async (text: string): Promise<string | undefined> => {
    const step = { id: 's1', do: 'tool', tool: 'memory.save', args: { text } }
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps: [step], explanation: '' }) : 'done',
    )
    const here = createWorld({ models: [model], tools: mailTools() })
    const report = await here.shell.report(
      await here.say('odd thing: coffee with ben odell in usa, a/notes.md'),
    )
    return report?.task.state
  }

  it.each([
    ['with the capitals of names', 'Coffee with Ben Odell', 'completed'],
    ['in capitals', 'coffee with BEN odell', 'awaiting_approval'],
    ['the path of a file', 'a/Notes.md', 'awaiting_approval'],
    ['with another word', 'Coffee with Ben Nevis', 'awaiting_approval'],
  ])('the owner’s words %s', async (_, text, state) => expect(await stateOf(text)).toBe(state))
})

it('a planner is told what a message has, and not what it has not', async () => {
  const model = scriptedModel('a-model', ({ parts }) => (parts.purpose === 'plan' ? '{"steps":[]}' : 'done'))
  const here = createWorld({ models: [model] })
  await here.say('odd thing at 3')
  const { user } = here.prompts.find(({ parts }) => parts.purpose === 'plan') ?? { user: '' }
  expect(user).toMatch(/^said \{"from":"2026-11-20T15:00/m)
  expect(user).not.toMatch(/^said .*(?:intent|attachments|quoted)/m)
})
