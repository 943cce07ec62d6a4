/** A key that is pasted cold (L-17): no model, no store and no audit line has it; the owner is asked what it is for. */
import { describe, expect, it } from 'vitest'
import { insideOf } from '../../kernel/flow/labeled.ts'
import { openTextOf } from '../../kernel/powers/sealed.ts'
import { withoutPasted } from '../../kernel/wording/guard/pasted.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { createWorld, message, scriptedModel } from './world.ts'

const RANDOM = 'q7Zr2Lx9Vb4Nw8Kd1Tm6Pj3Hs5Gf0YcAeBu'
const KEYS: readonly (readonly [string, string])[] = [
  ['ghp_', `ghp_${RANDOM}A`],
  ['xoxb-', `xoxb-123456789012-${RANDOM}`],
  ['ntn_', `ntn_${RANDOM}`],
  ['sk-', `sk-${RANDOM}`],
  ['of no known shape', `${RANDOM}x/Q+`],
]

const spy = () => scriptedModel('spy', ({ parts }) => (parts.purpose === 'plan' ? '{"steps":[]}' : 'ok'))

describe.each(KEYS)('a key: %s', (_name, key) => {
  it.each([
    ['alone', key],
    ['with words', `here is my token ${key} please use it`],
    ['to be remembered', `remember that my token is ${key}`],
    ['over two lines', `my token:\n${key}\nthanks`],
  ])('%s', async (_how, text) => {
    const model = spy()
    const world = createWorld({ models: [model] })
    const task = await world.say(text)
    expect(world.prompts).toEqual([])
    expect(world.sent.map(({ kind, text: told }) => [kind, told])).toEqual([
      ['notice', wordsFor('secret_pasted')],
    ])
    const [turn] = world.disk.store.recentTurns('principal:owner', 1)
    const words = turn === undefined ? null : await openTextOf(world.powers, turn.words)
    expect(words?.ok ? insideOf(words.value) : '').toMatch(/\[.* was here\]/)
    const stored = JSON.stringify([
      world.disk.store.loadTask(task),
      world.audited,
      world.disk.store.facts('principal:owner', 9),
    ])
    expect(`${stored}${words?.ok ? insideOf(words.value) : ''}`).not.toContain(key)
    expect((await world.shell.report(task))?.task.trouble).toBe('secret_pasted')
  })
})

it('a key in what the owner quotes is taken out, and the message is answered', async () => {
  const world = createWorld({ models: [spy()] })
  const key = KEYS[0]?.[1] ?? ''
  const received = await world.shell.receive({
    ...message('hello there', { id: 'q1' }),
    quoted: [`the key is ${key}`],
  })
  if (!received.ok) throw new Error(received.reason.code)
  await world.shell.run(received.value.principal)
  expect(world.sent.map(({ kind }) => kind)).toEqual(['answer'])
  expect(world.prompts.map(({ user }) => user).join()).toContain('a GitHub token was here')
  expect(world.prompts.map(({ user }) => user).join()).not.toContain(key)
})

describe('what is none stays as it is', () => {
  it.each([
    'commit 3f786850e387550fdab836ed7e6dc881de23001b and sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '550e8400-e29b-41d4-a716-446655440000, 550E8400E29B41D4A716446655440000',
    'DE89370400440532013000 or DE89 3704 0044 0532 0130 00',
    'order 302-5542197-1168336, ticket ABC-12345, 1Z999AA10123456784',
    'https://docs.example/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgVE2upms/edit?id=q7Zr2Lx9Vb4Nw8Kd1Tm6Pj3Hs5Gf0Yc',
    'docs.example/document/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgVE2upms/edit',
    'createTunnelInboxWithHomeAnswers2AndMoreOfTheKind, test/regression/home/secrets-issue.test.ts',
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    '+49 30 901820, 2026-11-22T10:30:00Z, 10:30–11:00',
    'a'.repeat(60),
  ])('%s', (text) => expect(withoutPasted(text)).toEqual({ text, found: false }))
})
