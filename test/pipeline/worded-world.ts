/** A world with a model that plans a job and words it: its calls by purpose, and a mailbox. For the tests of jobs that a model words. */
import type { ModelProvider } from '../../kernel/inference/provider.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import { type Mail, mail, world } from './job-world.ts'
import { scriptedModel, type World, type WorldOptions } from './world.ts'

export const ASKED = 'every friday at 5pm summarise the newsletters of the week'
export const WORDED = 'Two newsletters: otters are back, and the bakery closes early.'
export const BODY = 'The bakery closes at noon'

/** Mail of these words, each read whole. */
export const READS = Object.freeze([
  { id: 's1', do: 'tool', tool: 'email.search', args: { words: 'newsletter' } },
  { id: 's2', do: 'forEach', in: 's1.emails', max: 5, tool: 'email.read', args: { id: { $ref: 'item.id' } } },
])

export interface Scripted {
  readonly id?: string
  readonly locality?: 'home' | 'cloud'
  /** What it plans, one after the other; the last again and again. */
  readonly plans?: readonly (readonly object[])[]
  readonly words?: () => string
  /** As the provider counts each answer. */
  readonly tokens?: number
  readonly version?: string
}

/** A model that plans and words; `prompts`: what it was sent. */
export function writer({
  id = 'own',
  locality = 'home',
  plans = [READS],
  words = () => WORDED,
  tokens = 100,
  version,
}: Scripted = {}): { readonly model: ModelProvider; readonly prompts: FinalPrompt[] } {
  const prompts: FinalPrompt[] = []
  let asked = 0
  const model = scriptedModel(
    id,
    (prompt) => {
      prompts.push(prompt)
      if (prompt.parts.purpose !== 'plan') return words()
      const steps = plans[Math.min(asked, plans.length - 1)]
      asked += 1
      return JSON.stringify({ steps })
    },
    locality,
  )
  const counted: ModelProvider = {
    ...model,
    ...(version !== undefined && { version }),
    complete: async (prompt, limits) => {
      const answer = await model.complete(prompt, limits)
      return answer.ok
        ? { ok: true, value: { ...answer.value, tokens: { input: tokens - 1, output: 1 } } }
        : answer
    },
  }
  return { model: counted, prompts }
}

export function mailWorld(
  models: readonly ModelProvider[],
  {
    mails = [mail('m1')],
    body = BODY,
    ...options
  }: WorldOptions & { readonly mails?: readonly Mail[]; readonly body?: string } = {},
): World {
  const list = () => ({ ok: true, output: { emails: mails, more: false } }) as const
  return world({
    ...options,
    models,
    tools: {
      'email.search': list,
      'email.list': list,
      'email.read': ({ id }: { readonly id?: string }) => ({
        ok: true,
        output: {
          ...mails.find((one) => one['id'] === id),
          to: [],
          body,
          truncated: false,
          links: [],
          dates: [],
          requests: [],
        },
      }),
      'task.list': () => ({ ok: true, output: { tasks: [] } }),
      ...options.tools,
    } as never,
  })
}

export const purposes = (prompts: readonly FinalPrompt[]): readonly string[] =>
  prompts.map(({ parts }) => parts.purpose)
