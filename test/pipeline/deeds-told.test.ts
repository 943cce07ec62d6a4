/** What a task did is told, whatever its writer says of it: in front of a text that tells none of it, once where it does (C-25, DESIGN §10). */
import { expect, it } from 'vitest'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { NOT_SO } from '../../kernel/wording/guard/claims.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel } from './world.ts'

const BOOK = {
  ...{ id: 's1', do: 'tool', tool: 'calendar.create_event' },
  args: { title: 'unusual thing', from: '2026-11-27T13:00:00Z', to: '2026-11-27T14:00:00Z' },
}
const LIST = { id: 's2', do: 'tool', tool: 'email.list', args: {} }
const LINE = /^Booked: [^\n]*27 Nov[^\n]*\.$/

/** What is said after a yes to every card of these steps. */
async function told(
  says: string,
  steps: readonly unknown[] = [BOOK],
  decision: 'approve' | 'deny' = 'approve',
): Promise<string> {
  const model = scriptedModel('local', ({ parts: { purpose } }) =>
    purpose === 'plan' ? JSON.stringify({ steps, left_out: null }) : says,
  )
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools() }, models: [model] })
  await world.say('please do the unusual thing')
  for (const { approval } of world.disk.store.pendingApprovals(OWNER_PRINCIPAL)) {
    await world.shell.decide({ approval: approval.id, decision, principal: OWNER_PRINCIPAL, place: 'home' })
    await world.shell.run(OWNER_PRINCIPAL)
  }
  return world.heard()
}

it('before a text that tells none of it', async () => {
  const [line = '', ...rest] = (await told('I am of few words.')).split('\n\n')
  expect(line).toMatch(LINE)
  expect(rest).toEqual(['I am of few words.'])
})

it('in place of a claim of another day, and beside what else the text says', async () => {
  expect(await told('I booked the unusual thing for Sunday.')).toMatch(LINE)
  const [line = '', ...rest] = (await told('Gladly. I booked it for Sunday.')).split('\n\n')
  expect(line).toMatch(LINE)
  expect(rest).toEqual([`Gladly. ${NOT_SO}`])
})

it.each([
  'I booked the unusual thing for Friday.',
  'The unusual thing is in your calendar for Friday, 27 November.',
])('not twice where the text tells it: %s', async (says) => expect(await told(says)).toBe(says))

it('of a read and of what was denied there is nothing to tell', async () => {
  expect(await told('I am of few words.', [LIST])).toBe('I am of few words.')
  expect(await told('I am of few words.', [BOOK], 'deny')).not.toContain('Booked')
})
