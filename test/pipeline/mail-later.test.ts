/**
 * Mails that are sent at a time: one card that says when, nothing before it, exactly the approved bytes then and once, and what becomes of one that is
 * late, changed, cancelled or cut off.
 */
import { describe, expect, it } from 'vitest'
import { createOfferingAgain } from '../../kernel/features/pause/pause.ts'
import { err } from '../../kernel/flow/verdict.ts'
import { advance, rowsFor } from '../../kernel/machine/machine.ts'
import { NEVER_PAUSED } from '../../kernel/task/pause.ts'
import { waiting } from './approvals-owner.ts'
import { decideFirst } from './asked-world.ts'
import { createWorld, type ScriptedTool, type World } from './world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const contacts = [{ name: 'Tom Baker', email: 'tom@baker.example' }]
const sent: ScriptedTool = ({ to }) => ({
  ok: true,
  output: { to: [to].flat() as string[], refused: [], filed: true },
})
const SAID = 'send Tom tomorrow at 9: running late, back on Friday at 17'

function having(more: Record<string, ScriptedTool> = {}): World {
  return createWorld({
    tools: { 'email.send': sent, 'email.send_later': () => err('tool_unknown'), ...more },
    contacts,
  })
}

const calls = (world: World) => world.calls.filter((one) => one.tool === 'email.send').map(({ args }) => args)
const due = ({ disk }: World): number => {
  const [task] = disk.store.activeTasks('principal:owner').map((one) => one.task)
  return task?.state.at === 'awaiting_time' ? task.state.until : Number.NaN
}
const local = (at: number) => new Date(at + HOUR).toISOString().slice(0, 16)

async function set(world: World, said = SAID): Promise<number> {
  await world.say(said)
  await decideFirst(world, 'approve')
  return due(world)
}

async function at(world: World, now: number): Promise<void> {
  world.clock.now = now
  await world.shell.tick()
}

/** As at its time, and nothing of it has run yet. */
function begin({ disk: { store } }: World): string {
  const [task] = store.activeTasks('principal:owner').map((one) => one.task)
  if (task?.state.at !== 'awaiting_time') throw new Error('nothing waits')
  const { approval } = task.state
  const begun = advance(task, { got: 'due', approval })
  store.saveTask(begun.task, rowsFor(begun.task, begun.effects).rows)
  return approval
}

describe('sends at the time', () => {
  it.each([
    [SAID, '2026-11-21T09:00', 'Running late, back on Friday at 17'],
    ['email Tom on Monday at 8:00: the report', '2026-11-23T08:00', 'The report'],
    ['schedule a mail to Tom for Monday 8:00: the report', '2026-11-23T08:00', 'The report'],
    ['send Tom tomorrow: running late', '2026-11-21T09:00', 'Running late'],
    [
      'send a mail to anna@example.org tomorrow at 9 saying see you at 11',
      '2026-11-21T09:00',
      'See you at 11',
    ],
    ['schick Tom morgen um 9: ich komme später', '2026-11-21T09:00', 'Ich komme später'],
    ['plane eine Mail an Tom für Montag 8 Uhr: der Bericht', '2026-11-23T08:00', 'Der Bericht'],
  ])('%s', async (said, when, body) => {
    const world = having()
    await world.say(said)
    expect(world.heard()).toContain('AT THE TIME below')
    expect(world.heard()).toContain(when.slice(11))
    await decideFirst(world, 'approve')
    expect(calls(world)).toEqual([])
    expect(world.heard()).toMatch(/It waits, and is sent/)
    expect(local(due(world))).toBe(when)
    const time = due(world)
    await at(world, time - MINUTE)
    expect(calls(world)).toEqual([])
    await at(world, time)
    expect(calls(world)).toMatchObject([{ body }])
    expect(calls(world)[0]).not.toHaveProperty('at')
    expect(world.heard()).toMatch(/^For .*09:00|^For .*08:00/)
    expect(world.heard()).toContain('Sent')
    expect(world.heard()).not.toContain('It is late')
    await at(world, time + HOUR)
    expect(calls(world)).toHaveLength(1)
  })

  it('a time in the text alone is no time of the mail', async () => {
    const world = having()
    await world.say('send Tom: see you tomorrow at 9')
    await decideFirst(world, 'approve')
    expect(calls(world)).toMatchObject([{ body: 'See you tomorrow at 9' }])
  })
})

