/**
 * Decides whether a call may run here and now with exactly these bytes (C-16, A-25 –
 * Returns a signed single-use token, a question for the owner, or a
 * refusal. Runs nothing except the lookup of a write's target. Called by drive.ts.
 */

import { checkSetting, wantedService } from '#home-effects'
import { checkSeries } from '../call/again.ts'
import { accountSentAlong, alongDigest } from '../call/along.ts'
import type { AuthorizePorts } from '../call/authorize-port.ts'
import { callVerdict } from '../call/call-verdict.ts'
import { reachOf } from '../call/disclosure.ts'
import { checkPosted } from '../call/posted.ts'
import { resolveCall, scopeOf } from '../call/resolve.ts'
import { runCall } from '../call/run-call.ts'
import { type Aimed, type LookedUpCall, lookupOf, withReaders } from '../call/target.ts'
import { isBackground } from '../features/approvals/bundle.ts'
import { isOfAnotherVersion } from '../features/approvals/card/remarks.ts'
import { lackingKey } from '../features/credentials/ask-credential.ts'
import { checkLater } from '../features/scheduled/scheduled.ts'
import { digestOf } from '../flow/digest.ts'
import { describeLabel, joinLabels } from '../flow/label.ts'
import { fingerprint, test } from '../flow/labeled.ts'
import { checkRead } from '../flow/policy.ts'
import { declaredLabel } from '../flow/record.ts'
import { deny, err, ok, type Refusal, type Result, type Verdict } from '../flow/verdict.ts'
import { type Auditing, audit, denied } from '../powers/audit.ts'
import { lookUpAction, shapeOf } from '../powers/effects.ts'
import type { Actions } from '../powers/ports.ts'
import type { ApprovalStore, StoreOf } from '../powers/stores.ts'
import { type Approval, spend } from '../task/approval.ts'
import { issueCapability, TOKEN_LIFETIME } from '../task/capability.ts'
import { editsOf } from '../task/edits.ts'
import type { Outcome, Reported } from '../task/outcome.ts'
import type { ToolStep } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { isForCardAlone } from '../tool/remarks.ts'
import { holdsSecret } from '../wording/guard/guard.ts'
import { type Authorizing, ask, askedAnew, digestFor, lackingCredential } from './ask.ts'

/** `approvalId`: approval that the owner just gave for this step, or null. */
export async function authorize(
  powers: AuthorizePorts,
  task: Task,
  {
    index,
    step,
    approvalId,
  }: { readonly index: number; readonly step: ToolStep; readonly approvalId: string | null },
): Promise<Reported> {
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template === undefined || !task.tools.includes(step.tool)) {
    return denied(powers, task, index, { code: 'tool_not_in_template', facts: { tool: step.tool } })
  }
  const action = lookUpAction(powers.registry, step.tool)
  if (!action.ok) return denied(powers, task, index, action.reason)
  const call = await resolveCall(powers, task, { action: action.value, args: step.args, step: step.id })
  if (!call.ok) return denied(powers, task, index, call.reason)
  const held = checkHolding(powers, task, action.value, call.value)
  if (!held.allow) return denied(powers, task, index, held)
  const setting = checkSetting(task, step)
  if (!setting.ok) return denied(powers, task, index, setting.reason)
  const posted = checkPosted(action.value, call.value)
  if (!posted.ok) return denied(powers, task, index, posted.reason)
  const again = checkSeries(powers, action.value, call.value)
  if (!again.ok) return denied(powers, task, index, again.reason)
  const asked = { action: action.value, args: call.value.whole }
  const later = approvalId === null ? checkLater(powers, task, asked) : null
  if (later !== null) return denied(powers, task, index, later)
  const at: Authorizing = { powers, task, template, index, step, action: action.value, call: call.value }
  const first = await sameWriteBefore(at)
  if (first !== null)
    return denied(powers, task, index, { code: 'write_repeated', facts: { step: step.id, first } })
  return decide(at, approvalId)
}

/**
 * Returns the id of an earlier step of this task that sent, or may have sent, the same bytes to the same destination;
 * null if none (C-13). The check of the plan compared arguments as written; only here are their references resolved.
 */
async function sameWriteBefore(at: Authorizing): Promise<string | null> {
  const { powers, task, index, action } = at
  if (action.semantics !== 'write') return null
  const digest = digestFor(at)
  for (const step of task.plan?.steps.slice(0, index) ?? []) {
    if (step.do !== 'tool' || step.tool !== action.id || !mayHaveRun(task, step.id)) continue
    const call = await resolveCall(powers, task, { action, args: step.args, step: step.id })
    if (call.ok && digestFor({ ...at, call: call.value }) === digest) return step.id
  }
  return null
}

