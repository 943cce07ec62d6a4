/**
 * A text of a waiting card that a plan has written anew: whether it may be read for that. At home alone, whose models read such texts.
 * Called by compose.ts, through home-effects.ts.
 */
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions } from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { type ComposeStep, parseReference } from '../../task/plan.ts'
import type { Task } from '../../task/task.ts'
import { askedCall, askedIn } from './asked.ts'

/**
 * Whether a reference is to a text of a waiting call, and what is made of it goes back to the same argument of the same tool alone: "make it
 * more polite". It goes nowhere else, and its new card shows it.
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
  // A free wording, such as a mail's: a title or a name is nothing to write anew.
  const action = lookUpAction(powers.registry, call.step.tool)
  if (!action.ok || action.value.worded !== asked.name) return false
  const users = (task.plan?.steps ?? []).filter((step) => step.id !== id && rootsOf(step).includes(id))
  // What a later plan may make of it is not known yet.
  if (users.length === 0 || task.plan?.again === true) return false
  return users.every((step) => {
    if (step.do !== 'tool' || step.tool !== call.step.tool) return false
    const others = rootsOf(Object.entries(step.args).filter(([name]) => name !== asked.name))
    // What else it says is of the waiting call, too, which it takes the place of.
    return !others.includes(id) && others.includes(asked.root)
  })
}

/** Roots of all references in a part of a plan, whatever kind of step it is of. */
function rootsOf(part: unknown): readonly string[] {
  const texts = JSON.stringify(part).match(/"(?:[^"\\]|\\.)*"/g) ?? []
  return texts.flatMap((text) => {
    const parsed = parseReference(String(JSON.parse(text)))
    return parsed.ok ? [parsed.value.root] : []
  })
}
