/**
 * The commands of a chat at a0fb213, from its `/help`, now `/help all`: each is listed and answered today, at both places. More may be there; none is taken
 * out.
 */
import { describe, expect, it } from 'vitest'
import { parseChatLine } from '../../sidecar/cli/chat/chat-line.ts'
import { createWorld } from '../pipeline/world.ts'

const THEN = [
  ...[
    'help',
    'today',
    'inbox',
    'free',
    'stop',
    'mode',
    'brief',
    'thorough',
    'normal',
    'plan',
    'context',
    'usage',
  ],
  ...['connect', 'disconnect'],
]
/** What stands behind some of them. */
const TAKEN = ['/mode [name]', '/plan [on|off]', '/connect [name]', '/disconnect [name]']
/** The answer to a command that there is not. */
const NONE = /there is no such command/i

describe.each(['home', 'edge'] as const)('at %s', (place) => {
  it.each(THEN)('/%s is listed and answered', async (name) => {
    const world = createWorld({ place })
    await world.say('/help all')
    expect(world.heard()).toMatch(new RegExp(`^/${name}\\b`, 'm'))
    const before = world.sent.length
    await world.say(`/${name}`)
    // Some are asked of home, over the link.
    expect(world.sent.length + world.homeCalls.length).toBeGreaterThan(before)
    expect(world.heard()).not.toMatch(NONE)
  })

  it.each(TAKEN)('%s says what it takes', async (said) => {
    const world = createWorld({ place })
    await world.say('/help all')
    expect(world.heard()).toContain(said)
  })

  it('what is none of them is said to be none', async () => {
    const world = createWorld({ place })
    await world.say('/dance')
    expect(world.heard()).toMatch(NONE)
  })
})

/** What the chat in a terminal understood of its own, with this many cards waiting. */
it.each([
  ['/help', 0, 'help'],
  ['/status', 0, 'status'],
  ['/approvals', 0, 'approvals'],
  ['/approve 1', 0, 'decide'],
  ['/deny 1', 0, 'decide'],
  ['/edit 1 Tea', 0, 'edit'],
  ['edit: Tea', 1, 'edit'],
  ['yes', 1, 'decide'],
  ['yes', 0, 'say'],
  ['/stop', 0, 'stop'],
  ['/quit', 0, 'quit'],
  ['/exit', 0, 'quit'],
  ['/today', 0, 'say'],
  ['/mode analyze', 0, 'say'],
  ['/fika', 0, 'say'],
])('in a terminal, %j with %i cards is: %s', (line, waiting, kind) => {
  expect(parseChatLine(line, waiting).kind).toBe(kind)
})