function mayHaveRun(task: Task, step: string): boolean {
  return task.traces.some((trace) => trace.step === step && ['done', 'unknown'].includes(trace.outcome))
}

/** The task's ceiling must cover both the call's inputs and its declared outputs; both are known before the call. */
function checkHolding(powers: Actions, task: Task, action: RegisteredAction, call: LookedUpCall): Verdict {
  const shape = shapeOf(powers.registry, action.id)
  if (!shape.ok) return deny(shape.reason.code, shape.reason.facts)
  return checkRead(task.ceiling, joinLabels(call.whole.label, declaredLabel(shape.value)))
}

async function decide(resolved: Authorizing, approvalId: string | null): Promise<Reported> {
  const { powers, task, index, action } = resolved
  const reach = await reachOf(powers, task, action)
  if (reach === 'off') return denied(powers, task, index, { code: 'service_off', facts: { tool: action.id } })
  const wanted = wantedService(powers, action, { args: resolved.call.whole, task })
  if (wanted !== null) return lackingCredential(resolved, wanted.service, wanted.rotates)
  const key = lackingKey(powers, action, resolved.call.whole)
  if (reach === 'credential' || key !== null) return lackingCredential(resolved, key)
  if (reach === 'nowhere' || reach === 'away') {
    const code = reach === 'away' ? 'home_offline' : 'tool_unavailable'
    return denied(powers, task, index, { code, facts: { tool: action.id } })
  }
  // A lookup that only adds remarks to a card is skipped when no card is made.
  const aimed = isForCardAlone(action)
    ? ok(resolved.call)
    : await withTarget(resolved, isYes(powers, approvalId))
  if (!aimed.ok) return denied(powers, task, index, aimed.reason)
  const at = { ...resolved, call: aimed.value }
  const verdict = await callVerdict(at)
  if (!verdict.ok) return denied(powers, task, index, verdict.reason)
  // What the owner edited is always shown to them again, even under a grant, because an edit is no approval
  // (F-11).
  const edited = editsOf(task, at.step.id).length > 0 || task.left?.[at.step.id] !== undefined
  const question =
    verdict.value.question ??
    (edited ? { code: 'write_approval_required' as const, facts: { tool: action.id } } : null)
  const grant = edited ? null : verdict.value.grant
  if (reach === 'home') {
    if (question !== null)
      return denied(powers, task, index, { code: 'approval_place_too_low', facts: { tool: action.id } })
    return { outcome: { got: 'needs_home', step: index } }
  }
  if (question !== null && isYes(powers, approvalId)) return spendApproval(at, approvalId, question)
  const { covered, job } = verdict.value
  // A call under a grant has no card. Bytes that a card would refuse to show are refused here.
  if ((grant !== null || job !== undefined) && test(at.call.whole, (args) => holdsSecret(powers, args)))
    return denied(powers, task, index, { code: 'secret_in_call', facts: { tool: action.id } })
  if (question === null && covered !== undefined) return underEarlierYes(at, { approval: covered })
  if (question === null && job !== undefined) return underEarlierYes(at, { job })
  if (grant !== null) return underGrant(at, grant, question)
  return question === null ? { outcome: tokenFor(at, null) } : askRemarked(at, question)
}

/** Asks the owner, with the remarks for the card. */
async function askRemarked(at: Authorizing, question: Refusal): Promise<Reported> {
  if (!isForCardAlone(at.action)) return ask(at, question)
  const remarked = await withTarget(at, false)
  return remarked.ok
    ? ask({ ...at, call: remarked.value }, question)
    : denied(at.powers, at.task, at.index, remarked.reason)
}

/**
 * Adds to the call who can read its target, or returns the refusal. A lookup that would itself need an
 * approval is not made.
 */
export async function withTarget(at: Authorizing, answered: boolean): Promise<Result<LookedUpCall>> {
  const { powers, task, step, action, call } = at
  const lookup = lookupOf(powers, at, answered)
  if (lookup === null) return ok(call)
  const verdict = lookup.ok ? await callVerdict({ ...at, ...lookup.value }) : lookup
  if (!verdict.ok) return verdict
  const { question, grant } = verdict.value
  // Background work has no card that could say that the readers are unknown, so it is refused with the reason
  // of the lookup.
  const isSure = action.target !== undefined && isBackground(at.template.principalClass)
  return withReaders(powers, task, { action, call, step: step.id, isSure }, async (read) => {
    if (question !== null || grant !== null) return err('disclosure_asks')
    const token = issue(at, read, null)
    return runCall(powers, { task: task.id, step: step.id, ceiling: task.ceiling, ...read, token }, task)
  })
}