describe('sends at once', () => {
  it.each([
    ['write Tom today that I am late', 'I am late'],
    ['send Tom today: I am late', 'I am late'],
    ['mail Tom heute: bin spät', 'Bin spät'],
    ['schick Tom heute: bin spät', 'Bin spät'],
    ['email Tom this week that I am off', 'I am off'],
    ['mail Tom: tomorrow at 9: all hands', 'Tomorrow at 9: all hands'],
    ['send a mail to Tom: monday: closed', 'monday: closed'],
  ])('%s', async (said, body) => {
    const world = having()
    await world.say(said)
    expect(world.heard()).toContain('tom@baker.example')
    expect(world.heard()).not.toContain('AT THE TIME')
    await decideFirst(world, 'approve')
    expect(due(world)).toBeNaN()
    expect(calls(world)).toMatchObject([{ to: ['tom@baker.example'], body }])
  })

  it('a file, where the day has begun', async () => {
    const world = having({
      'email.enclosed': () => ({
        ok: true,
        output: { files: [{ file: '1 bytes, SHA-256 00: notes/a.pdf' }], version: 'v1' },
      }),
    })
    await set(world, 'send Tom a.pdf today: here it is')
    expect(calls(world)).toMatchObject([{ files: ['a.pdf'], body: 'Here it is' }])
  })

  it('the matter of a mail is no time of it', async () => {
    const world = having()
    await world.say('mail Tom about friday: ok')
    expect(world.heard()).not.toContain('AT THE TIME')
    await decideFirst(world, 'approve')
    expect(calls(world)).toMatchObject([{ subject: 'friday', body: 'Ok' }])
  })

  it('to whom it goes is not the mail itself', async () => {
    const world = having()
    await world.say('send a mail to Tom on monday: closed')
    expect(world.heard()).toContain('tom@baker.example')
    await decideFirst(world, 'approve')
    expect(local(due(world))).toBe('2026-11-23T09:00')
  })
})

describe('a time that has passed', () => {
  // Twelve o'clock there.
  const noon = Date.parse('2026-11-20T11:00:00Z')

  it.each([
    ['11:30', true],
    ['10:10', true],
    ['10:04', false],
    ['9:00', false],
  ])('today at %s at noon: a yes sends it at once: %s', async (time, isSent) => {
    const world = having()
    world.clock.now = noon
    await world.say(`send Tom on 20 November 2026 at ${time}: the report`)
    expect(world.heard().includes('a yes sends it at once')).toBe(isSent)
    if (!isSent) return expect(world.heard()).toContain('That time is over, so nothing was set')
    await decideFirst(world, 'approve')
    await world.shell.tick()
    expect(calls(world)).toMatchObject([{ body: 'The report' }])
  })
})

describe('late', () => {
  it('is sent late, and says so', async () => {
    const world = having()
    const time = await set(world)
    await at(world, time + HOUR)
    expect(calls(world)).toHaveLength(1)
    expect(world.heard()).toMatch(/^For .*09:00/)
    expect(world.heard()).toContain('It is late.')
    expect(world.heard()).not.toContain('not running')
  })

  it('is asked about anew where a pause began at its time and lasted too long', async () => {
    const world = having()
    const time = await set(world)
    await world.say('/pause')
    await at(world, time)
    await at(world, time + 3 * HOUR)
    expect(calls(world)).toEqual([])
    await world.say('/resume')
    await at(world, time + 3 * HOUR + MINUTE)
    expect(calls(world)).toEqual([])
    expect(await waiting(world)).toHaveLength(1)
    await decideFirst(world, 'approve')
    expect(calls(world)).toHaveLength(1)
  })

  it('goes out after a short pause without another question', async () => {
    const world = having()
    const time = await set(world)
    await world.say('/pause')
    await at(world, time)
    await world.say('/resume')
    await at(world, time + HOUR)
    expect(await waiting(world)).toEqual([])
    expect(calls(world)).toHaveLength(1)
  })

  it.each([
    ['minutes after the yes', (set: number) => set, []],
    ['two hours after its time', (_: number, time: number) => time + 2 * HOUR - MINUTE, ['lapsed']],
  ] as const)('a pause that lasts over %s: %s', async (_, from, lapsed) => {
    const world = having()
    const time = await set(world)
    const since = from(world.clock.now, time)
    begin(world)
    const told: string[] = []
    const over = { since, until: since + 10 * MINUTE }
    const pause = { read: () => ({ ...NEVER_PAUSED, over }), write: () => undefined }
    const powers = { now: () => over.until, pause, place: 'home', store: world.disk.store } as const
    createOfferingAgain(powers, { report: (__, { got }) => told.push(got) > 0 })()
    expect(told).toEqual(lapsed)
  })

  it('is asked about anew where home stopped after it was begun', async () => {
    const world = having()
    const time = await set(world)
    const { store } = world.disk
    const approval = begin(world)
    world.clock.now = time + 3 * HOUR
    await world.shell.recover()
    await world.shell.tick()
    expect(calls(world)).toEqual([])
    expect(await waiting(world)).toHaveLength(1)
    expect(store.loadApproval(approval)?.approval.state).toBe('expired')
    await decideFirst(world, 'approve')
    expect(calls(world)).toHaveLength(1)
  })

  it('is held and asked about anew after two hours, and sent once after that yes', async () => {
    const world = having()
    const time = await set(world)
    await at(world, time + 2 * HOUR)
    expect(calls(world)).toEqual([])
    expect(await waiting(world)).toHaveLength(1)
    expect(world.heard()).toContain('tom@baker.example')
    expect(world.heard()).toMatch(/This was set for .*09:00.*It is late\./)
    await decideFirst(world, 'approve')
    expect(calls(world)).toMatchObject([{ body: 'Running late, back on Friday at 17' }])
    await at(world, time + 4 * HOUR)
    expect(calls(world)).toHaveLength(1)
  })

  it('is not sent after a no', async () => {
    const world = having()
    const time = await set(world)
    await at(world, time + 3 * HOUR)
    await decideFirst(world, 'deny')
    await at(world, time + 4 * HOUR)
    expect(calls(world)).toEqual([])
  })
})

