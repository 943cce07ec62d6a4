/**
 * How a message is meant changes its answer's tone and nothing else (P-31): the same day under every mode, genre and length, and
 * every verdict, plan, card, route, delivery and token is the same, byte for byte.
 */
import { beforeEach, expect, it, vi } from 'vitest'
import { ANSWERED } from '../../kernel/model-call/planner-view.ts'
import { GENRES, MODES, type Signal, VERBOSITIES } from '../../kernel/prompt/signal/signal.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World } from './world.ts'

const forced = vi.hoisted((): { signal: Partial<Signal> } => ({ signal: {} }))
vi.mock('../../kernel/prompt/signal/classify.ts', async (original) => {
  const real = await original<typeof import('../../kernel/prompt/signal/classify.ts')>()
  return { ...real, classifySignal: (text: string) => ({ ...real.classifySignal(text), ...forced.signal }) }
})
beforeEach(() => {
  forced.signal = {}
})

/** A read, a write that asks and is agreed to, one that is refused, a plan of a model's, a page that tries something. */
async function day(steer: readonly string[]): Promise<World> {
  const plan =
    '{"explanation":"x","steps":[{"id":"s1","do":"tool","tool":"email.list","args":{"unread":true}}]}'
  const local = scriptedModel('local', ({ parts }) => (parts.purpose === 'plan' ? plan : 'Done as you said.'))
  const world = createWorld({ tools: { ...mailTools(), ...calendarTools() }, models: [local] })
  let ids = 0
  Object.assign(world.powers, { newId: () => `id${String(++ids).padStart(6, '0')}` })
  for (const [index, words] of steer.entries()) await world.say(words, `steer${index}`)
  ids = 1_000
  const sayings = ['check my email', 'book lunch with Sarah on Friday at 13:00', 'please juggle my letters']
  for (const [index, words] of [...sayings, 'read https://evil.example/', 'hello'].entries())
    await world.say(words, `day${index}`)
  return world
}

/** Everything that was decided, planned, asked, called or sent, without the owner's commands about the mode and their ids. */
function decided(world: World, steers: number): string {
  const tasks = world.disk.store
    .recentTasks('principal:owner', 99)
    .slice(0, 5)
    .map(({ manner: _manner, trace: _trace, turn, ...task }) => ({ ...task, turn: turn - steers }))
  const traces = new Set(tasks.map(({ id }) => id))
  const audit = world.audited
    .filter(({ task }) => task !== null && traces.has(task))
    .map(({ trace: _trace, ...line }) => line)
  const sent = world.sent
    .slice(steers)
    .map(({ turn, ...delivery }) => ({ ...delivery, turn: (turn ?? 0) - steers }))
  const plans = world.prompts
    .filter(({ parts }) => parts.purpose === 'plan')
    .map(({ parts: { history, ...parts } }) => ({
      ...parts,
      history: history.filter((line) => !line.replace(`${ANSWERED} `, '').startsWith('/')),
      self: null,
    }))
  const approvals = world.disk.store.pendingApprovals(null).map(({ approval }) => approval)
  return JSON.stringify({ tasks, audit, sent, plans, approvals, calls: world.calls }, null, 1)
}

const MANNERS: readonly (readonly [name: string, steer: readonly string[], signal: Partial<Signal>])[] = [
  ...MODES.flatMap((mode) =>
    GENRES.map((genre) => [`${mode} × ${genre}`, [], { mode, genre, weight: 0.1 }] as const),
  ),
  ...MODES.map((mode) => [`/mode ${mode}`, [`/mode ${mode}`], {}] as const),
  ...VERBOSITIES.map((verbosity) => [`/${verbosity}`, [`/${verbosity}`], { weight: 1 }] as const),
]

it('the same day has the same verdicts under every reading of it', async () => {
  const plain = await day([])
  const steeredPlain = await day(['/normal'])
  const [expected, withCommand] = [decided(plain, 0), decided(steeredPlain, 1)]
  expect(plain.audited.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['approval_asked', 'tool_invoked', 'egress', 'denial']),
  )
  const overlays = new Set<string>()
  for (const [name, steer, signal] of MANNERS) {
    forced.signal = signal
    const world = await day(steer)
    expect(decided(world, steer.length), name).toBe(steer.length === 0 ? expected : withCommand)
    for (const { parts } of world.prompts)
      for (const block of parts.blocks) if (block.name === 'signal_overlay') overlays.add(block.text)
  }
  // The reading was heard all the while: it stood in the prompts, and differed.
  expect(overlays.size).toBeGreaterThanOrEqual(MODES.length * GENRES.length)
})
