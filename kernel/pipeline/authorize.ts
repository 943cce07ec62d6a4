/**
 * Authorize: may this call run here and now, with exactly these bytes? (C-16, A-25 – .) Returns a
 * signed single-use token, a question for the owner, or a refusal. Must not run anything but the lookup of a write's target. Called by drive.ts.
 */

import { callVerdict } from '../call/call-verdict.ts'
import { reachOf } from '../call/disclosure.ts'
import type { KernelEffectPorts } from '../call/kernel-effects.ts'
import { checkPosted } from '../call/posted.ts'
import { askedBy, rowsBehind, rowsOf } from '../call/rows-behind.ts'
import { controlAbove } from '../call/select.ts'
import { type Aimed, type LookedUpCall, lookupOf, withReaders } from '../call/target.ts'
import { periodAsked, QUESTION_WINDOW } from '../features/approvals/ask-owner.ts'
import { authorsOf } from '../features/approvals/authors.ts'
import { BUNDLE_WINDOW, isBackground, nextBundle } from '../features/approvals/bundle.ts'
import { renderCard } from '../features/approvals/card.ts'
import { withFound } from '../features/approvals/found.ts'
import { isOfAnotherVersion, remarkedCard } from '../features/approvals/remarks.ts'
import { type AskCredentialPorts, askCredential, lackingKey } from '../features/credentials/ask-credential.ts'
import { LATE_ANSWER } from '../features/scheduled/port.ts'
import { checkLater, timedCard } from '../features/scheduled/scheduled.ts'
import type { Json } from '../flow/json.ts'
import { describeLabel, joinLabels } from '../flow/label.ts'
import { combine, fingerprint, type Labeled, test } from '../flow/labeled.ts'
import { checkRead } from '../flow/policy.ts'
import { receive } from '../flow/provenance.ts'
import { declaredLabel } from '../flow/record.ts'
import { deny, err, ok, type Refusal, type Result, type Verdict } from '../flow/verdict.ts'
import { advance } from '../machine/machine.ts'
import { type Auditing, audit } from '../powers/audit.ts'
import { lookUpAction, shapeOf } from '../powers/effects.ts'
import type {
  Actions,
  AskingTime,
  DirectiveFiles,
  Ids,
  OwnerChats,
  OwnerService,
  TokenKey,
  Tools,
} from '../powers/ports.ts'
import { keepText } from '../powers/sealed.ts'
import type { ApprovalStore, CapabilityUses, StoreOf, TaskStore, Transactions } from '../powers/stores.ts'
import {
  APPROVAL_SPEND_WINDOW,
  type Approval,
  approvalDigest,
  createApproval,
  spend,
} from '../task/approval.ts'
import { digestOf, issueCapability, TOKEN_LIFETIME } from '../task/capability.ts'
import { carriesCut } from '../task/cut-text.ts'
import type { Outcome, Reported } from '../task/outcome.ts'
import { ASK_OWNER, type ToolStep } from '../task/plan.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import type { Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { type GuardPorts, holdsSecret } from './guard.ts'
import { runCall } from './invoke.ts'
import { type CallPorts, resolveCall, scopeOf } from './resolve.ts'

/** Ports needed to allow, refuse or ask about a step. No model, and nothing is sent. */
export type AuthorizePorts = AskCredentialPorts &
  KernelEffectPorts &
  Ids &
  GuardPorts &
  CallPorts &
  Tools &
  DirectiveFiles &
  TokenKey &
  OwnerChats &
  AskingTime &
  OwnerService &
  StoreOf<Transactions & CapabilityUses>

export interface Authorizing {
  readonly powers: AuthorizePorts
  readonly task: Task
  readonly template: Template
  readonly index: number
  readonly step: ToolStep
  readonly action: RegisteredAction
  readonly call: LookedUpCall
}

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
  const posted = checkPosted(action.value, call.value)
  if (!posted.ok) return denied(powers, task, index, posted.reason)
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
 * Earlier step of this task that wrote, or may have written, the same bytes to the same destination (C-13). Plans are
 * compared as written; only here are the references resolved.
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

