/**
 * The model by words, without a model (L-05): which is asked first, for everything or for one subject; a cloud model by a card alone; before and
 * after in the audit; taken back by undo.
 */
import { describe, expect, it } from 'vitest'
import { modelsFor } from '../../kernel/features/models/choice.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import { onlyOne } from '../pipeline/approvals-owner.ts'
import { mailTools } from '../pipeline/mailbox.ts'
import { createWorld, scriptedModel, type World } from '../pipeline/world.ts'

const PLAN = JSON.stringify({
  steps: [{ id: 's1', do: 'tool', tool: 'email.list', args: {} }],
  explanation: 'mail',
})

interface Asked {
  readonly world: World
  readonly asked: string[]
}

/** A cloud model, then one at home; both plan and write. */
function worldOf(): Asked {
  const asked: string[] = []
  const model = (id: string, locality: 'home' | 'cloud') =>
    scriptedModel(
      id,
      ({ parts: { purpose } }) => {
        asked.push(`${id} ${purpose}`)
        return purpose === 'plan' ? PLAN : 'Two mails.'
      },
      locality,
    )
  const models = [model('claude', 'cloud'), model('box', 'home')]
  return { world: createWorld({ models, tools: mailTools(), pushes: true }), asked }
}

const rowOf = ({ audited }: World) =>
  audited.findLast(
    ({ kind, facts }) => kind === 'operation_called' && facts['operation'] !== 'approvals.approve',
  )?.facts

async function yes(world: World): Promise<void> {
  await world.shell.tick()
  world.clock.now += 1_000
  await world.say('yes')
}

describe('asked for in words', () => {
  it.each([
    ['use the local model for everything', { model: 'the local model', about: 'everything' }],
    ['please use my local model for mail', { model: 'my local model', about: 'mail' }],
    ['switch to Claude for mail', { model: 'Claude', about: 'mail' }],
    ['switch to box', { model: 'box' }],
    ['use claude for my calendar', { model: 'claude', about: 'my calendar' }],
    ['nimm das lokale Modell für alles', { model: 'das lokale Modell', about: 'alles' }],
    ['wechsle zu Claude für Mails', { model: 'Claude', about: 'Mails' }],
    ['für Termine nimm box', { model: 'box', about: 'Termine' }],
  ])('%s', (said, args) => {
    const found = operationInMessage(said)
    expect(found?.operation.name).toBe('models.use')
    expect(found?.args).toEqual(args)
  })

  it.each([
    ['which model do you use?', 'models.reads'],
    ['what may the cloud model read?', 'models.reads'],
    ['welches Modell benutzt du?', 'models.reads'],
    ['was darf das Cloud-Modell lesen?', 'models.reads'],
    ['cloud models may read my private data', 'models.acknowledge'],
    ['das Cloud-Modell darf meine privaten Daten lesen', 'models.acknowledge'],
    ['switch to German', 'language.set'],
    ['wechsle zu Deutsch', 'language.set'],
  ])('%s: %s', (said, operation) => {
    expect(operationInMessage(said)?.operation.name).toBe(operation)
  })

  it.each(['use the old address for mail to Tom', 'switch the meeting to Friday', 'use less salt'])(
    '%s: none',
    (said) => {
      expect(operationInMessage(said)?.operation.name).not.toBe('models.use')
    },
  )
})