describe('once', () => {
  it('an outcome that is unknown is told and not repeated', async () => {
    const world = having({ 'email.send': () => err('write_outcome_unknown') })
    const time = await set(world)
    await at(world, time)
    expect(calls(world)).toHaveLength(1)
    expect(world.heard()).toMatch(/do not know|don't know|cannot tell/i)
    await at(world, time + HOUR)
    expect(calls(world)).toHaveLength(1)
  })

  it.each([
    ['v1', 1, 'Sent'],
    ['v2', 0, 'It has changed since I asked you'],
  ])('files that are %s at the time are sent %d times', async (version, times, words) => {
    const files = { version: 'v1' }
    const world = having({
      'email.enclosed': () => ({
        ok: true,
        output: { files: [{ file: '1 bytes, SHA-256 00: notes/a.pdf' }], version: files.version },
      }),
    })
    const time = await set(world, 'send Tom a.pdf tomorrow at 9: here it is')
    files.version = version
    await at(world, time)
    expect(calls(world)).toHaveLength(times)
    if (times > 0) expect(calls(world)).toMatchObject([{ files: ['a.pdf'], version: 'v1' }])
    expect(world.heard()).toContain(words)
  })

  it('a no sets nothing', async () => {
    const world = having()
    await world.say(SAID)
    await decideFirst(world, 'deny')
    expect(due(world)).toBeNaN()
  })
})

describe('listed and cancelled', () => {
  it('what waits is listed, and cancelled by a word of it', async () => {
    const world = having()
    const time = await set(world)
    await world.say('what mail is waiting to be sent?')
    expect(world.heard()).toContain('to Tom Baker: Running late')
    await world.say('cancel the mail to Tom')
    expect(world.heard()).toContain('Cancelled, it is not sent')
    await at(world, time)
    expect(calls(world)).toEqual([])
    await world.say('/scheduled')
    expect(world.heard()).toContain('Nothing waits to be sent')
  })

  it.each([
    'die mail an tom für morgen doch nicht schicken',
    'schick die nachricht an tom doch nicht ab',
    "don't send the one to Tom",
    "don't send the mail to Tom after all",
  ])('is cancelled by the words around its name, too: %s', async (text) => {
    const world = having()
    const time = await set(world, 'schick Tom morgen um 8: denk an den Schlüssel')
    await world.say(text)
    expect(world.heard()).toContain('Cancelled, it is not sent')
    await at(world, time)
    expect(calls(world)).toEqual([])
  })

  it.each([
    'what is scheduled to be sent?',
    'was geht noch raus?',
    'welche mails warten noch',
    "what's still to be sent",
  ])('is listed, however it is asked: %s', async (text) => {
    const world = having()
    await set(world)
    await world.say(text)
    expect(world.heard()).toContain('to Tom Baker: Running late')
  })

  it('what fits several is not cancelled by guessing', async () => {
    const world = having()
    await set(world)
    await set(world, 'send Tom on Monday at 8: the report')
    await world.say('cancel the mail to Tom')
    expect(world.heard()).toContain('Several mails that wait fit that')
    await world.say('cancel the mail to Zoe')
    expect(world.heard()).toContain('No mail like that waits')
    await world.say('/unschedule report')
    expect(world.heard()).toContain('Cancelled')
  })

  it('stopping other work does not stop it', async () => {
    const world = having()
    const time = await set(world)
    await world.say('/stop')
    await at(world, time)
    expect(calls(world)).toHaveLength(1)
  })
})

it('more than a year ahead is not set', async () => {
  const world = having()
  await world.say('send Tom on 3 March 2029 at 9: hello')
  expect(await waiting(world)).toEqual([])
  expect(world.heard()).toContain('within the next twelve months')
})
