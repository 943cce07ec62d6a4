/** When the model that is asked first is down, its stand-in answers and one sentence says so. */
import { expect, it } from 'vitest'
import { err } from '../../kernel/flow/verdict.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { budgetSpent, notAllowed, noteOf, stoodIn } from '../../kernel/wording/note.ts'
import { USUAL_ANSWER } from '../../kernel/wording/output.ts'
import { tell, wordsFor } from '../../kernel/wording/words.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, scriptedModel } from './world.ts'

const FAILED = stoodIn({ model: 'a', code: 'model_failed' }, 'b')
const WORDS = 'please do the unusual thing'
const NOTHING = JSON.stringify({ steps: [], explanation: '' })
const speaks = (id: string, text: string, locality: 'home' | 'cloud' = 'home'): ModelProvider =>
  scriptedModel(id, ({ parts }) => (parts.purpose === 'plan' ? NOTHING : text), locality)
const down = (id: string, fails: (purpose: string) => boolean = () => true): ModelProvider => {
  const { reader, complete } = speaks(id, 'from the first')
  return {
    reader,
    complete: async (prompt, limits) =>
      fails(prompt.parts.purpose) ? err('model_failed') : complete(prompt, limits),
  }
}

async function heard(models: readonly ModelProvider[]): Promise<readonly string[]> {
  const world = createWorld({ models, tools: mailTools() })
  await world.say(WORDS)
  return world.sent.map(({ text }) => text)
}

it.each([
  ['the first is down: notice, then answer', [down('a'), speaks('b', 'from b')], `${FAILED}\n\nfrom b`],
  [
    'two are down: one notice',
    [down('a'), down('b'), speaks('c', 'from c')],
    `${stoodIn({ model: 'a', code: 'model_failed' }, 'c')}\n\nfrom c`,
  ],
  [
    'it planned and is down now',
    [down('a', (p) => p === 'synthesize'), speaks('b', 'from b')],
    `${FAILED}\n\nfrom b`,
  ],
  [
    'it says nothing',
    [speaks('a', '  '), speaks('b', 'from b')],
    `${stoodIn({ model: 'a', code: 'answer_empty' }, 'b')}\n\nfrom b`,
  ],
  ['it is up', [speaks('a', 'from a'), speaks('b', 'from b')], 'from a'],
  [
    'it may not see this, which is no failure',
    [speaks('a', 'from a', 'cloud'), speaks('b', 'from b')],
    'from b',
  ],
])('%s', async (_what, models, answer) => {
  expect(await heard(models)).toEqual([answer])
})

it('`rules` stands in where all others are down, and says so', async () => {
  const [answer, ...more] = await heard([down('a')])
  expect(answer?.startsWith(`${stoodIn({ model: 'a', code: 'model_failed' }, null)}\n\n`)).toBe(true)
  expect(more).toEqual([])
})

it('`rules` alone is nobody’s stand-in', async () => {
  expect((await heard([])).join('\n')).not.toContain('Your model')
})

it('no model can say so itself', async () => {
  const [answer] = await heard([speaks('a', `${FAILED}\n\nfrom b`)])
  expect(answer?.startsWith(`| ${FAILED}`)).toBe(true)
})

it('every note there is leaves an answer of the usual length within the narrowest messenger (C-23)', () => {
  const notes = [
    tell('wording.late'),
    tell('credentials.demo_both'),
    budgetSpent(),
    stoodIn({ model: 'm'.repeat(40), code: 'model_misconfigured' }, null),
    noteOf(wordsFor('answer_cut')),
  ]
  expect(USUAL_ANSWER + notes.reduce((sum, note) => sum + note.length + 2, 0)).toBeLessThanOrEqual(4_096)
})

it.each<[ReasonCode, RegExp]>([
  [
    'model_misconfigured',
    /does not accept its key or its settings \(`pfar doctor` says more\); until it works/,
  ],
  ['model_timeout', /"a" took too long; until/],
  ['model_unavailable', /"a" cannot be reached; until/],
  ['model_overloaded', /"a" is too busy; until/],
  ['model_resting', /"a" failed several times, .* some minutes; until/],
  ['model_garbled', /"a" did not answer in a way that I could use; until/],
])('says what was the matter: %s', async (code, words) => {
  const { reader } = speaks('a', '')
  const [answer] = await heard([{ reader, complete: async () => err(code) }])
  expect(answer).toMatch(words)
})

it('a model that waits for the owner’s leave is named where fixed commands did not understand, and only there', async () => {
  const cloud = [speaks('a', 'from a', 'cloud')]
  expect((await heard(cloud)).join('\n')).toContain(notAllowed('a', 'owner_private'))
  const world = createWorld({ models: cloud, tools: mailTools() })
  await world.say('check my email')
  expect(world.heard()).not.toContain('Your model')
  expect((await heard([])).join('\n')).not.toContain('Your model')
})
