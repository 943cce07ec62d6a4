/**
 * The owner's files, the system document and small talk, in the very prompts of tasks (O-01, O-02, O-04, O-07, O-13,
 * P-01, P-29, P-31, X-01, X-23).
 */

import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it, test } from 'vitest'
import type { NamedMailbox } from '../../integrations/tools/email/mailbox-port.ts'
import { EMAIL_MANIFEST } from '../../integrations/tools/email/manifest.ts'
import { severalManifest } from '../../integrations/tools/email/several-manifest.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { createRegistry } from '../../kernel/tool/registry.ts'
import { brainWorld } from './brain.ts'
import { calendarTools, mailTools } from './mailbox.ts'
import { createWorld, message, scriptedModel, type World } from './world.ts'

const TOOLS = { ...mailTools(), ...calendarTools() }
const last = (world: World, purpose = 'synthesize'): FinalPrompt => {
  const found = world.prompts.filter(({ parts }) => parts.purpose === purpose).at(-1)
  if (found === undefined) throw new Error(`no prompt to ${purpose}`)
  return found
}

describe('the owner’s files', () => {
  it('stand where they belong: personality in the cached part, rules last, the list of others between', async () => {
    const world = await brainWorld()
    await world.append('USER', '- Likes tea.')
    await world.say('please juggle')
    const { stable, session } = last(world)
    expect(stable.indexOf('## SOUL')).toBeGreaterThan(stable.indexOf('## Security'))
    expect(stable.indexOf('Likes tea')).toBeGreaterThan(stable.indexOf('## SOUL'))
    expect(stable).not.toContain('## AGENTS')
    const order = ['## Files', '## AGENTS', 'Remember: you are PFAR'].map((text) => session.indexOf(text))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
    expect(order).not.toContain(-1)
  })

  it('are another prompt with the next message after an edit (O-07)', async () => {
    const world = await brainWorld()
    await world.say('please juggle')
    const before = last(world).stable
    await world.append('SOUL', '- Says ahoy.')
    await world.say('please juggle again')
    expect(before).not.toContain('ahoy')
    expect(last(world).stable).toContain('Says ahoy')
  })

  it('tell a planner rules and preferences, and no manner', async () => {
    const world = await brainWorld()
    await world.append('USER', '- Likes tea.')
    await world.say('please juggle')
    const { system } = last(world, 'plan')
    for (const told of ['## Files', '## AGENTS', 'Likes tea']) expect(system).toContain(told)
    expect(system).not.toMatch(/## SOUL|neither a name nor a manner|Speak as the assistant/)
  })

  it('are not told to a cloud that the owner has not agreed to (O-13)', async () => {
    const cloud = scriptedModel('cloud', () => 'fine', 'cloud')
    const world = await brainWorld({ models: [cloud] })
    await world.append('USER', '- Likes tea.')
    await world.say('hello')
    for (const { model, system } of world.prompts)
      if (model === 'cloud') expect(system).not.toMatch(/Likes tea|## SOUL|## Files/)
    expect(last(world).model).toBe('rules')
  })
})

describe('the system document', () => {
  it('says of deeds only to who can act, and lists no tools', async () => {
    const world = createWorld({ tools: TOOLS })
    await world.say('hello')
    expect(last(world).stable).not.toContain('## Task management')
    await world.say('please juggle')
    const before = last(world).stable
    expect(before).toContain('## Task management')
    expect(before).not.toContain('email.list')
    // Later a greeting gets what the prompt before had, so that it need not be read anew (P-26).
    await world.say('hello')
    expect(last(world).stable).toBe(before)
  })
})

describe('small talk', () => {
  const chatting = () => {
    const world = createWorld({ tools: TOOLS, models: [scriptedModel('local', () => 'Well met.')] })
    return world
  }

  test.each([
    ['hello', 'local', 0],
    ['what can you do?', 'local', 1],
    ['thanks', 'rules', 0],
    ['ok', 'rules', 0],
  ])('%s goes to %s', async (words, model, tools) => {
    const world = chatting()
    await world.say(words)
    expect(last(world).model).toBe(model)
    expect(Math.min(1, last(world).parts.tools.length)).toBe(tools)
  })

  it('is no noise while a question waits (P-29)', async () => {
    const world = chatting()
    await world.say('book lunch with Sarah on Friday at 13:00')
    expect(world.disk.store.pendingApprovals(null)).toHaveLength(1)
    await world.say('ok')
    expect(last(world).model).toBe('local')
  })

  it('tells no model by a call that a question waits which its chat may not see', async () => {
    const low = {
      ...{ template_id: 'low', triggers: ['adapter:fake:message:owner'], principal_class: 'owner' },
      ...{ description: 'The owner in an open chat.', allowed_tools: [], max_tool_calls: 0 },
      ...{ max_tokens_plan: 500, max_tokens_synthesize: 500, data_ceiling: 'internal' },
      output_sinks: ['reply_to_sender'],
    }
    const models = [scriptedModel('local', () => 'Well met.')]
    const world = createWorld({ tools: TOOLS, models, owner: ['fake:me'], templates: [low] })
    const source = { adapter: 'fake', user: 'me', chat: 'me', group: false }
    const asked = async (id: string): Promise<readonly string[]> => {
      const before = world.prompts.length
      const received = await world.shell.receive({ ...message('ok', { id }), source })
      if (!received.ok) throw new Error(received.reason.code)
      await world.shell.run(received.value.principal)
      return world.prompts.slice(before).map(({ model }) => model)
    }
    const without = await asked('e1')
    await world.say('book lunch with Sarah on Friday at 13:00')
    expect(world.disk.store.pendingApprovals(null)).toHaveLength(1)
    expect(await asked('e2')).toEqual(without)
    expect(without).toEqual(['rules'])
  })

  it('“hello” on a fresh install is one call of at most 1,000 tokens, by a real tokenizer', async () => {
    const world = await brainWorld({ models: [scriptedModel('local', () => 'Well met.')] })
    await world.say('hello')
    const calls = world.prompts.filter(({ model }) => model === 'local')
    expect(calls).toHaveLength(1)
    const [{ system, user } = { system: '', user: '' }] = calls
    expect(encode(system).length + encode(user).length).toBeLessThanOrEqual(1_000)
  })
})

/** Ten tools of every day, and no eleventh of the mailbox that was read. */
const withoutDigest = (manifest: typeof EMAIL_MANIFEST): typeof EMAIL_MANIFEST => ({
  ...manifest,
  actions: manifest.actions.filter(({ id }) => id !== 'email.digest'),
})
const TEN = TOOL_MANIFESTS.map((one) => (one.name === 'email' ? withoutDigest(one) : one))

describe('a planner', () => {
  it('gets ten tools and a conversation in at most 2,000 tokens', async () => {
    const world = await brainWorld({ tools: TOOLS, models: [scriptedModel('local', () => '{"steps":[]}')] })
    Object.assign(world.powers, { registry: createRegistry(TEN) })
    for (const words of ['hello', 'check my email', 'please juggle three balls']) await world.say(words)
    const { system, user, parts } = last(world, 'plan')
    expect(parts.tools.length).toBeGreaterThanOrEqual(9)
    expect(encode(system).length + encode(user).length).toBeLessThanOrEqual(2_000)
  })

  it('gets the names of several mailboxes, and no address of one, in as much', async () => {
    const own = (name: string, address: string): NamedMailbox => ({
      ...{
        name,
        called: [address],
        credential: 'mail',
        account: name,
        secret: name,
        own: null,
        sender: null,
      },
    })
    const all = [own('private', 'ada@gmx.example'), own('work', 'ada@acme.example')]
    const world = await brainWorld({ tools: TOOLS, models: [scriptedModel('local', () => '{"steps":[]}')] })
    const others = TEN.filter(({ name }) => name !== 'email')
    const mail = severalManifest(withoutDigest(EMAIL_MANIFEST), { all }, 'mail.example')
    Object.assign(world.powers, { registry: createRegistry([...others, mail]) })
    for (const words of ['hello', 'check my email', 'please juggle three balls']) await world.say(words)
    const { system, user, parts } = last(world, 'plan')
    expect(parts.tools.length).toBeGreaterThanOrEqual(9)
    expect(system + user).toContain('account?: private|work')
    expect(system + user).not.toMatch(/@(?:gmx|acme)\.example/)
    expect(encode(system).length + encode(user).length).toBeLessThanOrEqual(2_000)
  })
})
