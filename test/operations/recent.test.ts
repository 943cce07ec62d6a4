/** What was done lately, as its owner asks for it: names and codes out of the audit, and no content. */
import { expect, it } from 'vitest'
import { recentAudit } from '../../kernel/features/audit/operations/recent.ts'
import { answer, onlyOne, TOOLS } from '../pipeline/approvals-owner.ts'
import { CANARY } from '../pipeline/mailbox.ts'
import { createWorld } from '../pipeline/world.ts'

it('is told in the chat: what ran, what was decided, and what did not work', async () => {
  const free = () => ({ ok: true, output: { overlaps: [] } }) as const
  const world = createWorld({ tools: { ...TOOLS, 'calendar.check_event': free } })
  await world.say('check my email')
  await world.say('book lunch with Sarah on Friday at 13:00')
  await answer(world, (await onlyOne(world)).id)
  await world.say('/forget 9')
  await world.say('What did you do today?')
  const told = world.heard().split('\n')
  expect(told).toEqual([
    'In the last 24 hours:',
    '- 20 Nov 12:00 looking through the mail (email.list)',
    '- 20 Nov 12:00 looking at the calendar (calendar.check_event)',
    '- 20 Nov 12:00 you answered a question of mine: approve',
    expect.stringMatching(/\(calendar\.create_event\)$/),
    '- 20 Nov 12:00 you asked for memory.forget, which did not work (memory_unknown)',
  ])
  expect(world.heard()).not.toContain(CANARY)
  expect(world.heard()).not.toContain('Lunch')
})

it('is of the hours that were asked for, and says so where there is nothing', async () => {
  const world = createWorld({ tools: TOOLS })
  await world.say('check my email')
  world.clock.now += 3 * 3_600_000
  await world.say('/recent --hours 2')
  expect(world.heard()).toMatch(/^In the last 2 hours I did nothing/)
  await world.say('/audit recent --hours 4')
  expect(world.heard()).toContain('(email.list)')
})

it('is the same on the edge’s open line', async () => {
  const world = createWorld({ place: 'edge' })
  await world.say('remember that the gate code is fig')
  await world.say('what have you done lately')
  expect(world.heard()).toContain('(memory.save)')
  expect(world.heard()).not.toContain('fig')
  expect(recentAudit.place).toBe('both')
})
