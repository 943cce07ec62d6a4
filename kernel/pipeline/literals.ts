/**
 * What the planner wrote itself, read back as labelled values: each bears what the planner had read (A-32, B-13).
 * Must not let one out. Called by resolve.ts, select.ts and compose.ts.
 */
import type { Json } from '../flow/json.ts'
import { derive, type Labeled } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import { allowed, type Result, refused } from '../flow/verdict.ts'
import type { Powers } from '../powers/ports.ts'
import { openTextOf } from '../powers/sealed.ts'
import { literalIndex } from '../task/literals.ts'
import { OWN } from '../task/plan.ts'
import type { Task } from '../task/task.ts'

/** A number or text that stands in the task's plan: itself in a template's own plan, sealed in any other. */
export async function writtenValue(powers: Powers, task: Task, written: Json): Promise<Result<Labeled>> {
  if (task.literals === undefined) return allowed(receive(written, task.planned ?? task.words))
  const index = typeof written === 'string' ? literalIndex(written) : null
  return index === null ? refused('reference_unresolved', { root: OWN }) : literalAt(powers, task, index)
}

/** Refusals: reference_unresolved where the plan has no such literal, and those of opening a sealed text. */
export async function literalAt(powers: Powers, task: Task, index: number): Promise<Result<Labeled>> {
  const { literals } = task
  if (literals === undefined || index >= literals.count) return refused('reference_unresolved', { root: OWN })
  const text = await openTextOf(powers, literals.ref)
  return text.ok ? allowed(derive(text.value, (all) => nth(all, index))) : text
}

function nth(all: string, index: number): Json {
  const literals = JSON.parse(all) as readonly Json[]
  return literals[index] ?? null
}
