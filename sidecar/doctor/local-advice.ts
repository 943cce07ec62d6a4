/**
 * Recommends a local model for each purpose on this machine, by size, context window and memory. Must not query anything.
 * Names of models to pull are data in `templates/models.toml`, because they become outdated (S-06). Called by `pfar doctor`.
 */

import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'
import type { LocalModel } from '../../integrations/models/ollama/library.ts'

const FILE = new URL('../../templates/models.toml', import.meta.url)
const GIGABYTE = 1_073_741_824

const schema = z.strictObject({
  pull: z
    .array(
      z.strictObject({
        least_gigabytes: z.number().check(z.nonnegative()),
        // It becomes part of a command that a person copies.
        model: z.string().check(z.regex(/^[\w./:-]{1,200}$/)),
      }),
    )
    .check(z.minLength(1)),
})

interface SuggestedModel {
  /** Bytes of memory. */
  readonly least: number
  readonly model: string
}

/** Largest first. Throws if the file is malformed: it is part of the program. */
function suggestedModels(): readonly SuggestedModel[] {
  const { pull } = z.parse(schema, parse(readFileSync(FILE, 'utf8')))
  return pull
    .map(({ least_gigabytes: least, model }) => ({ least: least * GIGABYTE, model }))
    .toSorted((one, other) => other.least - one.least)
}

/** Tokens: the prompt of a plan with ten tools, plus the plan. */
const PLANNER_WINDOW = 4_096
/** Tokens: a conversation, the content read for it, plus the answer. */
const ANSWER_WINDOW = 8_192
/** Share of the machine's memory that a model may use; other programs need the rest. */
const MEMORY_SHARE = 0.7
/** Milliseconds for a trivial answer. A slower model feels broken to a person. */
const SLOW = 10_000

/** `memory`: bytes. */
export function pullCommand(memory: number): string {
  const suggested = suggestedModels()
  const fitting = suggested.find(({ least }) => memory >= least) ?? suggested.at(-1)
  return `ollama pull ${fitting?.model ?? ''}`
}

interface Chosen {
  /** The largest model that fits; null if none does. */
  readonly planner: LocalModel | null
  readonly answers: LocalModel | null
}

export function chooseModels(models: readonly LocalModel[], memory: number): Chosen {
  const fitting = models
    .filter(({ bytes }) => bytes <= memory * MEMORY_SHARE)
    .toSorted((one, other) => other.bytes - one.bytes)
  const largest = (window: number) => fitting.find((model) => (model.window ?? 0) >= window) ?? null
  return { planner: largest(PLANNER_WINDOW), answers: largest(ANSWER_WINDOW) }
}

interface AdviceInput {
  readonly models: readonly LocalModel[]
  /** Bytes. */
  readonly memory: number
  /** Latency of the model that was tried, milliseconds; null if none was, or it failed. */
  readonly latency: number | null
}

/** One sentence each; never empty. */
export function adviseOn({ models, memory, latency }: AdviceInput): readonly string[] {
  const pull = `\`${pullCommand(memory)}\` gets one that fits this machine.`
  if (models.length === 0) return [`Ollama has no model yet: ${pull}`]
  const { planner, answers } = chooseModels(models, memory)
  if (planner === null) {
    const fits = models.some(({ bytes }) => bytes <= memory * MEMORY_SHARE)
    const why = fits
      ? `no model's window holds a plan, which takes ${PLANNER_WINDOW} tokens`
      : 'every model is too large for the memory of this machine'
    return [`Of what is there ${why}: ${pull}`]
  }
  return [
    answers?.name === planner.name
      ? `For plans and for answers: ${planner.name}.`
      : `For plans: ${planner.name}.`,
    ...(answers === null
      ? [`For answers every window is too small (${ANSWER_WINDOW} tokens are the least): ${pull}`]
      : []),
    ...(answers !== null && answers.name !== planner.name ? [`For answers: ${answers.name}.`] : []),
    ...slowness(models, { planner, latency }),
  ]
}

function slowness(
  models: readonly LocalModel[],
  { planner, latency }: { readonly planner: LocalModel; readonly latency: number | null },
): readonly string[] {
  if (latency === null || latency < SLOW) return []
  const smaller = models
    .filter(({ bytes, window }) => bytes < planner.bytes && (window ?? 0) >= ANSWER_WINDOW)
    .toSorted((one, other) => other.bytes - one.bytes)[0]
  const instead = smaller === undefined ? 'a smaller model' : smaller.name
  return [`It took ${Math.round(latency / 1_000)} s to say its name; ${instead} would be quicker.`]
}
