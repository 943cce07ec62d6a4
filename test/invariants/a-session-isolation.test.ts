/**
 * Invariant A (R-01, B-10, B-12): whoever talks, in whatever order, every prompt and every answer of a person holds
 * words of that person alone. By property over people and orders; the objects that hold the sessions at the edge are
 * tried in test/worker/isolation.test.ts and test/regression/01-own-history.test.ts.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { principalOf } from '../../kernel/task/principal.ts'
import { createWorld, message, scriptedModel } from '../pipeline/world.ts'

const PEERS = {
  template_id: 'peers',
  triggers: ['adapter:fake:message:third_party'],
  principal_class: 'third_party',
  description: 'A stranger.',
  planner_task_description: 'Answer a stranger.',
  allowed_tools: [],
  max_tool_calls: 0,
  max_tokens_plan: 500,
  max_tokens_synthesize: 500,
  output_sinks: ['reply_to_sender'],
  data_ceiling: 'internal',
}

/** Ids that a careless key would take for one another. */
const PEOPLE = ['alice', 'alice2', 'Alice', 'al', 'bob', 'bob:alice', '1'] as const
const said = (person: string, turn: number): string => `<${PEOPLE.indexOf(person as 'al')}-${turn}>`

const orders = fc.array(fc.constantFrom(...PEOPLE), { minLength: 2, maxLength: 12 })

test('no prompt and no answer holds another’s words, in any order of turns', async () => {
  await fc.assert(
    fc.asyncProperty(orders, fc.boolean(), async (order, atOnce) => {
      const echo = scriptedModel('echo', ({ user, parts }) =>
        parts.purpose === 'synthesize'
          ? `heard ${user.match(/<\d+-\d+>/g)?.join(' ') ?? ''}`
          : '{"steps":[]}',
      )
      const world = createWorld({ models: [echo], templates: [PEERS] })
      const tasks: { readonly person: string; readonly task: string; readonly principal: string }[] = []
      for (const [turn, person] of order.entries()) {
        const source = { adapter: 'fake', user: person, chat: person, group: false }
        // A greeting, so that it is answered without a plan.
        const event = { ...message(`hello ${said(person, turn)}`, { id: `e${turn}` }), source }
        const received = await world.shell.receive(event)
        if (!received.ok) throw new Error(received.reason.code)
        tasks.push({ person, ...received.value })
        if (!atOnce) await world.shell.run(received.value.principal)
      }
      await Promise.all(tasks.map(({ principal }) => world.shell.run(principal)))
      expect(world.sent).toHaveLength(order.length)
      for (const { person, task, principal } of tasks) {
        const sent = world.sent.filter((delivery) => delivery.task === task)
        expect(sent.map(({ sink, principal: to }) => [sink, to])).toEqual([
          [`sink:fake:${person}`, principal],
        ])
        const heard = sent[0]?.text.match(/< (\d+)-\d+>/g) ?? []
        expect(heard.length).toBeGreaterThan(0)
        for (const words of heard) expect(words).toMatch(new RegExp(`^< ${PEOPLE.indexOf(person as 'al')}-`))
      }
      for (const prompt of world.prompts) {
        const speakers = new Set(prompt.user.match(/<\d+-/g))
        expect(speakers.size).toBeLessThanOrEqual(1)
      }
    }),
    { numRuns: 25 },
  )
}, 60_000)

test('no two of them are one principal', () => {
  const ids = PEOPLE.map(
    (user) => principalOf({ adapter: 'fake', user, chat: user, group: false }, { owner: [], paired: [] }).id,
  )
  expect(new Set(ids).size).toBe(PEOPLE.length)
})
