/** That a call is made tells what decided it: a condition is guarded like an argument (A-05, DESIGN §1). */
import { describe, expect, test } from 'vitest'
import { mailTools } from './mailbox.ts'
import { createWorld, scriptedModel } from './world.ts'

const PAGE = 'https://page.example/'
const OUTPUT = { title: '', text: 'A page.', links: [], language: 'unknown' }
const TOOLS = { ...mailTools(), 'web.read': () => ({ ok: true as const, output: OUTPUT }) }
const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: {} }
const READ = { id: 's2', do: 'tool', tool: 'web.read', args: { url: PAGE } }

async function outcomes(steps: readonly unknown[]): Promise<readonly string[]> {
  const planner = scriptedModel('rules', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'done',
  )
  const world = createWorld({ tools: TOOLS, models: [planner] })
  const id = await world.say(`do the unusual thing with ${PAGE}`)
  return (world.disk.store.loadTask(id)?.traces ?? []).map(
    ({ tool, outcome, reason }) => `${tool} ${reason ?? outcome}`,
  )
}

describe('a public page that the owner typed', () => {
  test.each([
    ['after mail was read', [LIST, READ], 'done'],
    ['if a mail says so', [LIST, { ...READ, when: { ref: 's1.more', is: 'false' } }], 'write_down'],
    [
      'if a mail has a field',
      [LIST, { ...READ, when: { ref: 's1.emails[0].from', is: 'not_empty' } }],
      'write_down',
    ],
    ['if the owner said so', [LIST, { ...READ, when: { ref: 'said.person', is: 'empty' } }], 'done'],
    [
      'after a choice among mails',
      [LIST, { id: 's2', do: 'select', from: 's1.emails', take: 'first' }, { ...READ, id: 's3' }],
      'write_down',
    ],
  ])('%s', async (_, steps, expected) => {
    expect((await outcomes(steps)).at(-1)).toBe(`web.read ${expected}`)
  })
})