describe('a cloud model', () => {
  it('reads private things only where that was allowed, which the owner is told in plain words', async () => {
    const { world } = worldOf()
    await world.say('what may the cloud model read?')
    expect(world.heard()).toContain('claude-1 at claude.example')
    expect(world.heard()).toContain('Nothing of what you and I say on your private lines')
    expect(world.heard()).toContain('"cloud models may read my private data"')
    await world.say('cloud models may read my private data')
    await world.shell.tick()
    expect((await onlyOne(world)).card).toContain('tasks of owner_private')
    await yes(world)
    await world.say('what may the cloud model read?')
    expect(world.heard()).toMatch(/Private things too, as you allowed until 2027-11-20, in: Everything/)
    expect(rowOf(world)).toMatchObject({
      operation: 'models.acknowledge',
      ...{ by: 'principal:owner', before_state: null, after_state: 'live', undo: 'grants.revoke' },
    })
    await world.say('/undo')
    await world.say('what may the cloud model read?')
    expect(world.heard()).toContain('Nothing of what you and I say on your private lines')
  })

  it('is left out of everything, at once, and comes back by a card alone', async () => {
    const { world, asked } = worldOf()
    await world.say('cloud models may read my private data')
    await yes(world)
    await world.say('use the local model for everything')
    expect(world.heard()).toContain('models at home only, none in a cloud')
    expect(rowOf(world)).toMatchObject({
      ...{ operation: 'models.use', before_choice: 'usual', after_choice: 'all=local' },
      ...{ undo: 'models.put_back', undo_choice: 'usual' },
    })
    asked.length = 0
    await world.say('tell me about my latest mails and whatever else is in there')
    expect(asked).toEqual(['box plan', 'box synthesize'])
    await world.say('/undo')
    await world.shell.tick()
    const { card, number } = await onlyOne(world)
    expect(card).toContain('in the order of your configuration')
    expect(card).toContain('In a cloud: claude-1 at claude.example')
    expect(card).toContain('(owner_private)')
    asked.length = 0
    await world.say('tell me about my latest mails and whatever else is in there')
    expect(asked).toEqual(['box plan', 'box synthesize'])
    await world.say(`/approve ${number}`)
    asked.length = 0
    await world.say('tell me about my latest mails and whatever else is in there')
    expect(asked).toEqual(['claude plan', 'claude synthesize'])
  })

  it('is asked about one subject, after a yes; the others stay', async () => {
    const { world, asked } = worldOf()
    await world.say('cloud models may read my private data')
    await yes(world)
    await world.say('use box for everything')
    await world.say('switch to Claude for mail')
    await world.shell.tick()
    expect((await onlyOne(world)).card).toContain('For mail: claude.')
    await yes(world)
    expect(rowOf(world)).toMatchObject({
      ...{ operation: 'models.use', door: 'home', effect: 'widen' },
      ...{ before_choice: 'all=box', after_choice: 'all=box,mail=claude', undo_choice: 'all=box' },
    })
    asked.length = 0
    await world.say('tell me about my latest mails and whatever else is in there')
    expect(asked).toEqual(['box plan', 'claude synthesize'])
    await world.say('undo my last change')
    asked.length = 0
    await world.say('tell me about my latest mails and whatever else is in there')
    expect(asked).toEqual(['box plan', 'box synthesize'])
  })

  it('takes back the question, while its card waits', async () => {
    const { world } = worldOf()
    await world.say('use the local model for everything')
    await world.say('switch to claude')
    await world.shell.tick()
    await onlyOne(world)
    await world.say('/undo')
    expect(await world.ports.approvals.list('principal:owner')).toEqual([])
    await world.say('which model do you use?')
    expect(world.heard()).toContain('models at home only')
  })
})

it.each(['switch to Gemini for mail', 'use the gemini model for everything', 'wechsle zu Gemini'])(
  '%s: only what is set up, and how another one is added',
  async (said) => {
    const { world } = worldOf()
    await world.say(said)
    expect(world.heard()).toContain('pfar model add')
    expect(world.ports.choice.read()).toEqual({})
  },
)

describe('the order for one task', () => {
  const step = (tool: string) => ({ id: tool, do: 'tool', tool, args: {} })
  const order = (choice: string, provider: string, tools: readonly string[]): readonly string[] => {
    const { world } = worldOf()
    world.disk.store.saveSetting('models', choice)
    const plan = { steps: tools.map(step), explanation: '' }
    return modelsFor(world.powers, { inference: { provider } as never }, { plan: plan as never }).map(
      ({ reader }) => reader.id,
    )
  }
  const BOTH = ['email.list', 'calendar.list_events']

  it.each<[string, string, string, readonly string[], readonly string[]]>([
    ['the chosen one of its subject', 'mail=box', 'claude', ['email.list'], ['box']],
    ['home, where one of two subjects is for home', 'mail=claude,calendar=local', 'claude', BOTH, ['box']],
    ['home, whichever subject comes first', 'mail=local,calendar=claude', 'claude', BOTH, ['box']],
    ['home, where its template names models at home only', 'all=claude', 'local', [], ['box']],
    [
      'home, where its template does so and its subject was given to another',
      'mail=claude',
      'local',
      ['email.list'],
      ['box'],
    ],
  ])('begins with %s', (_, choice, provider, tools, first) => {
    const ids = order(choice, provider, tools)
    expect(ids.slice(0, 1)).toEqual(first)
    if (choice.includes('local') || provider === 'local') expect(ids).not.toContain('claude')
  })
})

it('says so where nothing would change', async () => {
  const { world } = worldOf()
  await world.say('use the local model for everything')
  await world.say('use the local model for everything')
  expect(world.heard()).toBe('That is how it is already.')
})
