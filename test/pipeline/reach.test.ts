/** What becomes of each capability at the edge while home is there, away, and not to be asked (T-07): every row. */
import { expect, it } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { reachOf } from '../../kernel/call/disclosure.ts'
import { EFFECT_IDS, lookUpAction } from '../../kernel/powers/effects.ts'
import { createWorld } from './world.ts'

const PAGE = { title: 'A page', text: 'words', links: [], language: 'en' }
const ACTIONS = TOOL_MANIFESTS.flatMap(({ actions, places }) =>
  actions.map((action) => ({ ...action, places })),
)
/** What the edge runs itself. */
const WEB = Object.fromEntries(
  ACTIONS.filter(({ places }) => places.includes('edge')).map(({ id }) => [
    id,
    () => ({ ok: true, output: id === 'web.read' ? PAGE : {} }) as const,
  ]),
)
const edge = (up: boolean) => {
  const world = createWorld({ place: 'edge', tools: WEB })
  world.link.up = up
  return world
}

/** What its declaration says: a tool of the edge runs there; a read of home is asked for, or waits; a write is asked for at home. */
function rowOf({ id, places, semantics, offline }: (typeof ACTIONS)[number]): (typeof ROWS)[number] {
  if (places.includes('edge')) return [id, 'here', 'here', 'here']
  if (semantics === 'write') return [id, 'nowhere', 'nowhere', 'nowhere']
  return [id, 'home', offline?.policy.do === 'queue' ? 'home' : 'away', 'away']
}

/** Home is there; home is away; the owner chose to be answered without it. */
const ROWS: readonly (readonly [string, string, string, string])[] = [
  ...ACTIONS.map(rowOf),
  ['brain.load', 'nowhere', 'nowhere', 'nowhere'],
  ['tools.search', 'here', 'here', 'here'],
  ['memory.save', 'here', 'here', 'here'],
  ['memory.search', 'here', 'here', 'here'],
  ['reminder.set', 'here', 'here', 'here'],
  ['reminder.list', 'here', 'here', 'here'],
  ['task.list', 'here', 'here', 'here'],
  ['reminder.about', 'here', 'here', 'here'],
  ['reminder.later', 'here', 'here', 'here'],
  ['reminder.change', 'here', 'here', 'here'],
  ['reminder.cancel', 'here', 'here', 'here'],
  ['reminder.which', 'here', 'here', 'here'],
  ['task.add', 'here', 'here', 'here'],
  ['task.done', 'here', 'here', 'here'],
  ['contact.new', 'here', 'here', 'here'],
  ['contact.which', 'here', 'here', 'here'],
  ['contact.add', 'here', 'here', 'here'],
  ['memory.which', 'here', 'here', 'here'],
  ['memory.forget', 'here', 'here', 'here'],
  ['memory.correct', 'here', 'here', 'here'],
  ['job.which', 'here', 'here', 'here'],
  ['job.set', 'here', 'here', 'here'],
  ['job.stop', 'here', 'here', 'here'],
  ['job.resume', 'here', 'here', 'here'],
  ['job.skip', 'here', 'here', 'here'],
  ['job.run', 'here', 'here', 'here'],
  ['job.move', 'here', 'here', 'here'],
  ['job.remove', 'here', 'here', 'here'],
  // No template of the edge has one, and its bundle has none.
  ...EFFECT_IDS.filter((id) => id.startsWith('admin.')).map((id) => [id, 'here', 'here', 'here'] as const),
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

it('asks home for free time even while it is away, and for no mail', () => {
  expect(ROWS).toContainEqual(['calendar.freebusy', 'home', 'home', 'away'])
  expect(ROWS).toContainEqual(['email.list', 'home', 'away', 'away'])
  expect(ROWS).toContainEqual(['web.read', 'here', 'here', 'here'])
})

it('names every capability that has a policy', () => {
  const ids = [...edge(true).powers.registry.actions.keys(), ...EFFECT_IDS]
  expect(ROWS.map(([id]) => id).sort()).toEqual(ids.sort())
})

/** What the owner gets on the open line while home is away, by what the request needs. */
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