/** A task may hold the call's inputs and its declared outputs; both are known before the call. */
function checkHolding(powers: Actions, task: Task, action: RegisteredAction, call: LookedUpCall): Verdict {
  const shape = shapeOf(powers.registry, action.id)
  if (!shape.ok) return deny(shape.reason.code, shape.reason.facts)
  return checkRead(task.ceiling, joinLabels(call.whole.label, declaredLabel(shape.value)))
}

async function decide(resolved: Authorizing, approvalId: string | null): Promise<Reported> {
  const { powers, task, index, action } = resolved
  const reach = await reachOf(powers, task, action)
  if (reach === 'off') return denied(powers, task, index, { code: 'service_off', facts: { tool: action.id } })
  const key = lackingKey(powers, action, resolved.call.whole)
  if (reach === 'credential' || key !== null) return lackingCredential(resolved, key)
  if (reach === 'nowhere' || reach === 'away') {
    const code = reach === 'away' ? 'home_offline' : 'tool_unavailable'
    return denied(powers, task, index, { code, facts: { tool: action.id } })
  }
  const aimed = await withTarget(resolved, isYes(powers, approvalId))
  if (!aimed.ok) return denied(powers, task, index, aimed.reason)
  const at = { ...resolved, call: aimed.value }
  const verdict = await callVerdict(at)
  if (!verdict.ok) return denied(powers, task, index, verdict.reason)
  // What the owner edited is always shown to them again, even under a grant, because an edit is no approval (F-11).
  const edited = task.edits?.[at.step.id] !== undefined || task.left?.[at.step.id] !== undefined
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
  const { covered } = verdict.value
  // Nobody sees what a grant lets pass: what a card would refuse to show is refused here.
  if (grant !== null && test(at.call.whole, (args) => holdsSecret(powers, args)))
    return denied(powers, task, index, { code: 'secret_in_call', facts: { tool: action.id } })
  if (question === null && covered !== undefined) return underEarlierYes(at, covered)
  if (grant !== null) return underGrant(at, grant, question)
  return question === null ? { outcome: tokenFor(at, null) } : ask(at, question)
}

/** The call with the readers of its target, or what is to be said about it. A lookup that would need a question of its own is not made. */
export async function withTarget(at: Authorizing, answered: boolean): Promise<Result<LookedUpCall>> {
  const { powers, task, step, action, call } = at
  const lookup = lookupOf(powers, at, answered)
  if (lookup === null) return ok(call)
  const verdict = lookup.ok ? await callVerdict({ ...at, ...lookup.value }) : lookup
  if (!verdict.ok) return verdict
  const { question, grant } = verdict.value
  // Of background work nobody can be told that the readers are unknown: why they are is the refusal.
  const isSure = action.target !== undefined && isBackground(at.template.principalClass)
  return withReaders(powers, task, { action, call, step: step.id, isSure }, async (read) => {
    if (question !== null || grant !== null) return err('disclosure_asks')
    const token = issue(at, read, null)
    return runCall(powers, { task: task.id, step: step.id, ceiling: task.ceiling, ...read, token }, task)
  })
}

/** A credential that arrived permits another check, and approves nothing that this check finds. */
function isYes({ store }: StoreOf<ApprovalStore>, id: string | null): id is string {
  return id !== null && store.loadApproval(id)?.approval.kind !== 'credential'
}

