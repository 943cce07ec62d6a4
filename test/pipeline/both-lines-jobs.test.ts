/**
 * Jobs in a chat of the edge where home answers by the owner's acknowledgement: set there as at home, asked about at home, told there
 * while the acknowledgement stands, and never what that chat is not cleared for (DESIGN §1, §9).
 */
import { describe, expect, it } from 'vitest'
import { eventOfMessage } from '../../kernel/features/places/both-lines.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { acknowledgeTransport, OPEN_CHAT } from '../fakes/both-lines.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const SUBJECT = 'Q3 budget'
const BRIEFING = 'every weekday at 8 send me the morning briefing'

async function acknowledged(options: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  const world = createWorld({
    ...{ tools: { ...mailTools(), ...calendarTools() }, pushes: true },
    // As home's sender does: no question stands where no yes of the owner's counts.
    send: ({ sink, kind }) =>
      sink === OPEN_CHAT && kind === 'card'
        ? { ok: false, reason: { code: 'approval_place_too_low', facts: {} } }
        : { ok: true, value: true },
    ...options,
  })
  await acknowledgeTransport(world)
  world.sent.length = 0
  return world
}

/** As the edge brings it. */
async function hear(world: World, text: string, id: string): Promise<void> {
  const event = eventOfMessage(world.powers, { id, text, quoted: [] })
  if (!event.ok) throw new Error(event.reason.code)
  const received = await world.shell.receive(event.value, OWNER_PRINCIPAL)
  if (!received.ok) throw new Error(received.reason.code)
  await world.shell.run(OWNER_PRINCIPAL)
  await world.shell.tick()
  world.clock.now += 1_000
}

async function say(world: World, ...said: readonly string[]): Promise<void> {
  for (const words of said) {
    await world.say(words)
    await world.shell.tick()
    world.clock.now += 1_000
  }
}

const textsAt = ({ sent }: World, chat: string, kind = 'answer'): readonly string[] =>
  sent.filter((one) => one.sink === chat && one.kind === kind).map(({ text }) => text)
const jobOf = ({ disk: { store } }: World) => {
  const [job] = store.jobs()
  if (job === undefined) throw new Error('no job')
  return job
}

async function withBriefing(): Promise<World> {
  const world = await acknowledged()
  await hear(world, BRIEFING, 'm1')
  expect(textsAt(world, 'sink:terminal:owner', 'card')[0]).toMatch(/Where: Telegram/)
  await say(world, 'yes')
  expect(jobOf(world)).toMatchObject({ state: 'on', sink: OPEN_CHAT, template: 'job_morning_briefing' })
  world.sent.length = 0
  return world
}

async function runAt(world: World, at: number): Promise<void> {
  world.clock.now = at
  await world.shell.tick()
}

async function revoke({ ports: { grants } }: World): Promise<void> {
  for (const { id, kind } of await grants.list())
    if (kind === 'transport') expect((await grants.revoke(id, OWNER_PRINCIPAL)).ok).toBe(true)
}

describe('a job that is set in the chat of the acknowledgement', () => {
  it('is asked about at home, and told in that chat alone', async () => {
    const world = await withBriefing()
    await runAt(world, Number(jobOf(world).due))
    expect(textsAt(world, OPEN_CHAT).join('\n')).toContain(SUBJECT)
    expect(world.sent.map(({ sink }) => sink)).toEqual([OPEN_CHAT])
    expect(world.disk.store.runsOf(jobOf(world).id, 1)).toMatchObject([{ outcome: 'told', delivery: 'sent' }])
  })

  it('is not turned on by a yes that comes from there', async () => {
    const world = await acknowledged()
    await hear(world, BRIEFING, 'm1')
    await hear(world, 'yes', 'm2')
    expect(jobOf(world).state).toBe('asked')
  })

  it('tells nothing there once the acknowledgement was taken back, and that is no success', async () => {
    const world = await withBriefing()
    await revoke(world)
    await runAt(world, Number(jobOf(world).due))
    expect(textsAt(world, OPEN_CHAT)).toEqual([])
    expect(world.calls).toEqual([])
    expect(world.disk.store.runsOf(jobOf(world).id, 1)).toMatchObject([
      { outcome: 'failed', delivery: 'none' },
    ])
  })

  it('that waits for its time is read, moved and stopped there', async () => {
    const world = await withBriefing()
    await hear(world, 'what runs when?', 'm3')
    expect(textsAt(world, OPEN_CHAT).at(-1)).toMatch(
      /^1\. Morning briefing: every weekday at 08:00, Telegram/,
    )
    await hear(world, 'stop the morning briefing', 'm4')
    expect(jobOf(world).state).toBe('paused')
  })

  it('is in the owner’s own words, too', async () => {
    const world = await acknowledged()
    await hear(world, "every day at 9 tell me what's in my calendar today", 'm1')
    await say(world, 'yes')
    expect(jobOf(world)).toMatchObject({ state: 'on', sink: OPEN_CHAT, template: 'job_own_words' })
  })

  it('never tells what this chat is not cleared for: a job of health data is refused with the reason', async () => {
    const world = await acknowledged()
    await hear(world, 'start the daily health digest', 'm1')
    expect(world.disk.store.jobs()).toEqual([])
    expect(textsAt(world, OPEN_CHAT).at(-1)).toMatch(/health data/)
  })

  it('without the acknowledgement no job of home’s names that chat', async () => {
    const world = createWorld({ tools: mailTools(), pushes: true })
    await say(world, 'start the email check', 'yes', 'send the email check to Telegram')
    expect(world.heard()).toMatch(/no connected chat/)
    expect(jobOf(world).sink).toBe('sink:terminal:owner')
  })
})
