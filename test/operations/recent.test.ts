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
    'Done for you:',
    '- writing to the calendar, 20 Nov 12:00',
    'You asked for:',
    '- forget something that is remembered (it did not work: I remember nothing of that kind), 20 Nov 12:00',
    'What you decided:',
    '- you said yes to a question of mine, 20 Nov 12:00',
    'Looked at:',
    '- looking through the mail, 20 Nov 12:00',
  ])
  expect(world.heard()).not.toMatch(/\p{Ll}\.\p{Ll}|_/u)
  expect(world.heard()).not.toContain(CANARY)
  expect(world.heard()).not.toContain('Lunch')
})

it.each([
  ['approve', 'you said yes to a question of mine'],
  ['deny', 'you said no to a question of mine'],
  ['expired', 'a question of mine ran out of time; nothing was done about it'],
  ['withdrawn', null],
])('a question that ended by %j is told as what it was', async (decision, words) => {
  const line = {
    at: 0,
    place: 'home',
    kind: 'approval_decided',
    trace: null,
    task: null,
    principal: null,
    facts: { decision },
  }
  const trail = { lately: () => [line], describe: () => null, writes: () => false, asks: () => null }
  const prepared = recentAudit.prepare({})
  if (!prepared.ok) throw new Error(prepared.reason.code)
  const done = await prepared.value.run({ trail } as never, {} as never)
  const rows = done.ok ? (done.value as { rows: { what: string }[] }).rows.map(({ what }) => what) : null
  expect(rows).toEqual(words === null ? [] : [words])
})

it('is of the hours that were asked for, and says so where there is nothing', async () => {
  const world = createWorld({ tools: TOOLS })
  await world.say('check my email')
  world.clock.now += 3 * 3_600_000
  await world.say('/recent --hours 2')
  expect(world.heard()).toMatch(/^In the last 2 hours I did nothing/)
  await world.say('/audit recent --hours 4')
  expect(world.heard()).toContain('looking through the mail')
})

it('is the same on the edge’s open line', async () => {
  const world = createWorld({ place: 'edge' })
  await world.say('remember that the gate code is fig')
  await world.say('what have you done lately')
  expect(world.heard()).toMatch(/Done for you:\n- \S/)
  expect(world.heard()).not.toContain('fig')
  expect(recentAudit.place).toBe('both')
})

it('is complete for its time: what was done often is one line with how often, and what is too much is on another page', async () => {
  const world = createWorld({ tools: TOOLS })
  await world.say('remember that the gate code is fig')
  for (let at = 0; at < 60; at += 1) await world.say('/memory')
  for (let at = 0; at < 3; at += 1) await world.say('check my email')
  await world.say('was hast du heute alles gemacht?')
  expect(world.heard()).toMatch(/looking through the mail, 3 times, last /)
  expect(world.heard()).toMatch(/Done for you:\n- \S/)
  const many = Array.from({ length: 20 }, (_, at) => ({
    at,
    times: 1,
    group: 'did' as const,
    what: `thing ${at}`,
  }))
  const view = {
    now: 0,
    timezone: 'UTC',
    place: 'home',
    cardBeside: false,
    say: (name: string) => name,
  } as const
  const page = (count: number) =>
    recentAudit.text({ since: null, rows: many }, view, { hours: 24, page: count })
  expect(
    page(1)
      .split('\n')
      .filter((one) => one.startsWith('- ')),
  ).toHaveLength(15)
  expect(page(1)).toContain('More of this: 5. /recent --page 2')
  expect(page(2)).toContain('thing 19')
})
