/** What is said of a waiting card makes another one in its place: the former is answered no more, and its message in the chat says so at once. */
import { expect, it } from 'vitest'
import { onlyOne, waiting } from './approvals-owner.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, type World } from './world.ts'

const BOOK = 'book lunch with Sarah on Friday at 13:00'
const contacts = [{ name: 'Sarah Chen', email: 'sarah@friends.example' }]
const having = (): World =>
  createWorld({ tools: { ...mailTools(), ...calendarTools() }, contacts, pushes: true })

it.each([
  ['make it half an hour later'],
  ['make it half an hour later and call it Budget lunch'],
  ['make it 45 minutes and call it Swim'],
  ['at 2 instead and call it Swim'],
  ['call it Swim'],
  ['eine halbe Stunde später'],
])('“%s” leaves one card, and books once', async (change) => {
  const world = having()
  await world.say(BOOK)
  const former = await onlyOne(world)
  const shown = world.sent.find(({ approval }) => approval === former.id)
  await world.say(change)
  const card = await onlyOne(world)
  expect(card.id).not.toBe(former.id)
  const last = world.sent.filter(({ id }) => id === shown?.id).at(-1)
  expect(last).toMatchObject({ kind: 'notice', approval: null })
  expect(last?.text).toContain('You changed it')
  await world.say(`yes ${card.number}`)
  expect(world.calls.filter(({ tool }) => tool === 'calendar.create_event')).toHaveLength(1)
})

it('what is only beside it stays', async () => {
  const world = having()
  await world.say(BOOK)
  await world.say('book dinner with Sarah on Saturday at 19:00')
  expect(await waiting(world)).toHaveLength(2)
  expect(world.sent.filter(({ text }) => text.includes('You changed it'))).toEqual([])
})
