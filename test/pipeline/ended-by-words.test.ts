/**
 * What is ended without a word for its kind: "cancel the oven one", and "stop it" right after something was set or while its card waits. One thing that is meant, and no
 * other; what may be of an event or a mail is left to what reads those.
 */
import { describe, expect, it } from 'vitest'
import { waiting } from './approvals-owner.ts'
import { set, world as withJobs } from './job-world.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const reminders = ({ disk: { store } }: World) => store.openReminders('principal:owner', 'reminder')
const tasks = ({ disk: { store } }: World) => store.openReminders('principal:owner', 'task')
const jobs = ({ disk: { store } }: World) => store.jobs().map(({ state }) => state)
const world = (): World =>
  createWorld({
    tools: {
      ...mailTools(),
      ...calendarTools(),
      'calendar.delete_event': ({ id }) => ({ ok: true, output: { id: String(id), gone: false } }),
    },
  })
const withMail = (): World =>
  withJobs({ tools: { 'email.list': () => ({ ok: true, output: { emails: [], more: false } }) } })

async function reminded(...said: readonly string[]): Promise<World> {
  const of = world()
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const OVEN = 'remind me tomorrow at 9 to check the oven'
const MUM = 'remind me tomorrow at 10 to call mum'

describe('one by a word of it', () => {
  it.each([
    'cancel the oven one',
    'delete the oven one please',
    'drop the oven thing',
    'no, cancel the oven one',
    'cancel the one about the oven',
    'scrap that oven one',
    'turn off the oven one',
    'can you cancel the oven one?',
    'stopp die mit dem oven',
    'lösch bitte das mit dem oven',
    'das mit dem oven brauch ich nicht mehr',
  ])('%s', async (said) => {
    const of = await reminded(OVEN, MUM, "what's the time")
    await of.say(said)
    expect(of.heard()).toMatch(/^Cancelled: 1\. .*check the oven$/)
    expect(reminders(of).map(({ number }) => number)).toEqual([2])
  })

  it('says so where more than one fits', async () => {
    const of = await reminded(OVEN, 'remind me tomorrow at 11 to clean the oven')
    await of.say('cancel the oven one')
    expect(of.heard()).toMatch(/More than one fits/)
    expect(reminders(of)).toHaveLength(2)
  })

  it.each([
    "don't cancel the oven one",
    'did you cancel the oven one?',
    'i cancelled the oven one',
    'why did you cancel the oven one',
    'cancel the dentist one',
    'cancel the second one',
    'lösch die mit dem oven nicht',
    'should i cancel the oven one?',
  ])('is none: %s', async (said) => {
    const of = await reminded(OVEN, MUM)
    await of.say(said)
    expect(reminders(of)).toHaveLength(2)
  })

  it('is an event right after events were shown', async () => {
    const of = await reminded('remind me tomorrow at 9 to prepare the standup', "what's on friday?")
    await of.say('cancel the standup one')
    expect(reminders(of)).toHaveLength(1)
    expect(of.heard()).toMatch(/Delete this event/)
  })

  it('is a task where no reminder is called so', async () => {
    const of = await reminded('add stamps to my list', OVEN)
    await of.say('delete the stamps one')
    expect(of.heard()).toMatch(/^Done: 1\. stamps$/)
    expect([tasks(of).length, reminders(of).length]).toEqual([0, 1])
  })

  it('is a job', async () => {
    const of = withMail()
    await set(of, 'start the email check')
    await of.say("what's the time")
    await of.say('stop the email one')
    expect(of.heard()).toMatch(/^Stopped: 1\. Email check/)
    expect(jobs(of)).toEqual(['paused'])
  })
})

describe('what was done last of all', () => {
  it.each(['undo', 'oh no, undo that', 'mach das rückgängig', 'stell sie wieder her'])(
    'comes back, whatever is looked at since: %s',
    async (said) => {
      const of = await reminded(MUM, OVEN)
      await of.say('cancel the oven one')
      expect(reminders(of)).toHaveLength(1)
      await of.say("what's on friday?")
      await of.say(said)
      expect(reminders(of)).toHaveLength(2)
    },
  )

  it('is not what was done before it', async () => {
    const of = await reminded(MUM, OVEN)
    await of.say('cancel the oven one')
    await of.say('remember that the spare key is at the bakery')
    await of.say('undo')
    expect(reminders(of)).toHaveLength(1)
    expect(of.heard()).toMatch(/is nothing that I can take back/)
  })
})

describe('what was just set', () => {
  const STOPS = [
    'stop it',
    'cancel that',
    'Stop that!',
    'no, cancel it',
    'actually, cancel that',
    "i don't want that after all",
    'stopp das',
    'brich das ab',
    'mach das rückgängig',
  ]

  it.each(STOPS)('a reminder: %s', async (said) => {
    const of = await reminded(MUM, OVEN)
    await of.say(said)
    expect(of.heard()).toMatch(/^Cancelled: 2\. .*check the oven$/)
    expect(reminders(of).map(({ number }) => number)).toEqual([1])
    await of.say('/undo')
    expect(reminders(of)).toHaveLength(2)
  })

  it.each(STOPS)('a job: %s', async (said) => {
    const of = withMail()
    await set(of, 'start the email check')
    expect(jobs(of)).toEqual(['on'])
    await of.say(said)
    expect(of.heard()).toMatch(/^Stopped: 1\. Email check/)
    expect(jobs(of)).toEqual(['paused'])
  })

  it.each(STOPS)('one whose card still waits: %s', async (said) => {
    const of = withMail()
    await of.say('start the email check')
    expect(await waiting(of)).toHaveLength(1)
    await of.say(said)
    expect(await waiting(of)).toEqual([])
    expect(jobs(of).filter((state) => state === 'on' || state === 'asked')).toEqual([])
  })

  it.each([
    "don't stop it",
    'did you stop it?',
    'i stopped it',
    'when does it stop',
    'stop it from ringing twice',
    'hast du das gestoppt?',
    'stopp das nicht',
  ])('is not ended: %s', async (said) => {
    const of = await reminded(OVEN)
    await of.say(said)
    expect(reminders(of)).toHaveLength(1)
  })

  it('is no card of another chat, though it came later', async () => {
    const of = withMail()
    await of.say('start the email check')
    const [card] = await waiting(of)
    const [row] = of.disk.store.pendingApprovals('principal:owner')
    if (card === undefined || row === undefined) throw new Error('no card')
    of.disk.store.saveApproval({ ...row.approval, sink: 'sink:elsewhere:owner' }, row.card)
    await of.say('stop it')
    expect(await waiting(of)).toHaveLength(1)
  })

  it('is not what was set before another request', async () => {
    const of = await reminded(OVEN, "what's on friday?")
    await of.say('stop it')
    await of.say('cancel that')
    expect(reminders(of)).toHaveLength(1)
  })

  it('is none of somebody else’s words', async () => {
    const of = await reminded(OVEN)
    await of.say('> stop it')
    expect(reminders(of)).toHaveLength(1)
  })
})
