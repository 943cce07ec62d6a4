/**
 * Looks up the page that a job would write to, with the same lookup as any write to that page, so that a card can show
 * it. The read has its own token and is authorised like any other. Must not write or ask. Called by drafting.ts.
 */

import type { AuthorizePorts } from '../call/authorize-port.ts'
import { reachOf } from '../call/disclosure.ts'
import { resolveCall } from '../call/resolve.ts'
import type { LookedUpCall } from '../call/target.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { ToolStep } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { withTarget } from './authorize.ts'

interface Target {
  readonly action: RegisteredAction
  readonly call: LookedUpCall
}

/**
 * Refusals: tool_not_in_template, credential_missing, service_off, tool_unavailable, and those of the lookup.
 */
export async function targetFor(
  powers: AuthorizePorts,
  task: Task,
  { template, step }: { readonly template: Template; readonly step: ToolStep },
): Promise<Result<Target>> {
  const action = lookUpAction(powers.registry, step.tool)
  if (!action.ok) return action
  if (!template.tools.includes(step.tool)) return err('tool_not_in_template', { tool: step.tool })
  const reach = await reachOf(powers, task, action.value)
  if (reach === 'off') return err('service_off', { tool: step.tool })
  if (reach !== 'here')
    return err(reach === 'credential' ? 'credential_missing' : 'tool_unavailable', { tool: step.tool })
  const call = await resolveCall(powers, task, { action: action.value, args: step.args, step: step.id })
  if (!call.ok) return call
  const at = { powers, task, template, index: 0, step, action: action.value, call: call.value }
  const aimed = await withTarget(at, false)
  return aimed.ok ? ok({ action: action.value, call: aimed.value }) : aimed
}
