/**
 * Reminders whose condition is one of the owner's own things (DESIGN §9): a task, an event, nothing planned. What is set by a card, what is looked at when
 * it is due and not before, what a stranger's invitation cannot do, and that it comes where nobody could look. English and German, without a model.
 */
import { describe, expect, it } from 'vitest'
import { at, first, mail, set, told, world } from './job-world.ts'
import { scriptedModel, type World, type WorldOptions } from './world.ts'

/** The world begins on Friday 20 November at noon in Madrid. */
const SIX = Date.parse('2026-11-20T17:00:00Z')
const MONDAY_9 = Date.parse('2026-11-23T08:00:00Z')

type Event = Readonly<Record<string, unknown>>
const event = (title: string, from: string, more: Event = {}): Event => ({
  ...{ id: 'e1', title, from, to: new Date(Date.parse(from) + 3_600_000).toISOString() },
  ...{ allDay: false, attendees: 0, busy: true, ...more },
})

/** A calendar that holds these events, or does not answer. */
function calendar() {
  const of = {
    ...{ events: [] as Event[], more: false, down: false, asked: [] as Record<string, unknown>[] },
    options: {} as WorldOptions,
  }
  of.options = {
    tools: {
      'calendar.list_events': (args) => {
        of.asked.push(args)
        return of.down
          ? { ok: false, reason: { code: 'remote_unavailable', facts: {} } }
          : { ok: true, output: { events: of.events, more: of.more } }
      },
    },
  }
  return of
}

const heard = ({ sent }: World): string => sent.at(-1)?.text ?? ''
const card = ({ sent }: World): string => sent.findLast(({ kind }) => kind === 'card')?.text ?? ''
const iso = (moment: number): string => new Date(moment).toISOString().slice(0, 16)

