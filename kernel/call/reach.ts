/**
 * Where an action can run for a task: here, at home, or nowhere now (DESIGN §1, T-07, T-09). The same rule decides
 * what a planner is offered and what may run. Must not call home. Called by authorize.ts and planner-view.ts.
 */
import { isKernelEffect, LOAD, offlinePolicyOf } from '../powers/effects.ts'
import type { Actions, DirectiveFiles, HomeLine, Tools } from '../powers/ports.ts'
import type { Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'

/** `credential`: here, once the credential is connected. `away`: only at home, which is offline. */
export type Reach = 'here' | 'credential' | 'home' | 'away' | 'nowhere'

/** An edge task may ask home for one read. A write that runs only at home must be requested on the private line. */
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
  // An action that may be queued for home is offered even while home is offline: the link may be back within moments.
  return offlinePolicyOf(powers.registry, action.id).do === 'queue' || (await powers.home.up())
    ? 'home'
    : 'away'
}
