/**
 * Commands by which the owner sets the manner of answers (P-30), that the setting is known only where it may be, and
 * where a prompt's tokens go (P-18).
 */
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { nextPrompt } from '../../kernel/model-call/synthesis-question.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { brainWorld } from './brain.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createDisk, createWorld, message, scriptedModel, type World } from './world.ts'

const local = () => scriptedModel('local', () => 'As you wish.')
const world = (more: Parameters<typeof createWorld>[0] = {}): World =>
  createWorld({ models: [local()], tools: { ...mailTools(), ...calendarTools() }, ...more })
/** The overlay of the last answer that a model wrote. */
const overlay = ({ prompts }: World): string => {
  const written = prompts.filter(({ parts }) => parts.purpose === 'synthesize').at(-1)
  return written?.parts.blocks.find(({ name }) => name === 'signal_overlay')?.text ?? '(none)'
}

describe('/mode', () => {
  it.each([
    ['/mode', 'Mode: each message is read for itself (auto). Length: as long as needed.'],
    ['/mode analyze', 'Mode: analyze. Length: as long as needed.'],
    ['/brief', 'Mode: each message is read for itself (auto). Length: brief.'],
    ['From now on, be brief.', 'Mode: each message is read for itself (auto). Length: brief.'],
    ['/mode loud', 'Say /mode execute, build, analyze'],
  ])('%s is answered by the kernel, without a model', async (words, answer) => {
    const it = world()
    await it.say(words)
    expect(it.heard()).toContain(answer)
    expect(it.prompts).toEqual([])
  })

  it('holds for every later message, over a restart, until it is taken back', async () => {
    const disk = createDisk()
    const before = world({ disk })
    await before.say('/mode build')
    await before.say('from now on be thorough')
    const after = world({ disk })
    await after.say('thanks for the lanterns in the harbour')
    expect(overlay(after)).toMatch(/^build × .*full answer needs/)
    await after.say('/mode')
    expect(after.heard()).toBe('Mode: build. Length: thorough.')
    await after.say('/mode auto')
    await after.say('/normal')
    await after.say('thanks for the lanterns in the harbour')
    expect(overlay(after)).not.toMatch(/^build|full answer needs/)
  })

  it('in a sentence with a request holds from that request on, which is answered', async () => {
    const it = world()
    await it.say('From now on be brief and tell me about the harbour lanterns.')
    expect(it.heard()).toBe('As you wish.')
    expect(overlay(it)).toContain('in a sentence or two')
  })

  it('is the owner’s alone: a stranger’s and a quoted one change nothing', async () => {
    const friend = world({ paired: ['whatsapp:kim'] })
    await friend.say('hello', 'q1', ['/mode build'])
    const source = { adapter: 'whatsapp', user: 'kim', chat: 'kim', group: false }
    const received = await friend.shell.receive({ ...message('/mode build', { id: 'k1' }), source })
    if (received.ok) await friend.shell.run(received.value.principal)
    await friend.say('/mode')
    expect(friend.heard()).toContain('(auto)')
    for (const task of friend.disk.store.recentTasks(OWNER_PRINCIPAL, 9)) expect(task.manner).toBeUndefined()
  })

  it('that was said on a private line is not known in a chat that may not see it', async () => {
    const low = {
      ...{ template_id: 'low', triggers: ['adapter:fake:message:owner'], principal_class: 'owner' },
      ...{ description: 'The owner in an open chat.', allowed_tools: [], max_tool_calls: 0 },
      ...{ max_tokens_plan: 500, max_tokens_synthesize: 500, data_ceiling: 'internal' },
      output_sinks: ['reply_to_sender'],
    }
    const it = world({ owner: ['fake:me'], templates: [low] })
    const source = { adapter: 'fake', user: 'me', chat: 'me', group: false }
    const inOpen = async (words: string, id: string): Promise<void> => {
      const received = await it.shell.receive({ ...message(words, { id }), source })
      if (!received.ok) throw new Error(received.reason.code)
      await it.shell.run(received.value.principal)
    }
    await it.say('/mode build')
    await inOpen('/mode', 'o1')
    expect(it.heard()).toContain('(auto)')
    await inOpen('what about the lanterns in the harbour?', 'o2')
    expect(overlay(it)).not.toMatch(/^build/)
    await it.say('what about the lanterns in the harbour?')
    expect(overlay(it)).toMatch(/^build/)
  })
})

describe('/context', () => {
  const numbers = (text: string): ReadonlyMap<string, number> =>
    new Map(
      text
        .split('\n')
        .map((line) => /^(?<name>\S.*?) {2,}(?<count>-?\d+)/.exec(line)?.groups)
        .flatMap((row) => (row === undefined ? [] : [[row['name'] ?? '', Number(row['count'])] as const])),
    )

  it('adds up to the prompt that follows, within a tenth, by a real tokenizer', async () => {
    const brain = await brainWorld({ models: [local()], tools: { ...mailTools(), ...calendarTools() } })
    await brain.append('USER', '- Likes tea, and answers that come to the point.')
    for (const words of ['hello', 'please juggle three lanterns in the harbour']) await brain.say(words)
    await brain.say('/context')
    const told = numbers(brain.heard())
    const { together = 0, ...rest } = Object.fromEntries(told) as Record<string, number>
    const parts = Object.entries(rest).filter(([name]) => !/^(?:kept|free|window)/.test(name))
    expect(parts.reduce((sum, [, count]) => sum + count, 0)).toBe(together)
    expect(parts.map(([name]) => name)).toEqual(
      expect.arrayContaining(['identity and rules', 'document', 'directives', 'tools', 'history', 'self']),
    )
    const [task] = brain.disk.store.recentTasks(OWNER_PRINCIPAL, 1)
    const next = task === undefined ? never() : await nextPrompt(brain.powers, task)
    if (!next.ok) throw new Error(next.reason.code)
    const measured = encode(`${next.value.system}\n\n${next.value.user}`).length
    expect(Math.abs(together - measured) / measured).toBeLessThan(0.1)
  })

  it('has names and numbers, and no word of anybody', async () => {
    const it = world()
    await it.say('please juggle the secret lanterns')
    await it.say('/context')
    expect(it.heard()).toContain('for local')
    expect(it.heard()).not.toMatch(/lantern|juggle|wish/)
  })

  it('says what the model counted, where it counts', async () => {
    const counting = {
      ...local(),
      complete: async () =>
        ({ ok: true, value: { text: 'Well.', cut: false, tokens: { input: 1_234, output: 1 } } }) as const,
    }
    const it = world({ models: [counting] })
    await it.say('please juggle the lanterns')
    await it.say('/context')
    expect(it.heard()).toContain('The last prompt here was 1234 tokens')
  })
})

function never(): never {
  throw new Error('no prompt')
}
