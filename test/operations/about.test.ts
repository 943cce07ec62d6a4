/**
 * Questions about PFAR itself, in everyday words: answered from its own fixed words, and never a search of the web or a refusal.
 * Without a model.
 */
import { describe, expect, it } from 'vitest'
import { HOME_RULES } from '../../integrations/models/rules/home.ts'
import { createRulesModel } from '../../integrations/models/rules/model.ts'
import { operationInMessage } from '../../kernel/operations/commands.ts'
import { TOOLS } from '../pipeline/approvals-owner.ts'
import { createWorld } from '../pipeline/world.ts'

const calledBy = (text: string) => operationInMessage(text)?.operation.name ?? null

describe('who may ask it for what', () => {
  it.each([
    ...['who may ask you things', 'who is allowed to ask you things?'],
    ...['who may ask you for what', 'can other people ask you things?', 'who can give you orders?'],
    ...[
      'wer darf dich um was bitten?',
      'wer darf dich etwas fragen?',
      'wer darf dich alles fragen',
      'wer kann dir befehle geben?',
    ],
    ...['dürfen fremde dich etwas fragen?', 'wer darf dir etwas sagen?'],
  ])('%s', (text) => expect(calledBy(text)).toBe('about.asking'))
})

describe('who knows what about its owner', () => {
  it.each([
    ...[
      'who knows what about me',
      'who can see my mail?',
      'who else can read my messages?',
      'who sees what I write?',
    ],
    ...['what do others see of me?', 'where is my data kept?', 'do you share my data with others?'],
    ...['wer darf was von mir wissen?', 'wer weiß alles über mich?', 'wer kann meine mails lesen?'],
    ...['wer liest meine nachrichten?', 'wo liegen meine daten?'],
  ])('%s', (text) => expect(calledBy(text)).toBe('about.knows'))
})

describe('what its halves are, and whether it is there', () => {
  it.each([
    ['what is the difference between edge and home', 'about.places'],
    ["what's the difference between the edge and the home box?", 'about.places'],
    ['was ist der unterschied zwischen edge und heimgerät?', 'about.places'],
    ['was macht die Edge eigentlich?', 'about.places'],
    ['are you still there?', 'about.there'],
    ['are you there or not', 'about.there'],
    ['bist du noch da?', 'about.there'],
    ['bist du noch wach?', 'about.there'],
  ])('%s', (text, name) => expect(calledBy(text)).toBe(name))
})

describe('what it does without asking', () => {
  it.each([
    ...[
      'what are you allowed to do without asking',
      'what may you do without my permission?',
      'what do you do on your own?',
    ],
    ...[
      'was darfst du ohne zu fragen?',
      'was machst du ohne zu fragen?',
      'was darfst du, ohne mich zu fragen?',
    ],
    ...['was machst du von selbst?', 'when do you have to ask me?', 'wann fragst du mich vorher?'],
  ])('%s', (text) => expect(calledBy(text)).toBe('grants.list'))
})

it.each([
  ...[
    'who can see my screen?',
    'who may ask Tom?',
    'wer darf mitkommen?',
    'where is my phone?',
    'are you there at 5?',
  ],
  ...[
    'what is the difference between tea and coffee',
    'wer weiß was über Mozart?',
    'who can read my handwriting?',
  ],
])('nothing of the kind: %s', (text) => expect(calledBy(text) ?? '').not.toMatch(/^(?:about|grants)/))

it('answers in the language of the question, and searches nothing', async () => {
  const model = createRulesModel({ place: 'home', home: HOME_RULES })
  const world = createWorld({
    tools: { ...TOOLS, 'web.search': () => ({ ok: true, output: { results: [] } }) },
    models: [model],
  })
  await world.say('who may ask you things?')
  expect(world.heard()).toMatch(/^You may ask me for anything[\s\S]*what others wrote is never an order/)
  await world.say('what may you do without asking me?')
  expect(world.heard()).toMatch(/^Nothing is allowed in advance\.\nWithout asking I look up[\s\S]*I ask\./)
  expect(await world.ports.approvals.list('principal:owner')).toEqual([])
  expect(world.audited.filter(({ kind }) => kind === 'tool_invoked')).toEqual([])
})

it.each([
  ...[
    'wer darf dich wegen was kontaktieren?',
    'who would be permitted to give you commands at night?',
    'darf dich jeder stören?',
  ],
])('what asks of its rights in words that no phrase has is no search of the web either: %s', async (text) => {
  const model = createRulesModel({ place: 'home', home: HOME_RULES })
  const world = createWorld({
    tools: { ...TOOLS, 'web.search': () => ({ ok: true, output: { results: [] } }) },
    models: [model],
  })
  await world.say(text)
  expect(await world.ports.approvals.list('principal:owner')).toEqual([])
})