/** Asks the owner and suspends the step; when nobody can be asked, the step ends here. */
async function lackingCredential(at: Authorizing, key: string | null): Promise<Reported> {
  const { powers, task, template, index, step, action, call } = at
  const service = key ?? action.tool.credential ?? action.tool.name
  const above = receive('', await controlAbove(powers, task, index))
  const control = key === null ? above : combine<Json, string>([above, call.whole], () => '')
  const lacking = { task, step: step.id, why: action.description, sink: task.sink, control }
  const asked = isBackground(template.principalClass) ? null : await askCredential(powers, service, lacking)
  if (asked === null) return { outcome: { got: 'needs_credential', step: index, service } }
  const { id, expiresAt } = asked.approval
  return {
    outcome: { got: 'needs_credential', step: index, service, approval: id },
    commit: () => {
      asked.commit()
      powers.store.keepSealed(rowsOf(task), expiresAt + APPROVAL_SPEND_WINDOW)
    },
  }
}

/**
 * Counts the use here, where the grant is verified as live, and does not refund it if the call fails, so the budget
 * may be spent early but never exceeded (F-13). Without budget a write is put to the owner, and a read is refused.
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
  if (question !== null) return ask(at, question)
  return denied(powers, task, index, { code: 'grant_budget_spent', facts: { grant } })
}

/** Each read is recorded as the declassification that it is. */
function underEarlierYes(at: Authorizing, approval: string): Reported {
  const { powers, task, step, action, call } = at
  const label = describeLabel(call.whole.label)
  return {
    outcome: tokenFor(at, null),
    commit: () =>
      audit(powers, 'declassification', task, { approval, covers: step.id, tool: action.id, label }),
  }
}

/** Asks about the exact bytes: the card is rendered from them, and the digest binds to them (F-03, F-04). */
async function ask(at: Authorizing, found: Refusal, changed = false): Promise<Reported> {
  const { powers, task, template, index, step, action, call } = at
  // Where it goes was said when it was set; now its time is over, or is another one.
  const reason: Refusal =
    (task.timed ?? task.instead) === undefined
      ? found
      : { code: 'write_approval_required', facts: { tool: action.id } }
  const isWord = action.id === ASK_OWNER
  const period = isWord ? await periodAsked(powers, task, call.whole) : null
  if (period?.ok === false) return denied(powers, task, index, period.reason)
  // A question of another person's task can only go to the owner, who must have a chat here (F-02).
  if (!isWord && task.principal !== OWNER_PRINCIPAL && powers.adminSinks.length === 0)
    return denied(powers, task, index, { code: 'approval_place_too_low', facts: { tool: action.id } })
  const sink = action.sink ?? task.sink
  const { contacts, timezone } = powers.profile()
  const cut = carriesCut(task, step)
  // Asking reveals what decided it, so the card bears that label too.
  const control = receive('', await controlAbove(powers, task, index))
  const authors = authorsOf(powers, task, step, call)
  const shown =
    period?.value ??
    renderCard(call.whole, {
      ...{ action, reason: reason.code, sink, contacts, cut, authors, timezone },
      now: powers.now(),
    })
  const explained = await withFound(powers, task, { step, action, card: shown })
  const known = combine([explained, control], ([text = '']) => text)
  const remarked = remarkedCard(powers, task, { action, found: call.remarks, card: known, changed })
  const card = timedCard(powers, task, remarked)
  // Egress removes secrets from the text. A card with a part removed would be approved without having been fully seen.
  if (test(card, (text) => holdsSecret(powers, text)))
    return denied(powers, task, index, { code: 'secret_in_call', facts: { tool: action.id } })
  // The card is deleted with its question (C-04).
  const now = powers.now()
  const told = !isBackground(template.principalClass)
  const usual = task.timed === undefined ? powers.approvalTimeout : LATE_ANSWER
  const wait = isWord ? QUESTION_WINDOW : usual
  const until = told ? now + wait : nextBundle(now, timezone) + BUNDLE_WINDOW
  const sealed = await keepText(powers, { principal: task.principal, store: 'sessions', until }, card)
  const approval = createApproval({
    ...{ id: powers.newId(), task: task.id, step: step.id, principal: task.principal, tool: action.id, sink },
    ...{ digest: digestFor(at), card: sealed.id, reason: reason.code, label: card.label },
    ...{ now, timeout: until - now, template: task.template, told },
  })
  return {
    outcome: { got: 'needs_approval', step: index, approval: approval.id, reason },
    commit: () => {
      replaceAsked(powers, task, step)
      powers.store.saveApproval(approval, sealed)
      // The rows that the call is made of live as long as its question, so that an approval still finds the bytes
      // shown.
      powers.store.keepSealed(rowsBehind(powers, task, step), until + APPROVAL_SPEND_WINDOW)
      audit(powers, 'approval_asked', task, {
        ...{ approval: approval.id, kind: approval.kind, tool: action.id },
        ...{ reason: reason.code, label: approval.label },
      })
    },
  }
}

