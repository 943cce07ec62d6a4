/** `message.reply`: what is shown, signed for and sent are the same guarded bytes, and nobody is answered twice (invariant 6). */
import { describe, expect, it } from 'vitest'
import { insideOf } from '../../kernel/flow/labeled.ts'
import { openTextOf } from '../../kernel/powers/sealed.ts'
import { mailTools } from './mailbox.ts'
import { createDisk, createWorld, scriptedModel, type World, type WorldOptions } from './world.ts'

const BAIT = 'Sign in at https://evil.example/?d=1 today'
const LIST = { id: 's1', do: 'tool', tool: 'email.list', args: {} }
const reply = (n: number, text: unknown) => ({
  ...{ id: `s${n}`, do: 'tool', tool: 'message.reply', args: { text } },
})

function baited(): WorldOptions['tools'] {
  const tools = mailTools()
  return {
    ...tools,
    'email.list': (args) => {
      const listed = tools['email.list']?.(args)
      return JSON.parse(JSON.stringify(listed).replace('Could you look at the numbers?', BAIT))
    },
  }
}

async function run(
  steps: readonly unknown[],
  { words = 'please do the unusual thing', ...options }: WorldOptions & { words?: string } = {},
): Promise<{ world: World; task: string }> {
  const planner = scriptedModel('rules', ({ parts }) =>
    parts.purpose === 'plan' ? JSON.stringify({ steps, explanation: '' }) : 'the synthesised answer',
  )
  const world = createWorld({ tools: baited() ?? {}, models: [planner], ...options })
  return { world, task: await world.say(words) }
}

async function approve(world: World): Promise<void> {
  const approval = (await world.ports.approvals.list('principal:owner'))[0]?.id ?? ''
  await world.shell.decide({ approval, decision: 'approve', principal: 'principal:owner', place: 'home' })
  await world.shell.run('principal:owner')
}

const told = (world: World) => world.sent.map(({ kind, text }) => [kind, text])

describe('the bytes of a reply', () => {
  it('are guarded before they are shown, and go out as they were shown', async () => {
    const { world } = await run([LIST, reply(2, { $ref: 's1.emails[0].snippet' })])
    expect(world.heard()).toContain('text: Sign in at [link removed] today')
    expect(world.heard()).not.toContain('evil.example')
    await approve(world)
    expect(told(world).slice(1)).toEqual([['answer', 'Sign in at [link removed] today']])
  })

  it.each([
    ['a link that the owner typed', 'please do it with https://a.example/ now', 'see https://a.example/'],
    ['any other', 'please do the unusual thing', 'see [link removed]'],
  ])('%s: stands or falls', async (_name, words, text) => {
    const { world } = await run([reply(1, 'see https://a.example/')], { words })
    expect(told(world)).toEqual([['answer', text]])
  })

  it('are refused when nothing of them may stay', async () => {
    const { world, task } = await run([reply(1, '[pfar:x]')])
    expect((await world.shell.report(task))?.task.trouble).toBe('answer_empty')
    expect(told(world)).toEqual([['answer', 'the synthesised answer']])
  })
})

describe('a reply and the answer', () => {
  it.each<[string, readonly unknown[], readonly string[]]>([
    ['a plan whose last word it is answers with it alone', [LIST, reply(2, 'done so')], ['done so']],
    [
      'what was ruled out after it changes nothing',
      [reply(1, 'done so'), { ...LIST, id: 's2', when: { ref: 'said.url', is: 'not_empty' } }],
      ['done so'],
    ],
    [
      'what ran after it is told too',
      [reply(1, 'one moment'), { ...LIST, id: 's2' }],
      ['one moment', 'the synthesised answer'],
    ],
    [
      'what went wrong before it is told too',
      [
        { id: 's1', do: 'tool', tool: 'email.read', args: { id: 'none' }, independent: true },
        reply(2, 'done so'),
      ],
      ['done so', 'the synthesised answer'],
    ],
  ])('%s', async (_name, steps, texts) => {
    const { world, task } = await run(steps)
    expect(world.sent.map(({ text }) => text)).toEqual(texts)
    const report = await world.shell.report(task)
    expect(report).toMatchObject({ reply: texts.at(-1), task: { state: 'completed' } })
  })

  it('is what the next turn knows of this one (B-12)', async () => {
    const { world } = await run([reply(1, 'done so')])
    const [turn] = world.disk.store.recentTurns('principal:owner', 1)
    const answer = turn?.answer ? await openTextOf(world.powers, turn.answer) : null
    expect(answer?.ok ? insideOf(answer.value) : null).toBe('done so')
  })

  it('is known to have been sent after a crash that came next', async () => {
    const disk = createDisk()
    const plan = JSON.stringify({ steps: [reply(1, 'done so')], explanation: '' })
    const dying = createWorld({ disk, models: [scriptedModel('rules', () => plan)] })
    const { sealer } = dying.powers
    const { seal } = sealer
    let afterwards = 0
    sealer.seal = (address, bytes) => {
      if (dying.sent.length > 0) afterwards += 1
      // The step's own result is sealed first; what is remembered of the task never comes to be.
      return afterwards > 1 ? new Promise(() => {}) : seal(address, bytes)
    }
    void dying.say('please do the unusual thing')
    await expect.poll(() => afterwards).toBe(2)
    const after = createWorld({ disk })
    await after.shell.recover()
    expect([dying.sent.length, after.sent]).toEqual([1, []])
    expect(disk.store.recentTasks('principal:owner', 1)[0]?.state.at).toBe('completed')
  })

  it('are deliveries of their own, each under its own id', async () => {
    const { world } = await run([reply(1, 'first'), reply(2, 'second')])
    expect(world.sent.map(({ text }) => text)).toEqual(['first', 'second'])
    expect(new Set(world.sent.map(({ id }) => id)).size).toBe(2)
  })

  it('of the same words are sent once (C-13)', async () => {
    const first = reply(1, { $ref: 'said.url' })
    const { world, task } = await run([first, reply(2, 'https://a.example/')], {
      words: 'please do it with https://a.example/ now',
    })
    expect(world.sent.filter(({ text }) => text === 'https://a.example/')).toHaveLength(1)
    expect((await world.shell.report(task))?.task.trouble).toBe('write_repeated')
  })
})
