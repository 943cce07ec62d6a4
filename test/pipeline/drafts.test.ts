/** An answer while it is written (D-10): shown in whole paragraphs, guarded and released like the answer, to who looks. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Draft } from '../../kernel/features/deliveries/work-port.ts'
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import { mailTools } from './mailbox.ts'
import { createWorld, scriptedModel, type World, type WorldOptions } from './world.ts'

const KEY = `sk-ant-api03-${randomBytes(36).toString('base64url')}`
/** Milliseconds between two pieces: longer than drafts are apart. */
const STEP = 1_000

interface Watching {
  readonly drafts: Draft[]
  readonly world: World
}

/** A home model that writes answers piece by piece, and plans nothing. */
function writing(clock: () => World['clock'], pieces: readonly string[], step = STEP): ModelProvider {
  const plain = scriptedModel('slow', () => pieces.join(''))
  return {
    ...plain,
    complete: async (prompt, limits, live) => {
      if (prompt.parts.purpose !== 'synthesize')
        return { ok: false, reason: { code: 'model_failed', facts: {} } }
      for (const piece of pieces) {
        live?.onText?.(piece)
        clock().now += step
      }
      return plain.complete(prompt, limits)
    },
  }
}

function watching(
  pieces: readonly string[],
  options: WorldOptions & { readonly step?: number } = {},
): Watching {
  const drafts: Draft[] = []
  const model = writing(() => world.clock, pieces, options.step)
  const world: World = createWorld({
    tools: mailTools(),
    drafts: { watched: () => true, show: (draft) => void drafts.push(draft) },
    models: [model],
    ...options,
  })
  return { drafts, world }
}

const texts = (drafts: readonly Draft[]): readonly string[] => drafts.map(({ text }) => text)

describe('a draft', () => {
  it('grows by whole paragraphs, in the chat that asked, and ends in the answer', async () => {
    const { drafts, world } = watching(['One. ', 'Still one.\n\nTwo', ' goes on.\n', '\nThree.'])
    const task = await world.say('tell me something long')
    expect(texts(drafts)).toEqual(['One. Still one.', 'One. Still one.\n\nTwo goes on.'])
    expect(drafts.every((draft) => draft.task === task && draft.sink === 'sink:terminal:owner')).toBe(true)
    expect(world.heard()).toBe('One. Still one.\n\nTwo goes on.\n\nThree.')
  })

  it.each([
    ['a link that was not read', 'See https://evil.example/?d=1 for it.', 'https://evil.example'],
    ['a key', `It is ${KEY}.`, 'sk-ant-api03'],
    ['first line of its prompt', 'It begins with [pfar:identity-v1] as all do.', '[pfar:identity-v1]'],
  ])('passes no %s', async (_, said, forbidden) => {
    const { drafts, world } = watching([`${said}\n\nAnd more.`, '\n\nEnd.'])
    await world.say('tell me something long')
    expect(drafts.length).toBeGreaterThan(0)
    expect(texts(drafts).join('\n')).not.toContain(forbidden)
    expect(world.heard()).not.toContain(forbidden)
  })

  it('shows nothing of a secret that comes in two pieces', async () => {
    const { drafts, world } = watching([`Here: ${KEY.slice(0, 20)}`, `${KEY.slice(20)}\n\nDone.\n\n`, 'End.'])
    await world.say('tell me something long')
    expect(drafts.length).toBeGreaterThan(0)
    expect(texts(drafts).join()).not.toContain(KEY.slice(0, 20))
  })

  it('goes nowhere where the answer may not go', async () => {
    const lower = (policy: Parameters<NonNullable<WorldOptions['policy']>>[0]) => ({
      ...policy,
      sinks: policy.sinks.map((sink) => ({ ...sink, level: 'public' as const })),
    })
    const { drafts, world } = watching(['From your mail: One.\n\nTwo.\n\n', 'Three.'], { policy: lower })
    await world.say('check my email')
    expect(drafts).toEqual([])
    expect(world.sent.map(({ kind }) => kind)).not.toContain('answer')
  })

  it('is made for nobody where nobody looks', async () => {
    let heard: unknown
    const plain = scriptedModel('slow', () => 'One.\n\nTwo.')
    const world = createWorld({
      drafts: { watched: () => false, show: () => expect.unreachable() },
      models: [
        {
          ...plain,
          complete: (prompt, limits, live) => {
            heard = live?.onText
            return plain.complete(prompt, limits)
          },
        },
      ],
    })
    await world.say('tell me something long')
    expect(heard).toBeUndefined()
    expect(world.heard()).toContain('Two.')
  })

  it('comes no faster than its pace, however many paragraphs there are', async () => {
    const pieces = Array.from({ length: 50 }, (_, at) => `Paragraph ${at}.\n\n`)
    const { drafts, world } = watching(pieces, { step: 20 })
    await world.say('tell me something long')
    expect(drafts.length).toBeGreaterThan(1)
    expect(drafts.length).toBeLessThanOrEqual(3)
    expect(world.heard()).toContain('Paragraph 49.')
  })

  it('is no longer than an answer may be', async () => {
    const { drafts, world } = watching(
      Array.from({ length: 12 }, (_, at) => `${at} ${'word '.repeat(100)}\n\n`),
    )
    await world.say('tell me something long')
    expect(Math.max(...texts(drafts).map((text) => text.length))).toBeLessThanOrEqual(3_500)
  })

  it('begins anew with the model that is asked next', async () => {
    const drafts: Draft[] = []
    const first = writing(() => world.clock, ['First.\n\nHalf'])
    const failing: ModelProvider = {
      ...first,
      complete: async (...call) => {
        await first.complete(...call)
        return { ok: false, reason: { code: 'model_failed', facts: {} } }
      },
    }
    const world: World = createWorld({
      drafts: { watched: () => true, show: (draft) => void drafts.push(draft) },
      models: [failing, writing(() => world.clock, ['Second.\n\nMore.'])],
    })
    await world.say('tell me something long')
    expect(texts(drafts)).toEqual(['First.', 'Second.'])
    expect(world.heard()).toContain('Second.\n\nMore.')
  })
})
