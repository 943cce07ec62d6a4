/** What code leaves open is planned by a model where there is one, with the words and the times that are sure; without one nothing is done. */
import { expect, it } from 'vitest'
import { createWorld, message, scriptedModel } from './world.ts'

const OPEN = [
  'Put in a call with Ken, Tuesday 9am for them, half an hour.',
  'Trag am Dienstag um 9 Uhr Ortszeit einen Anruf mit Ken ein',
  'Push everything I have after lunch tomorrow back by half an hour.',
  'Verschieb morgen alle Termine nach dem Mittagessen um eine halbe Stunde nach hinten.',
  "If I haven't answered Sarah yet, remind me of it at 4 this afternoon.",
  'Hab ich Tom schon geantwortet? Wenn nicht, erinnere mich morgen um 9 Uhr.',
]

it.each(OPEN)('is asked of a model, and its plan is run: %s', async (text) => {
  const asked: string[] = []
  const model = scriptedModel('a-model', ({ parts }) => {
    if (parts.purpose !== 'plan') return 'done'
    asked.push(parts.request)
    const step = { id: 's1', do: 'tool', tool: 'memory.search', args: { query: 'Ken' } }
    return JSON.stringify({ steps: [step], explanation: '' })
  })
  const world = createWorld({ models: [model] })
  const received = await world.shell.receive(message(text, { id: 'm1', at: world.clock.now }))
  await world.shell.run('principal:owner')
  expect(received.ok).toBe(true)
  expect(asked).toEqual([text])
  expect(world.sent.map(({ kind, text: said }) => [kind, said])).toEqual([
    ['answer', expect.stringContaining('done')],
  ])
})

it.each(OPEN)('is done by nobody without one, and answered in one line: %s', async (text) => {
  const world = createWorld()
  await world.shell.receive(message(text, { id: 'm1', at: world.clock.now }))
  await world.shell.run('principal:owner')
  expect(world.calls).toEqual([])
  expect(world.sent.map(({ kind, text: said }) => [kind, said.split('\n').length])).toEqual([['answer', 1]])
  expect(world.sent[0]?.text).toMatch(/time zone|one event at a time|cannot check/)
})
