/**
 * Compose and classify: tool-less model calls inside a plan (C-20, J-10). Composed text bears the join of all
 * that was read, so that a write of it meets the taint rule; a classification is one of the planner's options or
 * nothing. Called by drive.ts.
 */

import { describeLabel } from '../flow/label.ts'
import { combine, type Labeled, type Provenance } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { type Result, refused } from '../flow/verdict.ts'
import { callModel, type ModelReply } from '../inference/router.ts'
import { audit } from '../powers/audit.ts'
import type { Powers } from '../powers/ports.ts'
import { keepText, RAW_LIFETIME } from '../powers/sealed.ts'
import type { PromptRequest } from '../prompt/parts.ts'
import type { Outcome } from '../task/outcome.ts'
import type { ClassifyStep, ComposeStep } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import { outputFor } from '../wording/output.ts'
import { resolveRef } from './resolve.ts'

const COMPOSE_TIMEOUT = 120_000
/** A classification is one word of a closed list. */
const CLASSIFY_TOKENS = 50

export async function compose(
  powers: Powers,
  task: Task,
  at: { readonly index: number; readonly step: ComposeStep },
): Promise<Outcome> {
  const { index, step } = at
  const inputs = await readAll(powers, task, step.from)
  if (!inputs.ok) return { got: 'failed', step: index, reason: inputs.reason }
  const reply = await ask(powers, task, {
    purpose: 'compose',
    inputs: inputs.value,
    instruction: step.instruction,
    options: [],
  })
  if (!reply.ok) return { got: 'failed', step: index, reason: reply.reason }
  const text = receive(reply.value.text.slice(0, step.maxChars), reply.value.provenance)
  const until = powers.now() + RAW_LIFETIME
  const ref = await keepText(powers, { principal: task.principal, store: 'sessions', until }, text)
  return { got: 'result', step: index, result: { kind: 'sealed', ref }, label: describeLabel(ref.label) }
}

export async function classify(
  powers: Powers,
  task: Task,
  at: { readonly index: number; readonly step: ClassifyStep },
): Promise<Outcome> {
  const { index, step } = at
  const inputs = await readAll(powers, task, [step.of])
  if (!inputs.ok) return { got: 'failed', step: index, reason: inputs.reason }
  const { question, options } = step
  const reply = await ask(powers, task, {
    purpose: 'classify',
    inputs: inputs.value,
    instruction: question,
    options,
  })
  if (!reply.ok) return { got: 'failed', step: index, reason: reply.reason }
  const said = reply.value.text.trim()
  const value = options.includes(said) ? said : null
  const provenance: Provenance = reply.value.provenance
  return {
    got: 'result',
    step: index,
    result: { kind: 'choice', value, provenance },
    label: describeLabel(provenance.label),
  }
}

interface Question {
  readonly purpose: 'compose' | 'classify'
  readonly inputs: readonly { readonly root: string; readonly value: Labeled }[]
  readonly instruction: string
  readonly options: readonly string[]
}

async function ask(powers: Powers, task: Task, question: Question): Promise<Result<ModelReply>> {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template === undefined) return refused('template_none_matches', { template: task.template })
  const { purpose, inputs, instruction, options } = question
  const reply = await callModel({
    models: powers.models,
    request: requestOf(powers, task, { purpose, inputs, instruction, options }),
    texts: powers.texts,
    boundary: powers.newId(),
    redact: powers.redact,
    limits: {
      maxTokens: purpose === 'classify' ? CLASSIFY_TOKENS : template.maxTokensSynthesize,
      timeout: COMPOSE_TIMEOUT,
    },
    ceiling: task.ceiling.level,
    cloudRiskAcknowledged: template.inference.cloudRiskAcknowledged,
  })
  if (reply.ok) audit(powers, 'model_called', task, { model: reply.value.model, purpose })
  return reply
}

/** The planner's instruction bears what the planner had read; the request itself is the kernel's. */
function requestOf(
  powers: Powers,
  task: Task,
  { purpose, inputs, instruction, options }: Question,
): PromptRequest {
  const planned = receive(instruction, task.planned ?? kernelWords())
  return {
    purpose,
    request: combine([planned], ([words]) => String(words)),
    history: null,
    metadata: [],
    contents: inputs.map(({ root, value }) => ({ root, action: purpose, content: value })),
    tools: [],
    troubles: [],
    instruction,
    options,
    output: outputFor(powers, task.sink),
  }
}

async function readAll(
  powers: Powers,
  task: Task,
  refs: readonly string[],
): Promise<Result<Question['inputs']>> {
  const inputs: { readonly root: string; readonly value: Labeled }[] = []
  for (const ref of refs) {
    const value = await resolveRef(powers, task, ref)
    if (!value.ok) return value
    inputs.push({ root: ref, value: value.value })
  }
  return { ok: true, value: inputs }
}
