/**
 * Where an action can be done for a task: here, at home, or nowhere now (DESIGN §1, T-07, T-09). One rule for what a
 * planner is offered and for what is allowed to run. Must not ask home for anything. Called by authorize.ts and
 * planner-view.ts.
 */
import { isKernelEffect, LOAD, offlinePolicyOf } from '../powers/effects.ts'
import type { Actions, DirectiveFiles, HomeLine, Tools } from '../powers/ports.ts'
import type { Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'

/** `credential`: here, once it is connected. `away`: only home could, and home is away. */
export type Reach = 'here' | 'credential' | 'home' | 'away' | 'nowhere'

/** Edge tasks may ask home for one read; a write that lives at home is asked for on the private line. */
export async function reachOf(
  powers: Actions & Tools & HomeLine & DirectiveFiles,
  task: Task,
  action: RegisteredAction,
): Promise<Reach> {
  if (action.id === LOAD && powers.directives === undefined) return 'nowhere'
  if (isKernelEffect(action.id)) return 'here'
  const found = powers.tools.availability(action)
  if (found !== 'elsewhere') return found
  if (powers.home === null || action.semantics !== 'read') return 'nowhere'
  if (task.alone === true) return 'away'
  // What may wait for home is asked for in any case: a link that is back in a moment costs the person nothing.
  return offlinePolicyOf(powers.registry, action.id).do === 'queue' || (await powers.home.up())
    ? 'home'
    : 'away'
}
