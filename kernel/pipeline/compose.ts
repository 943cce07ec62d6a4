/**
 * Compose and classify: model calls without tools inside a plan (C-20, J-10). Composed text bears the join of
 * everything read, so a write of it is subject to the taint rule. A classification is one of the planner's
 * options or nothing. Called by drive.ts.
 */

import { writtenValue } from '../call/literals.ts'
import { resolveRef } from '../call/resolve.ts'
import { describeLabel } from '../flow/label.ts'
import { combine, derive, type Labeled, type Provenance, test } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { ModelReply } from '../inference/router.ts'
import { answerIn } from '../inference/short-answer.ts'
import { type Asked, type AskModelPorts, askModel } from '../model-call/model-call.ts'
import type { Actions } from '../powers/ports.ts'
import { keepText, RAW_LIFETIME, type SealedReading } from '../powers/sealed.ts'
import { isCut } from '../task/cut-text.ts'
import type { Outcome } from '../task/outcome.ts'
import type { ClassifyStep, ComposeStep, ModelVerb, ReadOut } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import { endAtWord } from '../wording/note.ts'

const COMPOSE_TIMEOUT = 120_000
/** Tokens for a word of a closed list, for words copied from a text, and for numbers of items. */
const SHORT_ANSWERS: Partial<Readonly<Record<ModelVerb, number>>> = Object.freeze({
  classify: 50,
  extract: 200,
  choose: 200,
})

export async function compose(
  powers: AskModelPorts,
  task: Task,
  at: { readonly index: number; readonly step: ComposeStep },
): Promise<Outcome> {
  const { index, step } = at
  const inputs = await readAll(powers, task, step.from)
  if (!inputs.ok) return { got: 'failed', step: index, reason: inputs.reason }
  const reply = await askStep(powers, task, {
    ...{ purpose: 'compose', inputs: inputs.value, maxChars: step.maxChars },
    texts: [step.instruction],
  })
  if (!reply.ok) return { got: 'failed', step: index, reason: reply.reason }
  const { text: whole, provenance } = reply.value
  const text = receive(endAtWord(whole, step.maxChars, true), provenance)
  // Text made from truncated text counts as truncated.
  const cut = reply.value.cut || whole.length > step.maxChars || step.from.some((ref) => isCut(task, ref))
  const until = powers.now() + RAW_LIFETIME
  const ref = await keepText(powers, { principal: task.principal, store: 'sessions', until }, text)
  const result = { kind: 'sealed', ref, ...(cut && { cut }) } as const
  return { got: 'result', step: index, result, label: describeLabel(ref.label) }
}

export async function classify(
  powers: AskModelPorts,
  task: Task,
  at: { readonly index: number; readonly step: ClassifyStep },
): Promise<Outcome> {
  const { index, step } = at
  const inputs = await readAll(powers, task, [step.of])
  if (!inputs.ok) return { got: 'failed', step: index, reason: inputs.reason }
  const written = await writtenText(powers, task, [step.question, ...step.options])
  if (!written.ok) return { got: 'failed', step: index, reason: written.reason }
  const asked = {
    purpose: 'classify',
    inputs: inputs.value,
    texts: [step.question, ...step.options],
  } as const
  const reply = await askStep(powers, task, asked)
  if (!reply.ok) return { got: 'failed', step: index, reason: reply.reason }
  const said = bareOption(reply.value.text)
  const fits = step.options.filter((_, at) =>
    test(written.value, ([, ...options]) => bareOption(options[at] ?? '') === said),
  )
  // Uses the plan's name of the option, since the option's own text may be sealed.
  const value = fits.length === 1 ? (fits[0] ?? null) : null
  const provenance: Provenance = reply.value.provenance
  return {
    got: 'result',
    step: index,
    result: { kind: 'choice', value, provenance },
    label: describeLabel(provenance.label),
  }
}

/** Models add quotes, capitals and full stops, so options must differ in more than that. */
function bareOption(text: string): string {
  return text
    .trim()
    .replace(/^[\s"'“”‘’`*]+|[\s"'“”‘’`*.!]+$/gu, '')
    .toLowerCase()
}

interface Input {
  readonly root: string
  readonly value: Labeled
}

export interface StepQuestion {
  readonly purpose: ModelVerb
  readonly inputs: readonly Input[]
  /** Text that the planner wrote for this call: the instruction, then the options. */
  readonly texts: readonly string[]
  /** For `extract`: what kind of value is wanted, shown as the only option. */
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

async function writtenText(
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

async function readAll(
  powers: SealedReading & Actions,
  task: Task,
  refs: readonly string[],
): Promise<Result<Question['inputs']>> {
  const inputs: Input[] = []
  for (const ref of refs) {
    const value = await resolveRef(powers, task, ref)
    if (!value.ok) return value
    inputs.push({ root: ref, value: value.value })
  }
  return ok(inputs)
}
