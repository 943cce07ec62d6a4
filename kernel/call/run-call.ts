/**
 * Runs one call under one token: the only caller of the tool port (invariant 5). Verifies the token against the exact bytes,
 * counts its use before the call, runs once, and labels the result by the kernel's declaration (A-18, A-36, C-16, C-18). Unwrap
 * site 2. Must not decide whether the call is allowed; the token states that. Called by invoke.ts, authorize.ts and serve.ts.
 */

import { holdCall } from '../features/scheduled/scheduled.ts'
import type { Clearance } from '../flow/clearance.ts'
import type { Json } from '../flow/json.ts'
import { type Labeled, openForTool } from '../flow/labeled.ts'
import { checkRead } from '../flow/policy.ts'
import { createRecord, type LabeledRecord } from '../flow/record.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import { isKernelEffect, shapeOf } from '../powers/effects.ts'
import type { Actions, AtPlace, Clock, TokenKey, Tools } from '../powers/ports.ts'
import type { CapabilityUses, StoreOf, Transactions } from '../powers/stores.ts'
import { isReasonCode } from '../reasons.ts'
import { type CapabilityToken, checkCapability } from '../task/capability.ts'
import type { Task } from '../task/task.ts'
import type { ToolOutcome } from '../tool/manifest.ts'
import { withOnward } from '../tool/pages.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { type KernelEffectPorts, runKernelEffect } from './kernel-effects.ts'
import { type ResolvedCall, scopeOf } from './resolve.ts'

/** The only fact of a tool's failure that is kept; others are dropped. */
const NOTHING_DONE = { done: 'nothing' } as const

/**
 * The tool knows that nothing was done, whatever the code: the connection failed before the whole write was
 * sent.
 */
export function wasNothingDone({ code, facts }: Refusal): boolean {
  return code !== 'write_outcome_unknown' && facts['done'] === NOTHING_DONE.done
}

export interface TokenedCall {
  readonly task: string
  readonly step: string
  readonly ceiling: Clearance
  readonly action: RegisteredAction
  readonly call: ResolvedCall
  readonly token: CapabilityToken
}

/** One call under one token. `task` is null when the edge's task is not here (serve.ts). */
export async function runCall(
  powers: KernelEffectPorts & Tools & TokenKey & StoreOf<CapabilityUses>,
  tokened: TokenedCall,
  task: Task | null,
): Promise<Result<LabeledRecord>> {
  const { action, call, ceiling } = tokened
  const args = openForTool(call.whole, { tool: action.id, place: powers.place, ceiling })
  if (!args.ok) return args
  const spent = spendToken(powers, tokened, args.value)
  if (!spent.ok) return spent
  if (action.later !== undefined)
    return task === null
      ? err('tool_unavailable', { tool: action.id })
      : holdCall(powers, task, {
          ...{ step: tokened.step, action, args: args.value },
          ...{ call: call.whole, approval: tokened.token.claims.approval },
        })
  if (isKernelEffect(action.id)) {
    return task === null
      ? err('tool_unavailable', { tool: action.id })
      : runKernelEffect(powers, task, {
          step: tokened.step,
          action,
          args: call.whole as Labeled<{ readonly [key: string]: Json }>,
          approval: tokened.token.claims.approval,
        })
  }
  const outcome = await runTool(powers, tokened, args.value)
  if (!outcome.ok) return { ok: false, reason: outcome.reason }
  const output = withOnward(action, args.value, outcome.output)
  return guardResult(powers, tokened, { ...outcome, output })
}

/**
 * Verified again at the last moment and counted before the call: a crash can lose a call, never repeat one
 * (A-36).
 */
function spendToken(
  powers: Clock & AtPlace & TokenKey & StoreOf<Transactions & CapabilityUses>,
  { task, step, action, call, token }: TokenedCall,
  args: Json,
): Result<true> {
  const { store, place, tokenKey } = powers
  const use = { place, task, step, tool: action.id, args, scope: scopeOf(call), now: powers.now() }
  const verdict = checkCapability(token, { ...use, used: store.uses(token.claims.id) }, tokenKey)
  if (!verdict.allow) return err(verdict.code, verdict.facts)
  const count = (): boolean => store.countUse(token.claims.id, token.claims.maxInvocations)
  // For a write, a transaction puts the count on disk before the call, so a power cut does not forget it.
  const counted = action.semantics === 'write' ? store.transaction(count) : count()
  return counted ? ok(true) : err('token_used_up', { tool: action.id })
}

/** A tool that throws has failed; its error text is dropped, because it could quote data. */
async function runTool(
  powers: Tools,
  { action, token }: TokenedCall,
  args: { readonly [key: string]: Json },
): Promise<ToolOutcome> {
  try {
    return inOurWords(await powers.tools.run({ action: action.id, args, capability: token }), action.id)
  } catch {
    return err('tool_failed', { tool: action.id })
  }
}

/** Writers, logs and the owner read a refusal without a label, so only known codes of a tool are kept. */
function inOurWords(outcome: ToolOutcome, tool: string): ToolOutcome {
  if (outcome.ok) return outcome
  const done = wasNothingDone(outcome.reason) ? NOTHING_DONE : {}
  return err(isReasonCode(outcome.reason.code) ? outcome.reason.code : 'tool_failed', { tool, ...done })
}

function guardResult(
  powers: Actions,
  { action, call, ceiling }: TokenedCall,
  outcome: Extract<ToolOutcome, { ok: true }>,
): Result<LabeledRecord> {
  const shape = shapeOf(powers.registry, action.id)
  if (!shape.ok) return shape
  const { label, taint } = call.whole
  const raised = outcome.level === undefined ? {} : { reported: outcome.level }
  const record = createRecord({ ...shape.value, inputs: { label, taint }, ...raised }, outcome.output)
  if (!record.ok) return err('tool_result_invalid', { tool: action.id, ...record.reason.facts })
  // No read up: a result above the ceiling does not enter the task. For a write, it has happened
  // already.
  const held = action.semantics === 'read' ? checkRead(ceiling, record.value.label) : null
  return held?.allow === false ? err(held.code, held.facts) : record
}
