/**
 * Decides whether a plan may read a text of a waiting card in order to rewrite it. Home
 * only, whose models read such texts. Called by compose.ts, through home-effects.ts.
 */
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions } from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { type ComposeStep, parseReference } from '../../task/plan.ts'
import type { Task } from '../../task/task.ts'
import { askedCall, askedIn } from './asked.ts'

/**
 * Whether a reference names a text of a waiting call, and the rewritten text goes back to the
 * same argument of the same tool only, as for "make it more polite". The new card shows it.
 */
export function rewords(
  powers: Actions & StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  { id }: ComposeStep,
  ref: string,
): boolean {
  const asked = askedIn(ref)
  const call = asked === null ? null : askedCall(powers, task, asked.root)
  if (asked === null || call === null) return false
  // Only a free text, such as a mail's, can be rewritten; a title or a name cannot.
  const action = lookUpAction(powers.registry, call.step.tool)
  if (!action.ok || action.value.worded !== asked.name) return false
  const users = (task.plan?.steps ?? []).filter((step) => step.id !== id && rootsOf(step).includes(id))
  // A later plan could still use it elsewhere.
  if (users.length === 0 || task.plan?.again === true) return false
  return users.every((step) => {
    if (step.do !== 'tool' || step.tool !== call.step.tool) return false
    const others = rootsOf(Object.entries(step.args).filter(([name]) => name !== asked.name))
    // Its other arguments must refer to the waiting call, which it replaces, and must not use the rewritten text.
    return !others.includes(id) && others.includes(asked.root)
  })
}

/** Roots of all references in a part of a plan, whatever the kind of its step. */
function rootsOf(part: unknown): readonly string[] {
  const texts = JSON.stringify(part).match(/"(?:[^"\\]|\\.)*"/g) ?? []
  return texts.flatMap((text) => {
    const parsed = parseReference(String(JSON.parse(text)))
    return parsed.ok ? [parsed.value.root] : []
  })
}