/** A credential that arrived only permits checking the call again. It is no approval of the call. */
function isYes({ store }: StoreOf<ApprovalStore>, id: string | null): id is string {
  return id !== null && store.loadApproval(id)?.approval.kind !== 'credential'
}

/**
 * Counts a use of the grant here, where it was checked to be live, and does not refund it if the call fails: the budget may
 * be spent early but is never exceeded (F-13). When the budget is used up, a write is put to the owner and a read is refused.
 */
async function underGrant(at: Authorizing, grant: string, question: Refusal | null): Promise<Reported> {
  const { powers, task, index, step, action } = at
  const used = powers.store.transaction(() => powers.store.useGrant(grant, powers.now()))
  audit(powers, 'grant_used', task, { grant, step: step.id, tool: action.id, ok: used })
  if (used && question?.code === 'disclosure_asks') {
    const { label } = at.call.whole
    audit(powers, 'declassification', task, { grant, tool: action.id, label: describeLabel(label) })
  }
  if (used) return { outcome: tokenFor(at, null) }
  if (question !== null) return askRemarked(at, question)
  return denied(powers, task, index, { code: 'grant_budget_spent', facts: { grant } })
}

/** Runs a call under an earlier approval or an approved job. Each such read is audited as a declassification. */
function underEarlierYes(
  at: Authorizing,
  by: { readonly approval: string } | { readonly job: number },
): Reported {
  const { powers, task, step, action, call } = at
  const label = describeLabel(call.whole.label)
  return {
    outcome: tokenFor(at, null),
    commit: () => audit(powers, 'declassification', task, { ...by, covers: step.id, tool: action.id, label }),
  }
}

/**
 * Spends the approval. Bytes that changed since the approval are not approved
 * (invariant 6); if only the target has a new version, the owner is asked again.
 */
async function spendApproval(at: Authorizing, approvalId: string, question: Refusal): Promise<Reported> {
  const { powers, task, index, step } = at
  const approval = powers.store.loadApproval(approvalId)?.approval ?? null
  if (approval === null) return denied(powers, task, index, { code: 'approval_unknown', facts: {} })
  const spent = spend(approval, { digest: digestFor(at), task: task.id, step: step.id, now: powers.now() })
  if (isOfAnotherVersion(at.action, spent)) return ask(at, question, true)
  if (task.timed !== undefined && !spent.ok && spent.reason.code === 'approval_expired')
    return askedAnew(powers, approval, await askRemarked(at, question))
  if (!spent.ok) return denied(powers, task, index, spent.reason)
  return { outcome: tokenFor(at, spent.value), commit: () => recordSpending(powers, task, spent.value) }
}

function recordSpending(powers: Auditing & StoreOf<ApprovalStore>, task: Task, approval: Approval): void {
  const { id, kind, tool, sink, label } = approval
  powers.store.saveApproval(approval, null)
  if (kind === 'declassification')
    audit(powers, 'declassification', task, { approval: id, tool, sink, label })
}

/** The capability token of the call. A write whose target is looked up again also gets a token for that lookup. */
function tokenFor(at: Authorizing, approval: Approval | null): Outcome {
  const { powers, index } = at
  const lookup = lookupOf(powers, at, true)
  const look = lookup?.ok === true ? { look: issue(at, lookup.value, null) } : {}
  const { semantics } = at.action
  return { got: 'authorized', step: index, token: issue(at, at, approval), semantics, ...look }
}

function issue({ powers, task, step }: Authorizing, { action, call }: Aimed, approval: Approval | null) {
  const { place, tokenKey } = powers
  const issuedAt = powers.now()
  return issueCapability(
    {
      ...{ id: powers.newId(), place, task: task.id, template: task.template, principal: task.principal },
      ...{ step: step.id, tool: action.id, scope: scopeOf(call) },
      ...{ argsDigest: fingerprint(call.whole, digestOf), argsTaint: call.whole.taint },
      ...alongDigest(accountSentAlong(powers, action, call.whole)),
      ...{ approval: approval?.id ?? null },
      ...{ issuedAt, expiresAt: issuedAt + TOKEN_LIFETIME, maxInvocations: 1 },
    },
    tokenKey,
  )
}