describe('setting one', () => {
  it.each([
    ['remind me at 18:00 if milk is still on my list', 'task', true, SIX],
    ['if the milk is still on my list, remind me at 18:00', 'task', true, SIX],
    ['remind me if milk is still on my shopping list at 18:00', 'task', true, SIX],
    ["remind me at 18:00 to call Tom if milk isn't on my list any more", 'task', false, SIX],
    ['remind me at 18:00 unless milk is on my list', 'task', false, SIX],
    ['erinnere mich um 18 Uhr, wenn Milch noch auf meiner Liste steht', 'task', true, SIX],
    ['erinnere mich um 18 Uhr, falls Milch nicht mehr auf der Einkaufsliste ist', 'task', false, SIX],
    ['remind me on Monday if the dentist is still in my calendar', 'event', true, MONDAY_9],
    ['remind me on Monday if the dentist is not in my calendar', 'event', false, MONDAY_9],
    ['erinnere mich am Montag, wenn der Zahnarzt noch in meinem Kalender steht', 'event', true, MONDAY_9],
    ['remind me on Monday to call mum if I have nothing on', 'free', false, MONDAY_9],
    ["remind me on Monday if I've got nothing planned", 'free', false, MONDAY_9],
    ['remind me on Monday to pack if I have something on', 'free', true, MONDAY_9],
    ['remind me on Monday unless I am free', 'free', true, MONDAY_9],
    ['erinnere mich am Montag, wenn ich nichts vorhabe', 'free', false, MONDAY_9],
    ['erinnere mich am Montag, falls ich frei habe', 'free', false, MONDAY_9],
  ])('%s', async (said, of, there, due) => {
    const box = calendar()
    const home = world(box.options)
    await home.say('add milk to my list')
    await home.say('add Milch to my list')
    await set(home, said)
    expect(first(home)).toMatchObject({
      ...{ state: 'on', template: 'job_mail_watch' },
      watch: { kind: 'unless', looks: { of, there } },
    })
    expect(iso(first(home).due ?? 0)).toBe(iso(due))
    expect(box.asked).toEqual([])
  })

  it('bears what the entry was written with: words of a mail stay raw in the condition', async () => {
    const plan = [
      { id: 's1', do: 'tool', tool: 'email.list', args: {} },
      { id: 's2', do: 'tool', tool: 'task.add', args: { text: { $ref: 's1.emails[0].subject' } } },
    ]
    const model = scriptedModel('a-model', ({ parts }) =>
      parts.purpose === 'plan' ? JSON.stringify({ steps: plan }) : 'Done.',
    )
    const tools: WorldOptions['tools'] = {
      'email.list': () => ({ ok: true, output: { emails: [mail('m1', { subject: 'milk' })], more: false } }),
    }
    const home = world({ tools, models: [model] })
    await set(home, 'juggle what that mail says')
    const [entry] = home.disk.store.openReminders('principal:owner', 'task')
    await set(home, 'remind me at 18:00 if milk is still on my list')
    expect([entry?.ref.taint.level, first(home).words.taint.level]).toEqual(['raw', 'raw'])
  })

  it('the card says when, on which condition, what is said, and what counts', async () => {
    const home = world(calendar().options)
    await home.say('remind me on Monday at 10 to call mum if the dentist is still in my calendar')
    await home.shell.tick()
    expect(card(home)).toContain(
      'At Monday 23 November, 10:00 (Europe/Madrid) I remind you if an event with these words',
    )
    expect(card(home)).toContain(': dentist (Monday 23 November, 10:00 – ')
    expect(card(home)).toContain('You wanted to be reminded: call mum')
    expect(card(home)).toContain('not answered counts for nothing')
    expect(home.disk.store.nextJob()).toBeNull()
  })

  it.each([
    ['remind me at 18:00 if cheese is still on my list', /nothing on your list has these words/],
    ['remind me at 18:00 if bread is still on my list', /more than one entry/],
    ['remind me if milk is still on my list', /By when\?/],
    ['remind me at 11:00 today if milk is still on my list', /time is over/],
  ])('%s: sets nothing', async (said, answer) => {
    const home = world(calendar().options)
    for (const one of ['milk', 'white bread', 'dark bread']) await home.say(`add ${one} to my list`)
    await home.say(said)
    await home.shell.tick()
    expect(heard(home)).toMatch(answer)
    expect(home.disk.store.jobs()).toEqual([])
    expect(home.disk.store.openReminders('principal:owner', 'reminder')).toEqual([])
  })

  it.each([
    'remind me tomorrow to check if milk is on my list',
    'remind me tomorrow to ask Tom if I have nothing on',
  ])('%s: is a reminder like any other', async (said) => {
    const home = world(calendar().options)
    await home.say(said)
    expect(home.disk.store.openReminders('principal:owner', 'reminder')).toHaveLength(1)
  })

  it('is listed with the reminders in words', async () => {
    const home = world(calendar().options)
    await home.say('add milk to my list')
    await set(home, 'remind me at 18:00 if milk is still on my list')
    await home.say('/reminders')
    expect(home.heard()).toContain('Remind you if it is still on your list: milk (/removejob 1 ends it)')
  })
})

describe('a task at its time', () => {
  const asked = async (said: string): Promise<World> => {
    const home = world(calendar().options)
    await home.say('add milk to my list')
    await set(home, said)
    return home
  }

  it('that is open is told of, once', async () => {
    const home = await asked('remind me at 18:00 if milk is still on my list')
    await at(home, SIX - 1)
    expect(told(home)).toEqual([])
    await at(home, SIX)
    expect(told(home)).toEqual(['Still on your list: milk'])
    await at(home, SIX + 86_400_000)
    expect([told(home).length, home.disk.store.jobs()]).toEqual([1, []])
  })

  it('that was done is not, and another of its name is not it', async () => {
    const home = await asked('remind me at 18:00 if milk is still on my list')
    await home.say('done with the milk')
    await home.say('add milk to my list')
    await at(home, SIX)
    expect([told(home), home.disk.store.jobs()]).toEqual([[], []])
  })

  it('that was done is told of where it is asked for when it is gone', async () => {
    const home = await asked('remind me at 18:00 to bake if milk is no longer on my list')
    await home.say('done with the milk')
    await at(home, SIX)
    expect(told(home)).toEqual(['No longer on your list: milk\nYou wanted to be reminded: bake'])
  })

  it('whose row is not the one that was approved is told of as unchecked', async () => {
    const home = await asked('remind me at 18:00 if milk is still on my list')
    await home.say('done with the milk')
    const job = first(home)
    if (job.watch === null) throw new Error('none')
    home.disk.store.saveJob({
      ...job,
      watch: { ...job.watch, looks: { of: 'task', there: true, number: 9 } },
    })
    await at(home, SIX)
    expect(heard(home)).toContain('I could not look at it (milk)')
  })
})

