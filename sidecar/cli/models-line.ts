/** What a terminal may ask of a line about models, and how its answers are read. Must not decide. Called by the links. */
import * as z from 'zod/mini'
import { LEVELS } from '../../kernel/flow/level.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { ModelsView } from '../model-methods.ts'

/** Home's alone: the open line refuses each with approval_place_too_low. */
export interface ModelsLine {
  list(): Promise<Result<ModelsView>>
  /** `message` names this very line: the yes to its card is said in another. */
  acknowledge(asked: {
    readonly template: string
    readonly message: string
  }): Promise<Result<{ readonly approval: string }>>
  revoke(template: string): Promise<Result<{ readonly grant: string }>>
}

const text = z.string()
const model = z.object({
  ...{ name: text, kind: text, model: text, clearance: text, host: text },
  locality: z.enum(['home', 'cloud']),
  place: z.nullable(z.int()),
  state: z.enum(['works', 'resting', 'trying', 'misconfigured']),
})
const template = z.object({
  ...{ id: text, description: text, provider: text, asks: z.boolean() },
  ceiling: z.enum(LEVELS),
  acknowledgedUntil: z.nullable(z.number()),
})

export const modelsAnswer = z.object({
  models: z.array(model),
  templates: z.array(template),
  trouble: z.nullable(z.object({ key: text, problem: text })),
})
