/**
 * Compose and classify: model calls without tools inside a plan (C-20, J-10). Composed text bears the join of
 * everything read, so a write of it is subject to the taint rule. A classification is one of the planner's
 * options or nothing. Called by drive.ts.
 */

import { rewords } from '#home-effects'
import { operandValue, resolveRef } from '../call/resolve.ts'
import { describeLabel } from '../flow/label.ts'
import { type Provenance, test } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import { ok, type Result } from '../flow/verdict.ts'
import { askStep, type StepInput, type StepQuestion, writtenText } from '../model-call/ask-step.ts'
import type { AskModelPorts } from '../model-call/model-call.ts'
import type { Actions } from '../powers/ports.ts'
import { keepText, RAW_LIFETIME, type SealedReading } from '../powers/sealed.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../powers/stores.ts'
import { isCut } from '../task/cut-text.ts'
import type { Outcome } from '../task/outcome.ts'
import type { ClassifyStep, ComposeStep } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import { endAtWord } from '../wording/note.ts'

export async function compose(
  powers: AskModelPorts,
  task: Task,
  at: { readonly index: number; readonly step: ComposeStep },
): Promise<Outcome> {
  const { index, step } = at
  const inputs = await readAll(powers, task, step.from, step)
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
  // The result is the name of the option in the plan, since the option's own text may be sealed.
  const value = fits.length === 1 ? (fits[0] ?? null) : null
  const provenance: Provenance = reply.value.provenance
  return {
    got: 'result',
    step: index,
    result: { kind: 'choice', value, provenance },
    label: describeLabel(provenance.label),
  }
}

/** Normalises an option or an answer. Models add quotes, capitals and full stops, so options must differ in more than these. */
function bareOption(text: string): string {
  return text
    .trim()
    .replace(/^[\s"'“”‘’`*]+|[\s"'“”‘’`*.!]+$/gu, '')
    .toLowerCase()
}

async function readAll(
  powers: SealedReading & Actions & StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  refs: readonly string[],
  composed: ComposeStep | null = null,
): Promise<Result<StepQuestion['inputs']>> {
  const inputs: StepInput[] = []
  for (const ref of refs) {
    const isOfCard = composed !== null && rewords(powers, task, composed, ref)
    const value = isOfCard
      ? await operandValue(powers, task, { $ref: ref })
      : await resolveRef(powers, task, ref)
    if (!value.ok) return value
    inputs.push({ root: ref, value: value.value })
  }
  return ok(inputs)
}
