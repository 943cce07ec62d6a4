/**
 * Invoke: runs the call of a step under its token, after a last lookup of its target, and returns a result,
 * a failure, or an unknown outcome. Must not decide whether the call is allowed. Called by drive.ts.
 */

import type { KernelEffectPorts } from '../call/kernel-effects.ts'
import { type ResolvedCall, resolveCall } from '../call/resolve.ts'
import { runCall, wasNothingDone } from '../call/run-call.ts'
import { withReaders } from '../call/target.ts'
import { digestOf } from '../flow/digest.ts'
import { describeLabel } from '../flow/label.ts'
import { fingerprint } from '../flow/labeled.ts'
import { err, ok, type Refusal, type Result } from '../flow/verdict.ts'
import { audit } from '../powers/audit.ts'
import { isKernelEffect, lookUpAction } from '../powers/effects.ts'
import type { TokenKey, Tools } from '../powers/ports.ts'
import { keepRecord, RAW_LIFETIME } from '../powers/sealed.ts'
import type { CapabilityUses, StoreOf } from '../powers/stores.ts'
import type { ReasonCode } from '../reasons.ts'
import type { CapabilityToken } from '../task/capability.ts'
import type { Outcome } from '../task/outcome.ts'
import type { ToolStep } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
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
 * Looks up the readers and the version of the target again right before a write
 * (I-14). Refusals: approval_changed, those of the lookup.
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
  /** Token for the lookup of the target. */
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
  // A file is written entirely or not at all.
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
  'service_address_missing',
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
