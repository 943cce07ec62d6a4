/** A connected service that the owner names as the place (J-11): shown to a planner as metadata, and no plan by rules looks elsewhere. */
import { expect, it } from 'vitest'
import { mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const found = () => ({ ok: true, output: { pages: [], messages: [], waiting: [], more: false } }) as const
const SLACK = { 'slack.list_unanswered': found, 'slack.search': found }
const SEARCHED = { ...mailTools(), 'web.search': found }

const savedIn = ({ ports }: World): number =>
  ports.trail.lately(60_000, 100).filter(({ facts }) => facts['tool'] === 'memory.save').length

it.each([
  ['show me unread messages in slack', 'email.list'],
  ['search for roof prices in slack', 'web.search'],
])('“%s” looks for nothing elsewhere once it is connected', async (text, elsewhere) => {
  const before = createWorld({ tools: SEARCHED })
  await before.say(text)
  const waiting = await before.ports.approvals.list('principal:owner')
  expect([...before.calls, ...waiting].map(({ tool }) => tool)).toContain(elsewhere)
  const after = createWorld({ tools: { ...SEARCHED, ...SLACK } })
  await after.say(text)
  expect(after.calls.filter(({ tool }) => !tool.startsWith('slack.'))).toEqual([])
  expect(await after.ports.approvals.list('principal:owner')).toEqual([])
})

it('“save this in notion” remembers nothing once it is connected', async () => {
  const before = createWorld({ tools: mailTools() })
  await before.say('save this in notion')
  expect(savedIn(before)).toBe(1)
  const after = createWorld({ tools: { ...mailTools(), 'notion.search': found } })
  await after.say('save this in notion')
  expect(savedIn(after)).toBe(0)
})

it('a model that plans is told its name, and no name that nobody typed', async () => {
  const model = scriptedModel('planner', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps: [], explanation: '' }) : 'done',
  )
  const world = createWorld({ models: [model], tools: { 'notion.search': found, ...SLACK } })
  await world.say('could you see what there is on the roof in notion, roughly')
  const [planned] = world.prompts.filter(({ parts }) => parts.purpose === 'plan')
  const said = planned?.parts.metadata.find(({ root }) => root === 'said')
  expect(said?.fields).toMatchObject({ services: { count: 1, items: [{ kind: 'id', says: 'notion' }] } })
  expect(JSON.stringify(said)).not.toContain('slack')
})
