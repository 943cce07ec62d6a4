/**
 * A reminder that was just set or listed is meant before an event that nothing showed: by its name, with a reason behind it,
 * or by its numbers.
 */
import { describe, expect, it } from 'vitest'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

async function given(...said: readonly string[]): Promise<World> {
  const of = createWorld({
    tools: {
      ...mailTools(),
      ...calendarTools(),
      'calendar.delete_event': ({ id }) => ({ ok: true, output: { id: String(id), gone: false } }),
    },
  })
  for (const one of said) {
    await of.say(one)
    of.clock.now += 1_000
  }
  return of
}

const left = ({ disk }: World) =>
  disk.store
    .openReminders('principal:owner', 'reminder')
    .map(({ number }) => number)
    .toSorted()
const SOUP = 'remind me at 19:00 to take the soup off'
const BINS = 'remind me tomorrow at 9 to put the bins out'
const SCHUHE = 'erinnere mich morgen um 8 an die turnschuhe'

describe('by its name', () => {
  it.each([
    'cancel the soup',
    "cancel the soup one, it's done already",
    'delete the soup, we ate it',
    'cancel soup',
    'the soup one can go',
    'scrap the soup, i no longer need it',
    'lösch die soup',
    'streich bitte die soup, die ist schon fertig',
    'die soup kannst du löschen',
  ])('%s', async (said) => {
    const of = await given(SOUP, BINS, said)
    expect([left(of), of.heard().split('\n')[0]]).toEqual([[2], expect.stringMatching(/^Cancelled: 1\./)])
  })

  it.each(['cancel the soup', "cancel the soup one, it's on the table", 'lösch die soup'])(
    'after other events were shown: %s',
    async (said) => {
      const of = await given(SOUP, BINS, "what's on friday?", said)
      expect(left(of)).toEqual([2])
    },
  )

  it('after the list was shown', async () => {
    const of = await given(SCHUHE, BINS, 'what reminders do i have?', 'lösch die turnschuhe')
    expect(left(of)).toEqual([2])
  })

  it.each([
    ['remind me tomorrow at 9 to do it', 'cancel the do it one'],
    ['remind me tomorrow at 9 to do it', 'lösch die do it'],
  ])('by all of its words: %s; %s', async (set, said) => {
    expect(left(await given(BINS, set, said))).toEqual([1])
  })

  it.each([
    [SOUP, 'cancel the dentist'],
    [SOUP, 'cancel the soup and the bins meeting'],
    [SOUP, "don't cancel the soup"],
    [SOUP, 'cancel my soup appointment'],
    [SOUP, 'forget about the soup kitchen'],
  ])('is none: %s; %s', async (set, said) => {
    expect(left(await given(set, BINS, said))).toEqual([1, 2])
  })

  it.each(['cancel the standup', 'lösch das standup'])('an event that was shown since: %s', async (said) => {
    const of = await given('remind me tomorrow at 9 to prepare the standup', "what's on friday?", said)
    expect(left(of)).toEqual([1])
  })

  it('long ago is left to the calendar', async () => {
    const talk = Array.from({ length: 12 }, () => 'what is on tomorrow?')
    const of = await given(SOUP, ...talk, 'cancel the soup')
    expect(left(of)).toEqual([1])
  })
})

describe('by its numbers', () => {
  it.each([
    ['delete 1', [2, 3]],
    ['delete reminder 1 and 3', [2]],
    ['cancel 1, 2', [3]],
    ['lösch 2 und 3', [1]],
    ['lösche erinnerung 1, 2 und 3', []],
  ])('%s', async (said, expected) => {
    const of = await given(SOUP, BINS, SCHUHE, 'what reminders do i have?', 'thanks', said)
    expect(left(of)).toEqual(expected)
    await of.say('/undo')
    expect(left(of)).toEqual([1, 2, 3])
  })

  it.each(['delete 1', 'delete 1 and 2'])('are those of events that were shown since: %s', async (said) => {
    const of = await given(SOUP, BINS, "what's on friday?", said)
    expect(left(of)).toEqual([1, 2])
  })

  it('with one that is none, nothing is ended', async () => {
    expect(left(await given(SOUP, BINS, 'what reminders do i have?', 'delete 1 and 9'))).toEqual([1, 2])
  })
})

describe('moved by its name', () => {
  it.each([
    ['put the bins off till sunday', '2026-11-22'],
    ['push the bins back to sunday', '2026-11-22'],
    ['verschieb die bins auf sonntag', '2026-11-22'],
    ['move the bins to sunday', '2026-11-22'],
  ])('after other events were shown: %s', async (said, day) => {
    const of = await given(BINS, "what's on friday?", said)
    const [row] = of.disk.store.openReminders('principal:owner', 'reminder')
    expect([new Date(row?.due ?? 0).toISOString().slice(0, 10), of.heard()]).toEqual([
      day,
      expect.any(String),
    ])
  })
})
