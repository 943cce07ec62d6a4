/**
 * One call of a model without tools about named inputs, for a step of a plan: compose, classify, extract or choose (C-20,
 * J-10). Must not decide what the answer means. Called by compose.ts and point.ts.
 */
import { writtenValue } from '../call/values/literals.ts'
import { combine, derive, type Labeled } from '../flow/labeled.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { ModelReply } from '../inference/router.ts'
import { answerIn } from '../inference/short-answer.ts'
import type { SealedReading } from '../powers/sealed.ts'
import type { ModelVerb, ReadOut } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import { type Asked, type AskModelPorts, askModel } from './model-call.ts'

/** Time limit of such a call, milliseconds. */
const COMPOSE_TIMEOUT = 120_000
/** Maximum tokens of the answer: a word of a closed list, words copied from a text, or numbers of items. */
const SHORT_ANSWERS: Partial<Readonly<Record<ModelVerb, number>>> = Object.freeze({
  classify: 50,
  extract: 200,
  choose: 200,
})

/** A named input of a step. */
export interface StepInput {
  readonly root: string
  readonly value: Labeled
}

export interface StepQuestion {
  readonly purpose: ModelVerb
  readonly inputs: readonly StepInput[]
  /** Text that the planner wrote for this call: the instruction, then the options. */
  readonly texts: readonly string[]
  /** For `extract`: the kind of value requested, shown as the only option. */
  readonly kind?: ReadOut
  /** For `compose`: maximum UTF-16 units. */
  readonly maxChars?: number
}

interface Question extends Omit<StepQuestion, 'texts' | 'maxChars'> {
  readonly written: Labeled<readonly string[]>
}

/** Asks a model without tools about named inputs, for a step of a plan. */
export async function askStep(
  powers: AskModelPorts,
  task: Task,
  { purpose, inputs, texts, kind, maxChars }: StepQuestion,
): Promise<Result<ModelReply>> {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template === undefined) return err('template_none_matches', { template: task.template })
  const written = await writtenText(powers, task, texts)
  if (!written.ok) return written
  const maxTokens = SHORT_ANSWERS[purpose] ?? template.maxTokensSynthesize
  const reply = await askModel(powers, task, {
    request: requestOf({ purpose, inputs, written: written.value, ...(kind !== undefined && { kind }) }),
    limits: { maxTokens, timeout: COMPOSE_TIMEOUT },
    ...(maxChars !== undefined && { maxChars }),
  })
  if (!reply.ok || purpose === 'compose') return reply
  return ok({ ...reply.value, text: answerIn(reply.value.text) })
}

/**
 * The planner's instruction bears the provenance of what the planner read; the rest of the request is kernel
 * text.
 */
function requestOf({ purpose, inputs, written, kind }: Question): Asked['request'] {
  return {
    purpose,
    request: derive(written, ([instruction]) => instruction ?? ''),
    history: null,
    metadata: [],
    contents: inputs.map(({ root, value }) => ({ root, action: purpose, content: value })),
    tools: [],
    troubles: [],
    question: derive(written, ([instruction = '', ...options]) => ({
      instruction,
      options: kind === undefined ? options : [kind],
    })),
  }
}

/** Texts of a plan, unsealed where they are sealed. */
export async function writtenText(
  powers: SealedReading,
  task: Task,
  texts: readonly string[],
): Promise<Result<Labeled<readonly string[]>>> {
  const values: Labeled[] = []
  for (const text of texts) {
    const value = await writtenValue(powers, task, text)
    if (!value.ok) return value
    values.push(value.value)
  }
  return ok(combine(values, (all) => all.map(String)))
}
