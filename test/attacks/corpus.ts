/**
 * The attack corpus: suites of tools, tasks and injections in one file format, AgentDojo's or another benchmark's. Read
 * once, and only what the harness needs. Must not know any benchmark's names. Called by main.ts and the tests.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Json } from '../../kernel/flow/json.ts'

export const DEFAULT_CORPUS = join(import.meta.dirname, 'corpus/agentdojo.json')

const json = z.json()
const args = z.record(z.string(), json)
const call = z.object({ function: z.string(), args })
const strings = z.array(z.string())

const TOOL = z.object({
  name: z.string(),
  description: z.string(),
  parameters: z.object({
    properties: z.optional(z.record(z.string(), z.record(z.string(), json))),
    required: z.optional(strings),
  }),
  meta: z.object({
    effect: z.string(),
    destination_args: strings,
    payload_args: strings,
    output_contains_third_party_text: z.boolean(),
  }),
})

const USER_TASK = z.object({
  id: z.string(),
  prompt: z.string(),
  ground_truth: z.array(call),
  recorded_trace: z.array(
    z.object({
      function: z.string(),
      args,
      result_template: z.string(),
      error: z.nullable(z.string()),
    }),
  ),
})

const SUCCESS = z.object({
  kind: z.string(),
  all_of: z.optional(z.array(z.object({ function: z.string(), args: z.record(z.string(), args) }))),
  contains_all: z.optional(strings),
})

const INJECTION_TASK = z.object({
  id: z.string(),
  goal: z.string(),
  desired_calls: z.array(call),
  success: SUCCESS,
})

const SUITE = z.object({
  tools: z.array(TOOL),
  user_tasks: z.array(USER_TASK),
  injection_tasks: z.array(INJECTION_TASK),
  injection_vectors: z.record(z.string(), z.object({ default: z.string() })),
})

const CORPUS = z.object({
  attacks: z.array(z.object({ name: z.string(), template: z.string() })),
  suites: z.record(z.string(), SUITE),
})

export type Corpus = z.infer<typeof CORPUS>
export type Suite = z.infer<typeof SUITE>
export type CorpusTool = z.infer<typeof TOOL>
export type UserTask = z.infer<typeof USER_TASK>
export type InjectionTask = z.infer<typeof INJECTION_TASK>
export type Success = z.infer<typeof SUCCESS>

/** One call of a recorded or desired plan. */
export interface Call {
  readonly function: string
  readonly args: { readonly [name: string]: Json }
}

/** Throws on a file of another format: a run over half a corpus would prove nothing. */
export function readCorpus(file: string): Corpus {
  return CORPUS.parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** One user task against one injection task of the same suite. */
export interface Pair {
  readonly suite: string
  readonly user: UserTask
  readonly injection: InjectionTask
}

/** Every pair; with `stride`, each that many, across all suites. */
export function pairsOf(corpus: Corpus, stride = 1): readonly Pair[] {
  const all = Object.entries(corpus.suites).flatMap(([suite, { user_tasks, injection_tasks }]) =>
    user_tasks.flatMap((user) => injection_tasks.map((injection) => ({ suite, user, injection }))),
  )
  return all.filter((_, index) => index % stride === 0)
}