/** A question that this one changes ends unanswered with its task, in the same transaction: only one of them can get a yes. */
function replaceAsked(
  powers: Auditing & StoreOf<TaskStore & ApprovalStore>,
  task: Task,
  step: ToolStep,
): void {
  const { store } = powers
  for (const { approval: id, task: former } of askedBy(powers, task, step)) {
    const stored = store.findTask(former.id)
    const approval = store.loadApproval(id)?.approval
    if (stored === null || approval?.state !== 'pending') continue
    store.saveApproval({ ...approval, state: 'replaced', decidedAt: powers.now() }, null)
    store.saveTask(advance(stored.task, { got: 'withdrawn' }).task, [])
    audit(powers, 'approval_decided', stored.task, {
      ...{ approval: id, kind: approval.kind, decision: 'replaced', ok: true },
    })
  }
}

/** Bytes that changed since the approval were not approved (invariant 6). Another version of what is changed is asked about anew. */
async function spendApproval(at: Authorizing, approvalId: string, question: Refusal): Promise<Reported> {
  const { powers, task, index, step } = at
  const approval = powers.store.loadApproval(approvalId)?.approval ?? null
  if (approval === null) return denied(powers, task, index, { code: 'approval_unknown', facts: {} })
  const spent = spend(approval, { digest: digestFor(at), task: task.id, step: step.id, now: powers.now() })
  if (isOfAnotherVersion(at.action, spent)) return ask(at, question, true)
  if (task.timed !== undefined && !spent.ok && spent.reason.code === 'approval_expired')
    return askedAnew(powers, approval, await ask(at, question))
  if (!spent.ok) return denied(powers, task, index, spent.reason)
  return { outcome: tokenFor(at, spent.value), commit: () => recordSpending(powers, task, spent.value) }
}

/** Its time was over before it could run: that yes ends with the new question (docs/decisions/022). */
function askedAnew(powers: StoreOf<ApprovalStore>, former: Approval, asked: Reported): Reported {
  return {
    ...asked,
    commit: () => {
      powers.store.saveApproval({ ...former, state: 'expired' }, null)
      asked.commit?.()
    },
  }
}

function recordSpending(powers: Auditing & StoreOf<ApprovalStore>, task: Task, approval: Approval): void {
  const { id, kind, tool, sink, label } = approval
  powers.store.saveApproval(approval, null)
  if (kind === 'declassification')
    audit(powers, 'declassification', task, { approval: id, tool, sink, label })
}

/** For a write whose readers are looked up, with the token of the look right before it. */
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
      ...{ approval: approval?.id ?? null },
      ...{ issuedAt, expiresAt: issuedAt + TOKEN_LIFETIME, maxInvocations: 1 },
    },
    tokenKey,
  )
}

function digestFor({ task, action, call }: Authorizing): string {
  const sink = action.sink ?? task.sink
  return fingerprint(call.whole as Labeled, (args) => approvalDigest({ tool: action.id, args, sink }))
}

/** A refusal of the step, which the audit names. */
export function denied(powers: Auditing, task: Task, index: number, { code, facts }: Refusal): Reported {
  const reason: Refusal = { code, facts }
  return {
    outcome: { got: 'denied', step: index, reason },
    commit: () => audit(powers, 'denial', task, { step: index, code, ...facts }),
  }
}
