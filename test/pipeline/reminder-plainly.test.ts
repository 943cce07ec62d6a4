/** What is asked of reminders, the list and quiet hours in words that no sentence has: home says it plainly and does it; what is only told changes nothing (C-03). */
import { describe, expect, it } from 'vitest'
import { homeTalk } from '../../kernel/features/commands/home-talk.ts'
import { createWorld, type World } from './world.ts'

const rows = ({ disk }: World) => disk.store.openReminders('principal:owner', 'reminder')
/** In Madrid, in winter. */
const local = (due: number | null) =>
  new Date((due ?? 0) + 3_600_000).toISOString().slice(0, 16).replace('T', ' ')

const withReminder = async (said = 'remind me next friday at 9 to fix the electric fence') => {
  const world = createWorld({ place: 'home' })
  await world.say(said)
  expect(rows(world)).toHaveLength(1)
  return world
}

describe('a reminder', () => {
  it.each([
    'fence is fixed stop reminding me about the electric fence',
    'there is no longer any need to remind me about the electric fence, the man has been',
    'no need to remind me of the electric fence any longer, my flatmate does it now',
    "you don't need to remind me about the electric fence any more, Tom looks after it now",
    "don't remind me of the electric fence because the farmer does it",
    'stop reminding me about the electric fence since we moved',
    'no need to remind me of the electric fence any longer',
    'du musst mich nicht mehr an electric fence erinnern, mein Mitbewohner macht das jetzt',
  ])('is ended: %s', async (said) => {
    const world = await withReminder()
    await world.say(said)
    expect(world.heard()).toMatch(/^Cancelled: /)
    expect(rows(world)).toEqual([])
  })

  it.each([
    'that reminder about the electric fence, push it to saturday at 10 would you',
    'electric fence reminder – make it saturday at 10 not friday',
  ])('is moved: %s', async (said) => {
    const world = await withReminder()
    await world.say(said)
    expect(rows(world).map(({ due }) => local(due))).toEqual([expect.stringMatching(/ 10:00$/)])
  })

  it.each([
    'the electric fence is still broken, it is a nuisance',
    "don't stop reminding me about the electric fence",
    'please do not cancel the reminder about the electric fence',
    'bob asked me to stop reminding him about the electric fence',
    'the vet and the electric fence cost me a fortune this month',
    'no need to worry about the electric fence any longer, my flatmate does it now',
    'cancel the reminder about the electric fence because I am away and book the vet now',
    'my flatmate does the electric fence now',
  ])('stays as it is: %s', async (said) => {
    const world = await withReminder()
    const before = rows(world)
    await world.say(said)
    expect(rows(world)).toEqual(before)
  })

  it('is ended in German', async () => {
    const world = await withReminder('erinnere mich nächsten freitag um 9 an das rasendüngen')
    await world.say('die Erinnerung ans Rasendüngen kannst du löschen, das hat der Nachbar gemacht')
    expect(rows(world)).toEqual([])
  })

  it('of another name is not ended: it is said that there is none', async () => {
    const world = await withReminder()
    await world.say('the hedge is cut, stop reminding me about the hedge please')
    expect(rows(world)).toHaveLength(1)
    expect(world.heard()).not.toMatch(/^Cancelled/)
  })
})

it('the list is shown in words of its own', async () => {
  const world = createWorld({ place: 'home' })
  await world.say('put milk on my list')
  await world.say("what's still open on my todo that i can knock out in 20 min")
  expect(world.heard()).toContain('milk')
})

it.each([
  ['reminders.list', 'undo'],
  ['reminders.cancel', 'show me my tasks'],
  ['reminders.tasks', 'move my reminder about electric fence to saturday at 10'],
])('a sentence that was made for %s and calls another operation calls none', async (operation, sentence) => {
  const world = await withReminder()
  const before = rows(world)
  const { talk } = world.powers.tier
  Object.assign(world.powers.tier, {
    talk: {
      ...talk,
      recognise: homeTalk(
        () => ({ operation, sentence }),
        () => null,
      ).recognise,
    },
  })
  await world.say('blorp the fence')
  expect(rows(world)).toEqual(before)
  expect(world.operated).toEqual([])
})
