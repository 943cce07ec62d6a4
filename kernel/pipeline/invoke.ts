/**
 * Invoke: the only caller of the tool port (invariant 5). Verifies the token against the exact bytes, counts
 * its use before the call, runs once, and labels the result by the kernel's declaration (A-18, A-36, C-16,
 * C-18). Unwrap site
 * 2. Must not decide whether the call is allowed; the token states that. Called by drive.ts and serve.ts.
 */

import { type KernelEffectPorts, runKernelEffect } from '../call/kernel-effects.ts'
import { type ResolvedCall, resolveCall, scopeOf } from '../call/resolve.ts'
import { withReaders } from '../call/target.ts'
import { holdCall } from '../features/scheduled/scheduled.ts'
import type { Clearance } from '../flow/clearance.ts'
import { digestOf } from '../flow/digest.ts'
import type { Json } from '../flow/json.ts'
import { describeLabel } from '../flow/label.ts'
import { fingerprint, type Labeled, openForTool } from '../flow/labeled.ts'
import { checkRead } from '../flow/policy.ts'
import { createRecord, type LabeledRecord } from '../flow/record.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import { audit } from '../powers/audit.ts'
import { isKernelEffect, lookUpAction, shapeOf } from '../powers/effects.ts'
import type { Actions, AtPlace, Clock, TokenKey, Tools } from '../powers/ports.ts'
import { keepRecord, RAW_LIFETIME } from '../powers/sealed.ts'
import type { CapabilityUses, StoreOf, Transactions } from '../powers/stores.ts'
import { isReasonCode, type ReasonCode } from '../reasons.ts'
import { type CapabilityToken, checkCapability } from '../task/capability.ts'
import type { Outcome } from '../task/outcome.ts'
import type { ToolStep } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import type { ToolOutcome } from '../tool/manifest.ts'
import { withOnward } from '../tool/pages.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { looksAgain } from '../tool/remarks.ts'
import type { GuardPorts } from '../wording/guard/guard.ts'

export async function invoke(
  powers: KernelEffectPorts & GuardPorts & Tools & TokenKey & StoreOf<CapabilityUses>,
  task: Task,
  at: At,
): Promise<Outcome> {
  const { index, step, token } = at
  const action = lookUpAction(powers.registry, step.tool)
  if (!action.ok) return { got: 'failed', step: index, reason: action.reason }
  const resolved = await resolveCall(powers, task, { action: action.value, args: step.args, step: step.id })
  const call = resolved.ok
    ? await lastLook(powers, task, { at, action: action.value, call: resolved.value })
    : resolved
  if (!call.ok) return { got: 'failed', step: index, reason: call.reason }
  const { id, ceiling } = task
  const made = await runCall(
    powers,
    { task: id, step: step.id, ceiling, action: action.value, call: call.value, token },
    task,
  )
  audit(powers, 'tool_invoked', task, {
    ...{ tool: step.tool, step: step.id, capability: token.claims.id, scope: token.claims.scope },
    ...{
      ok: made.ok,
      code: made.ok ? null : made.reason.code,
      label: made.ok ? describeLabel(made.value.label) : null,
    },
  })
  if (!made.ok) return failureOf(action.value, index, made.reason)
  const until = powers.now() + RAW_LIFETIME
  const keeping = { principal: task.principal, store: 'sessions', until, action: step.tool } as const
  const ref = await keepRecord(powers, keeping, made.value)
  return {
    got: 'result',
    step: index,
    result: { kind: 'sealed', ref },
    label: describeLabel(made.value.label),
  }
}

/**
 * Looks up readers and version of the target again right before a write (I-14). Refusals: approval_changed,
 * those of the lookup.
 */
async function lastLook(
  powers: KernelEffectPorts & Tools & TokenKey & StoreOf<CapabilityUses>,
  task: Task,
  { at, action, call }: { readonly at: At; readonly action: RegisteredAction; readonly call: ResolvedCall },
): Promise<Result<ResolvedCall>> {
  const { step, look } = at
  const { id, ceiling } = task
  if (!looksAgain(action)) return ok(call)
  const found = await withReaders(powers, task, { step: step.id, action, call }, async (read) =>
    look === undefined
      ? err('token_missing')
      : runCall(powers, { task: id, step: step.id, ceiling, ...read, token: look }, task),
  )
  if (!found.ok) return found
  const isSame = fingerprint(found.value.whole, digestOf) === at.token.claims.argsDigest
  return isSame ? found : err('approval_changed')
}

interface At {
  readonly index: number
  readonly step: ToolStep
  readonly token: CapabilityToken
  /** Result of that lookup. */
  readonly look?: CapabilityToken
}

/**
 * Failures after which a write cannot have happened: refused before it left, or rejected by the service.
 * After any other failure its outcome is unknown and is reported as such.
 */
const CERTAIN: readonly ReasonCode[] = [
  'tool_unavailable',
  'tool_degraded',
  'service_off',
  'tool_unknown',
  'tool_arguments_invalid',
  'field_malformed',
  'credential_missing',
  'credential_mismatch',
  'host_not_allowed',
  'scheme_not_allowed',
  'address_private',
  'url_malformed',
  'redirect_refused',
  'remote_unauthorized',
  'remote_rejected',
  'remote_scope_missing',
  'remote_not_found',
  'remote_rate_limited',
  'remote_blocked',
  // The target has another version than the approved one.
  'event_changed',
  // A file is written whole or not at all.
  'folder_not_named',
  'folder_gone',
  'file_denied',
  'file_ambiguous',
  'file_not_text',
  'file_too_large',
  'storage_full',
  // The scheduled call could not be stored, so nothing waits.
  'later_full',
  'later_gone',
  'not_invited',
  'organizer_unknown',
  'series_unfit',
  'series_none',
  'series_whole',
  // The mail server refused, or received nothing. A change of several folders that fails half way has another
  // code.
  'mail_refused',
  'mailbox_full',
  'mail_cannot_send',
  'mail_identity_unknown',
  'mail_recipient_differs',
  'mail_renumbered',
  'mail_folder_missing',
  'mail_folder_ambiguous',
  'mail_folder_exists',
  'mail_folder_unfit',
  'list_not_named',
  'certificate_invalid',
  'certificate_changed',
]

function failureOf(action: RegisteredAction, step: number, reason: Refusal): Outcome {
  const isRefusal =
    CERTAIN.includes(reason.code) || reason.code.startsWith('token_') || wasNothingDone(reason)
  const unclear = action.semantics === 'write' && !isKernelEffect(action.id) && !isRefusal
  return unclear ? { got: 'unknown', step } : { got: 'failed', step, reason }
}

/** The only fact of a tool's failure that is kept; others are dropped. */
const NOTHING_DONE = { done: 'nothing' } as const

/**
 * The tool knows that nothing was done, whatever the code: the connection failed before the whole write was
 * sent.
 */
function wasNothingDone({ code, facts }: Refusal): boolean {
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
