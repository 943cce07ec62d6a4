/** What was done lately, as its owner asks for it: from the audit, which has no content, and from the kept conversation, as far as the chat may show it. */
import { expect, it } from 'vitest'
import { recentAudit } from '../../kernel/features/audit/operations/recent.ts'
import { toldOf } from '../../kernel/features/audit/told.ts'
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
    '- writing to the calendar: “Booked: Lunch with Sarah, Fri 27 Nov, 13:00–14:00.”, 20 Nov 12:00',
    'You asked for:',
    '- forget something that is remembered (it did not work: I remember nothing of that kind), 20 Nov 12:00',
    'What you decided:',
    '- you said yes to a question of mine, 20 Nov 12:00',
    'Looked at:',
    '- looking through the mail, 20 Nov 12:00',
  ])
  expect(world.heard()).not.toMatch(/\p{Ll}\.\p{Ll}|_/u)
  expect(world.heard()).not.toContain(CANARY)
})

it('names what was done as it was told then, and what was asked for in the owner’s own words; never what was to be remembered', async () => {
  const world = createWorld({ tools: TOOLS })
  await world.say('remember that the gate code is fig')
  await world.say('remind me tomorrow at 9 to call the roofer')
  await world.say('put lamp oil and wicks on my list')
  await world.say('done with the lamp oil')
  await world.say('forget the gate code')
  await world.say('what did you do today?')
  const told = world.heard()
  expect(told).toMatch(
    /setting a reminder: “I will remind you, [^\n]*09:00[^\n]*call the roofer”, 20 Nov 12:00/,
  )
  expect(told).toMatch(/noting a task: “On your list[^\n]*lamp oil[^\n]*wicks/)
  expect(told).toMatch(/tick off a task: “done with the lamp oil”, 20 Nov 12:00/)
  expect(told).toMatch(/making a note, 20 Nov 12:00$/m)
  expect(told).not.toMatch(/fig|gate/)
})

it('quotes at most two lines of a phone', async () => {
  const world = createWorld({ tools: TOOLS })
  await world.say(`remind me tomorrow at 9 to ${'water the ferns '.repeat(20)}`)
  await world.say('what did you do today?')
  const line =
    world
      .heard()
      .split('\n')
      .find((one) => one.includes('setting a reminder')) ?? ''
  expect(line).toMatch(/: “[^”]{100,160} …”, 20 Nov 12:00$/)
})

it('quotes nothing to a chat that may not show it', async () => {
  const world = createWorld({ tools: TOOLS })
  await world.say('check my email')
  await world.say('remind me of the first mail tomorrow')
  const lines = world.audited
  const quoted = async (sink: string) => {
    const asking = { principal: 'principal:owner', sink }
    const told = await toldOf(world.powers, asking, lines)
    return lines.map(told).filter((one) => one !== '')
  }
  expect(await quoted('sink:terminal:owner')).toHaveLength(1)
  expect(await quoted('sink:place:edge')).toEqual([])
})

it('names kinds alone where the line is open', async () => {
  const world = createWorld({ tools: TOOLS })
  await world.say('put lamp oil on my list')
  const trail = { ...world.ports.trail, told: async () => () => ': “lamp oil”' }
  const rowsAt = async (door: string) => {
    const prepared = recentAudit.prepare({})
    const done = prepared.ok ? await prepared.value.run({ trail } as never, { door } as never) : prepared
    return done.ok ? (done.value as { rows: { what: string }[] }).rows.map(({ what }) => what) : []
  }
  expect(await rowsAt('private')).toEqual(['noting a task: “lamp oil”'])
  expect(await rowsAt('open')).toEqual(['noting a task'])
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

const LAST = ['what did you just do?', 'was hast du gerade gemacht?', 'what was the last thing you did']

it.each(LAST)(
  'what was done last is that alone, as it was told then, and no report of the day: %s',
  async (said) => {
    const world = createWorld({ tools: TOOLS })
    await world.say(said)
    expect(world.heard()).toMatch(/^In the last 24 hours I changed nothing/)
    await world.say('remind me tomorrow at 9 to call the roofer')
    world.clock.now += 60_000
    await world.say('put lamp oil and wicks on my list')
    await world.say('check my email')
    await world.say(said)
    expect(world.heard()).toMatch(
      /^What I did last:\n- “On your list[^\n]*lamp oil[^\n]*, 20 Nov 12:01(?:\n- [^\n]*wicks[^\n]*)?$/,
    )
    expect(world.heard()).not.toMatch(/roofer|looking through/)
  },
)

it('what was done last is named as a kind alone where the line is open', async () => {
  const world = createWorld({ place: 'edge' })
  await world.say('remember that the gate code is fig')
  await world.say('what did you just do?')
  expect(world.heard()).toMatch(/^What I did last:\n- \S/)
  expect(world.heard()).not.toContain('fig')
})
