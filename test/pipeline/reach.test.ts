/** What becomes of each capability at the edge while home is there, away, and not to be asked (T-07): every row. */
import { expect, it } from 'vitest'
import { reachOf } from '../../kernel/call/disclosure.ts'
import { EFFECT_IDS, lookUpAction } from '../../kernel/powers/effects.ts'
import { createWorld } from './world.ts'

const PAGE = { title: 'A page', text: 'words', links: [], language: 'en' }
const WEB = {
  'web.read': () => ({ ok: true, output: PAGE }) as const,
  'weather.forecast': () => ({ ok: true, output: {} }) as const,
}
const edge = (up: boolean) => {
  const world = createWorld({ place: 'edge', tools: WEB })
  world.link.up = up
  return world
}

/** Home is there; home is away; the owner chose to be answered without it. */
const ROWS: readonly (readonly [string, string, string, string])[] = [
  ['calendar.freebusy', 'home', 'home', 'away'],
  ['calendar.list_events', 'home', 'away', 'away'],
  ['calendar.list_calendars', 'home', 'away', 'away'],
  ['calendar.create_event', 'nowhere', 'nowhere', 'nowhere'],
  ['calendar.update_event', 'nowhere', 'nowhere', 'nowhere'],
  ['calendar.delete_event', 'nowhere', 'nowhere', 'nowhere'],
  ['email.list', 'home', 'away', 'away'],
  ['email.count', 'home', 'away', 'away'],
  ['email.read', 'home', 'away', 'away'],
  ['email.search', 'home', 'away', 'away'],
  ['email.draft', 'nowhere', 'nowhere', 'nowhere'],
  ['email.send', 'nowhere', 'nowhere', 'nowhere'],
  ['email.reply', 'nowhere', 'nowhere', 'nowhere'],
  ['email.forward', 'nowhere', 'nowhere', 'nowhere'],
  ['email.archive', 'nowhere', 'nowhere', 'nowhere'],
  ['email.move', 'nowhere', 'nowhere', 'nowhere'],
  ['email.mark', 'nowhere', 'nowhere', 'nowhere'],
  ['email.spam', 'nowhere', 'nowhere', 'nowhere'],
  ['email.delete', 'nowhere', 'nowhere', 'nowhere'],
  ['web.read', 'here', 'here', 'here'],
  ['weather.forecast', 'here', 'here', 'here'],
  ['brain.load', 'nowhere', 'nowhere', 'nowhere'],
  ['memory.save', 'here', 'here', 'here'],
  ['memory.search', 'here', 'here', 'here'],
  ['reminder.set', 'here', 'here', 'here'],
  ['reminder.list', 'here', 'here', 'here'],
  ['task.list', 'here', 'here', 'here'],
  ['reminder.later', 'here', 'here', 'here'],
  ['task.add', 'here', 'here', 'here'],
  ['task.done', 'here', 'here', 'here'],
  ['owner.ask', 'here', 'here', 'here'],
  ['message.reply', 'here', 'here', 'here'],
]

it.each(ROWS)('%s: home there %s, away %s, not to be asked %s', async (id, ...expected) => {
  const found: string[] = []
  for (const [up, alone] of [
    [true, false],
    [false, false],
    [false, true],
  ] as const) {
    const { powers, say, disk } = edge(up)
    const task = disk.store.loadTask(await say('hello'))
    const action = lookUpAction(powers.registry, id)
    if (task === null || !action.ok) throw new Error(`no ${id}`)
    found.push(await reachOf(powers, alone ? { ...task, alone } : task, action.value))
  }
  expect(found).toEqual(expected)
})

it('names every capability that has a policy', () => {
  const ids = [...edge(true).powers.registry.actions.keys(), ...EFFECT_IDS]
  expect(ROWS.map(([id]) => id).sort()).toEqual(ids.sort())
})

/** What the owner gets on the open line while home is away, by what his words need. */
const SAID: readonly (readonly [string, string, string, string | null])[] = [
  ['calendar.freebusy', 'when am I free on Friday?', 'awaiting_home', null],
  ['calendar.create_event', 'book lunch with Sarah on Friday at 13:00', 'completed', 'plan_empty'],
  ['email.list', 'show me my unread emails', 'completed', 'plan_empty'],
  ['web.read', 'read https://example.com/a', 'completed', null],
  ['memory.save', 'remember that the locker is 12', 'completed', null],
  ['memory.search', 'what do you know about the locker?', 'completed', null],
]

it.each(SAID)('%s: “%s” is then %s, trouble %s', async (_id, words, state, trouble) => {
  const world = edge(false)
  const report = await world.shell.report(await world.say(words))
  expect(report?.task).toMatchObject({ state, trouble })
})
