/**
 * Builds what follows when a call needs more than the rules permit by themselves: a card about the exact bytes, a
 * question for a credential, or a refusal (C-04, F-03, F-04). Must not choose among them. Called by authorize.ts.
 */

import { accountSentAlong, alongDigest } from '../call/along.ts'
import type { AuthorizePorts } from '../call/authorize-port.ts'
import type { LookedUpCall } from '../call/target.ts'
import { askedBy, rowsBehind, rowsOf } from '../call/values/rows-behind.ts'
import { controlAbove } from '../call/values/select.ts'
import { periodAsked, QUESTION_WINDOW } from '../features/approvals/ask-owner.ts'
import { BUNDLE_WINDOW, isBackground, nextBundle } from '../features/approvals/bundle.ts'
import { authorsOf } from '../features/approvals/card/authors.ts'
import { renderCard } from '../features/approvals/card/card.ts'
import { withFound } from '../features/approvals/card/found.ts'
import { keyedCard, remarkedCard } from '../features/approvals/card/remarks.ts'
import { togetherCard } from '../features/approvals/card/together.ts'
import { askCredential } from '../features/credentials/ask-credential.ts'
import { LATE_ANSWER } from '../features/scheduled/port.ts'
import { timedCard } from '../features/scheduled/scheduled.ts'
import type { Json } from '../flow/json.ts'
import { combine, fingerprint, type Labeled, test } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import type { Refusal } from '../flow/verdict.ts'
import { advance, rowsFor } from '../machine/machine.ts'
import { type Auditing, audit, denied } from '../powers/audit.ts'
import { keepText } from '../powers/sealed.ts'
import type { ApprovalStore, StoreOf, TaskStore } from '../powers/stores.ts'
import { APPROVAL_SPEND_WINDOW, type Approval, approvalDigest, createApproval } from '../task/approval.ts'
import { carriesCut } from '../task/cut-text.ts'
import type { Reported } from '../task/outcome.ts'
import { ASK_OWNER, type ToolStep } from '../task/plan.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import { rootsOf } from '../task/roots.ts'
import type { Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { holdsSecret } from '../wording/guard/guard.ts'

export interface Authorizing {
  readonly powers: AuthorizePorts
  readonly task: Task
  readonly template: Template
  readonly index: number
  readonly step: ToolStep
  readonly action: RegisteredAction
  readonly call: LookedUpCall
}

/** Creates the pending approval of a call. Card and digest are made from the exact bytes that would run (F-03, F-04). */
export async function ask(at: Authorizing, found: Refusal, changed = false): Promise<Reported> {
  const { powers, task, template, index, step, action, call } = at
  // A scheduled call was approved with its destination. Only its time has passed or changed.
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
  const render = (args: typeof call.whole) =>
    renderCard(args, {
      ...{ action, reason: reason.code, sink, contacts, cut, authors, timezone },
      now: powers.now(),
    })
  const shown = period?.value ?? render(call.whole)
  const explained = await withFound(powers, task, { step, action, card: shown, remarks: call.remarks })
  const known = combine([explained, control], ([text = '']) => text)
  const remarked = remarkedCard(powers, task, { action, found: call.remarks, card: known, changed })
  const together = isWord
    ? remarked
    : await togetherCard(powers, task, { step, action, card: remarked, render })
  const card = timedCard(powers, task, keyedCard(powers, task, { action, card: together, args: call.whole }))
  // Egress would remove a secret from the text of the card, and the owner would approve bytes that the card does not show in
  // full.
  if (test(card, (text) => holdsSecret(powers, text)))
    return denied(powers, task, index, { code: 'secret_in_call', facts: { tool: action.id } })
  // The sealed card expires together with its question (C-04).
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
      // The sealed rows that the call is made of are kept as long as the approval can be spent, so that the call still finds the
      // bytes shown.
      powers.store.keepSealed(rowsBehind(powers, task, step), until + APPROVAL_SPEND_WINDOW)
      audit(powers, 'approval_asked', task, {
        ...{ approval: approval.id, kind: approval.kind, tool: action.id },
        ...{ reason: reason.code, label: approval.label },
      })
    },
  }
}

/**
 * If this card changes a pending one, closes the pending one as replaced in the same transaction, so that only one of
 * them can be approved. The task of the replaced card ends with it, unless other steps of that task are left to do.
 */
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
    const reason = { code: 'approval_replaced', facts: { approval: id } } as const
    const moved = hasMoreThan(stored.task, approval.step)
      ? advance(stored.task, { got: 'refused', approval: id, reason })
      : advance(stored.task, { got: 'withdrawn' })
    const next = rowsFor(moved.task, moved.effects)
    store.saveTask(next.task, next.rows)
    audit(powers, 'approval_decided', stored.task, {
      ...{ approval: id, kind: approval.kind, decision: 'replaced', ok: true },
    })
  }
}

/** Whether a later tool step of the plan depends on neither this step nor anything derived from it. */
function hasMoreThan({ plan }: Task, step: string): boolean {
  const steps = plan?.steps ?? []
  const needs = new Set([step])
  return steps.slice(steps.findIndex(({ id }) => id === step) + 1).some((later) => {
    const isDependent = rootsOf(later).some((root) => needs.has(root))
    if (isDependent) needs.add(later.id)
    return !isDependent && later.do === 'tool'
  })
}

/** Asks the owner and suspends the step; when nobody can be asked, the step ends here. */
export async function lackingCredential(
  at: Authorizing,
  key: string | null,
  rotates?: boolean,
): Promise<Reported> {
  const { powers, task, template, index, step, action, call } = at
  const service = key ?? action.tool.credential ?? action.tool.name
  const above = receive('', await controlAbove(powers, task, index))
  const control = key === null ? above : combine<Json, string>([above, call.whole], () => '')
  // A request for the credential itself has no action to give as the reason.
  const why = rotates === undefined ? action.description : null
  const lacking = { task, step: step.id, why, sink: task.sink, control, rotates: rotates === true }
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
 * Asks again about a call whose time passed before it could run. The old approval
 * expires in the transaction that stores the new question (docs/decisions/022).
 */
export function askedAnew(powers: StoreOf<ApprovalStore>, former: Approval, asked: Reported): Reported {
  return {
    ...asked,
    commit: () => {
      powers.store.saveApproval({ ...former, state: 'expired' }, null)
      asked.commit?.()
    },
  }
}

export function digestFor({ powers, task, action, call }: Authorizing): string {
  const sink = action.sink ?? task.sink
  const key = alongDigest(accountSentAlong(powers, action, call.whole))
  return fingerprint(call.whole as Labeled, (args) => approvalDigest({ tool: action.id, args, sink, ...key }))
}
