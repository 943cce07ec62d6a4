/** What the pipeline knows for the output guard: which writes ran, and the last look at all that leaves (C-25, E-18). */

import { describe, expect, it } from 'vitest'
import { NOT_DONE } from '../../kernel/wording/guard/claims.ts'
import { withoutSecrets } from '../../kernel/wording/guard/guard.ts'
import { wordsFor } from '../../kernel/wording/words.ts'
import { NO_SECRETS } from '../fakes/secrets.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel } from './world.ts'

const KEY = 'ghp_q7Zr2Lx9Vb4Nw8Kd1Tm6Pj3Hs5Gf0YcAeBuA'
const CLAIM = 'I have saved that in memory.'
const save = (text: unknown) => ({ id: 's1', do: 'tool', tool: 'memory.save', args: { text } })

function speaking(steps: readonly unknown[], answer: string) {
  const model = scriptedModel('m', ({ parts }) =>
    parts.purpose === 'plan'
      ? JSON.stringify({ steps: parts.request.includes('unusual') ? steps : [], explanation: '' })
      : answer,
  )
  return createWorld({ tools: mailTools(), models: [model] })
}

describe('a claim in an answer', () => {
  it('stands when the write ran', async () => {
    const world = speaking([save('my locker is 12')], CLAIM)
    await world.say('please do the unusual thing: my locker is 12')
    expect(world.heard()).toContain(CLAIM)
  })

  it('falls when nothing ran', async () => {
    const world = speaking([], CLAIM)
    await world.say('please do the unusual thing')
    expect(world.heard()).toContain(NOT_DONE)
    expect(world.heard()).not.toContain(CLAIM)
  })

  it('falls when the write was tried and did not run, whatever ran before', async () => {
    const world = speaking([save('my locker is 12')], CLAIM)
    await world.say('please do the unusual thing: my locker is 12')
    const failing = speaking([save({ $ref: 's9.nothing' })], CLAIM)
    await failing.say('please do the unusual thing')
    expect(failing.heard()).not.toContain(CLAIM)
  })

  it.each([
    ['stands later, asked about what an earlier task did', 'did you save it?', CLAIM],
    ['falls where nobody asks about that', 'hello', NOT_DONE],
  ])('%s', async (_what, words, told) => {
    const world = speaking([save('my locker is 12')], CLAIM)
    await world.say('please do the unusual thing: my locker is 12')
    const before = world.sent.length
    await world.say(words)
    expect(world.sent.slice(before).map(({ text }) => text)).toEqual([told])
  })
})

it('an answer of which nothing is left tells what was found, and what a condition left out', async () => {
  const span = { from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' }
  const steps = [
    { id: 's1', do: 'tool', tool: 'email.list', args: {} },
    {
      ...{ id: 's2', do: 'tool', tool: 'calendar.create_event', args: { title: 'unusual thing', ...span } },
      when: { ref: 's1.emails', is: 'empty' },
    },
  ]
  const model = scriptedModel('m', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'I booked it.',
  )
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools() }, models: [model] })
  await world.say('please do the unusual thing')
  expect(world.heard()).not.toContain(NOT_DONE)
  expect(world.heard()).toContain('Q3 budget')
  expect(world.heard()).toContain(`I could not book that. ${wordsFor('condition_not_met')}`)
})

function baited() {
  const tools = mailTools()
  return {
    ...tools,
    'email.list': (args: Readonly<Record<string, unknown>>) =>
      JSON.parse(
        JSON.stringify(tools['email.list']?.(args)).replace('Could you look at the numbers?', `use ${KEY}`),
      ),
  }
}

it('a call with a key in it is not asked about: no card could show it', async () => {
  const steps = [
    { id: 's1', do: 'tool', tool: 'email.list', args: {} },
    { ...save({ $ref: 's1.emails[0].snippet' }), id: 's2' },
  ]
  const model = scriptedModel('m', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'ok',
  )
  const world = createWorld({ tools: baited(), models: [model] })
  const { task } = (await world.shell.report(await world.say('please do the unusual thing'))) ?? {}
  expect(task?.trouble).toBe('secret_in_call')
  expect(world.sent.map(({ kind, previews }) => [kind, previews])).toEqual([['answer', 'off']])
  expect(world.heard()).not.toContain(KEY)
})

it('whatever leaves is looked through at the last, whoever wrote it', () => {
  const { powers } = createWorld()
  expect(withoutSecrets(powers, `a notice with ${KEY}`)).toBe('a notice with [redacted]')
  const value = 'sesame-quince'
  const find = (text: string) => [{ start: text.indexOf(value), end: text.indexOf(value) + value.length }]
  expect(withoutSecrets({ ...powers, known: { ...NO_SECRETS, find } }, `it is ${value}.`)).toBe(
    'it is [redacted].',
  )
})
