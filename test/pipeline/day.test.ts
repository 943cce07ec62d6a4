/**
 * A normal day of the owner's: sixty events through the real pipeline, and few enough questions that each is read.
 * Prints what was asked and why.
 */
import { expect, test } from 'vitest'
import { isReasonCode } from '../../kernel/reasons.ts'
import { questionFor } from '../../kernel/wording/words.ts'
import { answer, auditedAs, OWNER, TOOLS, waiting } from './approvals-owner.ts'
import { createWorld, message, type World } from './world.ts'

/** Most questions of a day that a person still reads (S001 §4.4). */
const MEANINGFUL = 10
const MINUTE = 60_000
const DAY = 86_400_000

const STRANGER = 'stranger: '
const MORNING = [
  'hi',
  'check my email',
  'read the one from Sarah',
  'what is on my calendar today?',
  'what is on my calendar tomorrow?',
  'when am I free on Friday?',
  'remember that the plumber comes on Tuesday',
  'what do you know about the plumber?',
  'book "Dentist" tomorrow from 15:00 to 16:00',
  'check my email',
  `${STRANGER}is there a free slot on Friday?`,
  'am I free tomorrow at 11:00?',
  'thanks',
  'show the last 20 emails',
  'help',
]
const NOON = [
  'check my email',
  'read the one from Sarah',
  'book lunch with Sarah on Friday at 13:00',
  'when am I free next week?',
  `${STRANGER}is there a free slot on Tuesday?`,
  'remember my bike is in the blue shed',
  'what is on my calendar on Friday?',
  'check my email',
  'what do you know about my bike?',
  'hello',
  `${STRANGER}any free time on Thursday?`,
  'what is on my calendar next week?',
  'read https://harbour.example/news',
  'book a call with Tom on Thursday at 10:00',
  'thank you',
]
const EVENING = [
  'check my email',
  'what is on my calendar tomorrow?',
  'remember that Ann likes tea',
  `${STRANGER}is there a free slot on Wednesday?`,
  'book tea with Ann on Saturday at 16:00',
  'when am I free on Saturday?',
  'what do you know about Ann?',
  'check my email',
  'read https://harbour.example/tides',
  'read the one from Sarah',
  'what is on my calendar on Saturday?',
  `${STRANGER}hello, who are you?`,
  'am I free on Sunday?',
  'book a run on Sunday at 9:00',
  'good night',
]
const NIGHT = ['check my email', 'when am I free on Monday?', `${STRANGER}is there a free slot on Monday?`]

async function happens(world: World, text: string, id: string): Promise<void> {
  world.clock.now += 15 * MINUTE
  if (!text.startsWith(STRANGER)) {
    await world.say(text, id)
    return
  }
  const source = { adapter: 'telegram', user: 'bob', chat: 'bob', group: false }
  const words = text.slice(STRANGER.length)
  const received = await world.shell.receive({ ...message(words, { id, at: world.clock.now }), source })
  if (received.ok) await world.shell.run(received.value.principal)
}

test('asks few questions, each with a reason in one sentence, and answers everything else', async () => {
  const page = { title: 'Harbour', text: 'Calm seas.', links: [], truncated: false }
  const world = createWorld({ tools: { ...TOOLS, 'web.read': () => ({ ok: true, output: page }) } })
  const day = [...MORNING, ...NOON, ...EVENING, ...NIGHT, ...MORNING.slice(0, 12)]
  expect(day).toHaveLength(60)
  const put = await world.ports.grants.allow(
    { principal: OWNER, place: 'home', message: 'm0' },
    {
      ...{ template: 'scheduling', action: 'calendar.freebusy', daysAhead: 14, days: 30, perDay: 20 },
      fields: ['slots[].busy', 'slots[].from', 'slots[].to'],
    },
  )
  if (put.ok) await answer(world, put.value.approval, { message: 'm1' })
  const begun = world.clock.now + 1
  for (const [n, text] of day.entries()) {
    await happens(world, text, `e${n}`)
    for (const { id, card } of await waiting(world)) {
      const [last, former] = card.split('\n').reverse()
      expect(last?.startsWith('(The exact values: ') ? former : last).toMatch(/^I ask .+\.$/)
      await answer(world, id)
    }
  }
  expect(world.clock.now - begun).toBeLessThan(DAY)
  const asked = world.powers.store.askedSince(begun)
  for (const { reason, count } of asked)
    process.stdout.write(`${count} × ${isReasonCode(reason) ? questionFor(reason) : reason}\n`)
  const total = asked.reduce((sum, { count }) => sum + count, 0)
  expect(total).toBeGreaterThan(0)
  expect(total).toBeLessThanOrEqual(MEANINGFUL)
  // Everything was taken in, and the bookings were made.
  expect(auditedAs(world, 'task_created')).toHaveLength(60)
  expect(world.calls.filter(({ tool }) => tool === 'calendar.create_event').length).toBe(total)
  expect(world.calls.length).toBeGreaterThan(40)
})