describe('the calendar at its time', () => {
  const DENTIST = event('Dentist, Dr Who', '2026-11-25T09:00:00Z')
  const STILL = 'remind me on Monday if the dentist is still in my calendar'
  const FREE = 'remind me on Monday to call mum if I have nothing on'
  const GONE = 'remind me on Monday if the dentist is not in my calendar'
  const LUNCH = event('Lunch', '2026-11-23T12:00:00Z')

  it.each<[string, string, Event[], boolean]>([
    ['the event is there', STILL, [LUNCH, DENTIST], true],
    ['it is gone', STILL, [LUNCH], false],
    ['it was declined', STILL, [{ ...DENTIST, answer: 'declined' }], false],
    ['a stranger’s invitation of its name', STILL, [{ ...DENTIST, answer: 'none' }], false],
    ['it is there, and should not be', GONE, [DENTIST], false],
    ['a stranger’s invitation silences nothing', GONE, [{ ...DENTIST, answer: 'none' }], true],
    ['nothing is on', FREE, [], true],
    ['something is on', FREE, [LUNCH], false],
    ['an invitation that is not answered is nothing', FREE, [{ ...LUNCH, answer: 'none' }], true],
    ['what takes no time is nothing', FREE, [{ ...LUNCH, busy: false }], true],
    [
      'a birthday is nothing',
      FREE,
      [event('Birthday', '2026-11-23T00:00:00Z', { allDay: true, busy: false })],
      true,
    ],
    ['a whole day that takes time', FREE, [event('Fair', '2026-11-23T00:00:00Z', { allDay: true })], false],
    ['an accepted invitation', FREE, [{ ...LUNCH, answer: 'accepted' }], false],
  ])('%s', async (_, said, events, comes) => {
    const box = calendar()
    const home = world(box.options)
    await set(home, said)
    box.events = events
    await at(home, MONDAY_9)
    expect([told(home).length, home.disk.store.jobs()]).toEqual([comes ? 1 : 0, []])
    expect(box.asked).toHaveLength(1)
  })

  it('looks at the time that was said, or the rest of the day', async () => {
    const box = calendar()
    for (const said of [
      FREE,
      'remind me on Monday at 9 to buy flowers unless I have something on at 18:00',
    ]) {
      const home = world(box.options)
      await set(home, said)
      await at(home, MONDAY_9)
      expect(told(home)[0]).toMatch(
        /^Nothing is in your calendar: .*\nYou wanted to be reminded: (?:call mum|buy flowers)$/,
      )
    }
    expect(
      box.asked.map(({ from, to }) => [iso(Date.parse(String(from))), iso(Date.parse(String(to)))]),
    ).toEqual([
      ['2026-11-23T08:00', '2026-11-23T23:00'],
      ['2026-11-23T17:00', '2026-11-23T18:00'],
    ])
  })

  it.each<[string, object]>([
    ['does not answer', { down: true }],
    ['has more than one look shows', { more: true }],
  ])('that %s is no reason to be silent', async (_, is) => {
    const box = calendar()
    const home = world(box.options)
    await set(home, STILL)
    Object.assign(box, is)
    await at(home, MONDAY_9)
    expect([...told(home), heard(home)].join()).toContain(
      'I could not look at it (dentist), so I remind you all the same.',
    )
    expect(home.disk.store.jobs()).toEqual([])
  })
})

it('with a name and an address the address counts', async () => {
  const home = world({ tools: { 'email.search': () => ({ ok: true, output: { emails: [], more: false } }) } })
  for (const said of [
    'remind me if Sarah (sarah@example.com) has not answered by Monday',
    'erinnere mich, wenn Sarah (sarah@example.com) bis Montag nicht geantwortet hat',
    'remind me on Monday unless Sarah <sarah@example.com> has written back',
  ]) {
    await home.say(said)
    await home.shell.tick()
    expect(card(home)).toContain('a mail from sarah@example.com has come')
  }
})
