/** What the assistant knows of itself, in the prompts of real tasks: by principal, after a restart, in answers (M-02, M-16, M-29). */
import { describe, expect, it } from 'vitest'
import { speak } from '../../integrations/languages/speak-home.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { takeSnapshot } from '../../kernel/self/snapshot.ts'
import { TEST_SOURCES } from '../fakes/self.ts'
import { createDisk, createWorld, message, type World } from './world.ts'

const kindsIn = (world: World): readonly string[] =>
  world.prompts.at(-1)?.parts.self.sections.map(({ kind }) => kind) ?? []

/** Every shipped tool is there. */
const ALL = Object.fromEntries(
  TOOL_MANIFESTS.flatMap(({ actions }) =>
    actions.map(({ id }) => [id, () => ({ ok: true, output: {} }) as const] as const),
  ),
)

describe('every prompt', () => {
  it('says of which picture it was made (M-16)', async () => {
    const world = createWorld()
    await world.say('hi')
    await world.say('please juggle three balls')
    const { version } = takeSnapshot(TEST_SOURCES, null, 0)
    expect(world.prompts.length).toBeGreaterThan(2)
    for (const { parts, now } of world.prompts) {
      expect(parts.self.version).toBe(version)
      expect(now).toContain(`[self ${version}]`)
    }
  })
})

describe('after a restart', () => {
  it('the last words are still there, with when they were said (M-02)', async () => {
    const disk = createDisk()
    const before = createWorld({ disk })
    await before.say('remember that my locker is number 12')
    // How to talk was not talked about.
    await before.say('/mode')
    const after = createWorld({ disk })
    after.clock.now += 2 * 3_600_000
    await after.say('what were we talking about?')
    expect(kindsIn(after)).toContain('recent')
    expect(after.heard()).toBe('You said:\n- today 12:00: "remember that my locker is number 12"')
    expect(after.prompts.at(-1)?.now).toContain('2 h ago: "remember that my locker is number 12"')
  })

  it('nothing was said where nothing was', async () => {
    const world = createWorld()
    await world.say('what were we talking about?')
    expect(world.heard()).toBe('We have not talked before this, as far as I know.')
  })

  it('what is connected is told (M-29)', async () => {
    const world = createWorld()
    await world.say('what can you do?')
    expect(world.heard()).toContain('I am PFAR, your private assistant.')
    expect(world.heard()).toContain('Connected: google.')
  })

  it.each([
    [
      'en',
      'who are you?',
      /^I am PFAR, your private assistant\. I can help with: [^\n]*Mail[^\n]*, and more\. Ask "what can you do\?"/,
    ],
    ['en', 'Hello, who are you?', /^I am PFAR[^\n]*I can help with: /],
    [
      'de',
      'wer bist du?',
      /^Ich bin PFAR, dein privater Assistent\. Ich helfe bei: [^\n]*Mail[^\n]* und mehr\. Frag „was kannst du\?“/,
    ],
    ['de', 'Wer bist du eigentlich?', /^Ich bin PFAR[^\n]*Ich helfe bei: /],
  ] as const)(
    'who it is takes two lines, and the rest is asked for (%s): %s',
    async (language, said, answer) => {
      await speak(language)
      const world = createWorld({ tools: ALL })
      await world.say(said)
      await speak('en')
      expect(world.heard()).toMatch(answer)
      const lines = world.heard().split('\n')
      expect(lines).toHaveLength(2)
      expect(lines[1]).toMatch(/^(?:Connected|Verbunden): google\.$/)
      expect(world.heard().length).toBeLessThan(300)
    },
  )

  it.each(['what can you do?', 'help'])(
    'what it can do still has examples of each kind: %s',
    async (said) => {
      const world = createWorld({ tools: ALL })
      await world.say(said)
      expect(world.heard()).toMatch(/^- Mail: "[^\n]*\n[\s\S]*There is more\. Ask "what can you do with /m)
    },
  )
})

/** A stranger's chat: nothing of the owner's stands in its prompts (M-04, M-11, X-01b). */
const STRANGERS = {
  template_id: 'peers',
  triggers: ['adapter:fake:message:third_party'],
  principal_class: 'third_party',
  description: 'A stranger.',
  planner_task_description: 'Answer a stranger.',
  allowed_tools: [],
  max_tool_calls: 0,
  max_tokens_plan: 500,
  max_tokens_synthesize: 500,
  output_sinks: ['reply_to_sender'],
  data_ceiling: 'internal',
}

it('a stranger’s prompt knows the name, and nothing of its owner', async () => {
  const world = createWorld({ templates: [STRANGERS] })
  await world.say('remember that my locker is number 12')
  const own = world.prompts.length
  const source = { adapter: 'fake', user: 'eve', chat: 'eve', group: false }
  const received = await world.shell.receive({ ...message('what can you do?', { id: 'e1' }), source })
  if (!received.ok) throw new Error(received.reason.code)
  await world.shell.run(received.value.principal)
  const theirs = world.prompts.slice(own)
  expect(theirs.length).toBeGreaterThan(0)
  for (const { parts, system, user } of theirs) {
    expect(parts.self.sections.map(({ kind }) => kind)).toEqual(['persona'])
    expect(system + user).not.toMatch(/google|terminal|locker|Connected|neither a name/)
  }
})
