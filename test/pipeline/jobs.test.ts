/**
 * Jobs, said and heard without a model (DESIGN §9, G-01 – G-07): what is set by a card, that each time runs once, what was missed, overlaps, failures,
 * the frozen plan, and what is said of it.
 */
import { describe, expect, it } from 'vitest'
import { createWorld, FRIDAY_NOON, type ScriptedTool, type World } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** 08:00 in Madrid. */
const MONDAY_8 = Date.parse('2026-11-23T07:00:00Z')

const EVENT = {
  ...{ id: 'e1', title: 'Stand-up', from: '2026-11-23T09:00:00+01:00', to: '2026-11-23T09:30:00+01:00' },
  ...{ allDay: false, attendees: 0 },
}
const MAIL = {
  ...{ id: 'm1', from: 'sarah@example.com', fromName: 'Sarah', subject: 'Budget', date: '2026-11-23T06:00:00Z' },
  ...{ hasAttachments: false, unread: true, snippet: 'Two numbers' },
}
const answer = (value: unknown): ScriptedTool => () => ({ ok: true, value }) as ReturnType<ScriptedTool>
const TOOLS = {
  'calendar.list_events': answer({ events: [EVENT], more: false }),
  'email.list': answer({ emails: [MAIL], more: false }),
}
const NOTHING = {
  'calendar.list_events': answer({ events: [], more: false }),
  'email.list': answer({ emails: [], more: false }),
}

const jobs = ({ disk }: World) => disk.store.jobs()
const runs = (world: World) => disk(world).runsOf(jobs(world)[0]?.id ?? '', 50).toReversed()
const disk = ({ disk: { store } }: World) => store
const told = ({ sent }: World) => sent.filter(({ kind, id }) => kind === 'answer' && id.startsWith('t'))
const card = ({ sent }: World) => sent.findLast(({ kind }) => kind === 'card')?.text ?? ''

async function at(world: World, moment: number): Promise<void> {
  world.clock.now = moment
  await world.shell.tick()
}

/** Says it, and yes to the card. */
async function set(world: World, said: string): Promise<void> {
  await world.say(said)
  await world.shell.tick()
  await world.say('yes')
}

it('a sentence puts one card, and the yes to it sets the job', async () => {
  const world = createWorld({ tools: TOOLS })
  await world.say("every weekday at 8 tell me what's on and what mail is unread")
  await world.shell.tick()
  console.log(card(world), jobs(world))
  await world.say('yes')
  console.log(world.heard())
  await at(world, MONDAY_8)
  console.log(world.heard(), runs(world))
  await world.say('what runs when?')
  console.log(world.heard())
})
it('shipped', async () => {
  const world = createWorld({ tools: TOOLS })
  await world.say('put milk on my list')
  await set(world, 'start the morning briefing')
  console.log(card(world))
  await at(world, MONDAY_8)
  console.log(world.heard(), runs(world))
  for (const said of ['skip tomorrow', 'make that 7:30', 'why did it not come today?', 'stop the morning briefing', '/undo', 'jobs', '/jobs', 'what runs when?']) {
    await world.say(said)
    console.log('>', said, '\n', world.heard())
  }
})
