/**
 * Shows a plan to the owner before any of it runs, where he wants that (P-19): the question is an approval of a kind of its own,
 * bound to the plan's canonical bytes with what its planner wrote, to whose task it is, its chat and label. A yes is spent once,
 * on that plan, and lets no call pass: each is authorised as ever. Must not run anything. Called by drive.ts.
 */

import { type Reach, reachOf } from '../../call/reach.ts'
import type { Json } from '../../flow/json.ts'
import { describeLabel } from '../../flow/label.ts'
import { combine, derive, fingerprint, type Labeled } from '../../flow/labeled.ts'
import type { Place } from '../../flow/place.ts'
import { receive } from '../../flow/provenance.ts'
import { ok, type Refusal, type Result } from '../../flow/verdict.ts'
import { rowsOf } from '../../pipeline/authorize.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  DirectiveFiles,
  HomeLine,
  Ids,
  Tools,
} from '../../powers/ports.ts'
import { keepText, openTextOf, type SealedKeeping, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, AuditLog, StoreOf } from '../../powers/stores.ts'
import { APPROVAL_SPEND_WINDOW, approvalDigest, createApproval, spend } from '../../task/approval.ts'
import type { Reported } from '../../task/outcome.ts'
import { CANNED, RULES, type Step } from '../../task/plan.ts'
import type { Effect, Task } from '../../task/task.ts'
import { planCard, type ShownAction } from './plan-card.ts'

/** What the question is called where approvals are listed; no tool has this name, so no token and no write fits it. */
export const PLAN_QUESTION = 'plan.run'
/** In place of a step's id: none is called so, and a yes to a plan is for no step of it. */
const WHOLE = 'plan'

type Showing = Extract<Effect, { readonly do: 'show_plan' }>

/** What is asked about. */
interface Shown {
  readonly card: Labeled<string>
  readonly digest: string
}

export async function showPlan(
  powers: ShownPlanPorts & Ids & AskingTime & StoreOf<ApprovalStore & AuditLog>,
  task: Task,
  showing: Showing,
): Promise<Reported> {
  const { step, approval } = showing
  if (approval === null && !isWorthShowing(powers, task)) return { outcome: { got: 'agreed', step } }
  const shown = await shownOf(powers, task, step)
  if (!shown.ok) return denied(powers, task, step, shown.reason)
  return approval === null ? ask(powers, task, step, shown.value) : agree(powers, task, showing, shown.value)
}

/** One read shows itself by its answer; a tool that nobody knows counts as one that writes. */
function isWorthShowing({ registry }: Actions, { plan }: Task): boolean {
  const steps = plan?.steps ?? []
  const writes = (step: Step): boolean => {
    const action = step.do === 'tool' || step.do === 'forEach' ? lookUpAction(registry, step.tool) : null
    return action !== null && !(action.ok && action.value.semantics === 'read')
  }
  return steps.length > 1 || steps.some(writes)
}

/** What it takes to say what a plan would do. */
type ShownPlanPorts = SealedReading & AtPlace & Actions & Tools & HomeLine & DirectiveFiles

/** The card and the digest are of the same bytes, at the question and at the yes. Refusals: those of opening a sealed text. */
async function shownOf(powers: ShownPlanPorts, task: Task, from: number): Promise<Result<Shown>> {
  const { plan, planned, sink, principal, template, literals = [], planner } = task
  const steps = plan?.steps ?? []
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return words
  // That it is asked tells what was planned, and that he wanted to see it.
  const control = [planned, task.planMode?.said].flatMap((source) => (source ? [receive('', source)] : []))
  const actions = await actionsIn(powers, task, steps)
  const ours = planner === CANNED || planner === RULES
  const isOwn = words.value.taint.level === 'clean'
  const card = combine([words.value, ...control], ([aim = '']) =>
    planCard({
      ...{ aim: isOwn ? aim : null, steps, from, ours, again: task.again === true },
      actionOf: (tool) => actions.get(tool) ?? null,
    }),
  )
  const written: Labeled<string>[] = []
  for (const { ref } of literals) {
    const text = await openTextOf(powers, ref)
    if (!text.ok) return text
    written.push(text.value)
  }
  const bound = { steps, from, again: task.again === true, template, principal }
  const label = describeLabel(card.label)
  const bytes = combine([derive(card, () => ''), ...written], ([_card, ...texts]): Json => {
    return { ...bound, label, written: texts }
  })
  const digest = fingerprint(bytes, (args) => approvalDigest({ tool: PLAN_QUESTION, args, sink }))
  return ok({ card, digest })
}

/** By the manifests alone. */
async function actionsIn(
  powers: AtPlace & Actions & Tools & HomeLine & DirectiveFiles,
  task: Task,
  steps: readonly Step[],
): Promise<ReadonlyMap<string, ShownAction>> {
  const shown = new Map<string, ShownAction>()
  for (const step of steps) {
    const action =
      step.do === 'tool' || step.do === 'forEach' ? lookUpAction(powers.registry, step.tool) : null
    if (!action?.ok) continue
    const { id, description, semantics } = action.value
    const place = placeOf(powers, await reachOf(powers, task, action.value))
    shown.set(id, { id, description, semantics, place })
  }
  return shown
}

function placeOf({ place }: AtPlace, reach: Reach): Place | null {
  if (reach === 'home') return 'home'
  return reach === 'here' || reach === 'credential' ? place : null
}

async function ask(
  powers: Auditing & SealedKeeping & AskingTime & StoreOf<ApprovalStore>,
  task: Task,
  step: number,
  { card, digest }: Shown,
): Promise<Reported> {
  const now = powers.now()
  const until = now + powers.approvalTimeout
  const sealed = await keepText(powers, { principal: task.principal, store: 'sessions', until }, card)
  const reason: Refusal = { code: 'write_approval_required', facts: { tool: PLAN_QUESTION } }
  const approval = createApproval({
    ...{ id: powers.newId(), kind: 'plan' as const, task: task.id, step: WHOLE, principal: task.principal },
    ...{ tool: PLAN_QUESTION, sink: task.sink, digest, card: sealed.id, reason: reason.code },
    ...{ label: card.label, now, timeout: until - now, template: task.template },
  })
  return {
    outcome: { got: 'needs_approval', step, approval: approval.id, reason },
    commit: () => {
      powers.store.saveApproval(approval, sealed)
      powers.store.keepSealed(rowsOf(task), until + APPROVAL_SPEND_WINDOW)
      audit(powers, 'approval_asked', task, {
        ...{ approval: approval.id, kind: approval.kind, tool: PLAN_QUESTION },
        ...{ reason: reason.code, label: approval.label },
      })
    },
  }
}

/** A plan that is not the one he was shown is not the one he said yes to (invariant 6). */
function agree(
  powers: Auditing & StoreOf<ApprovalStore>,
  task: Task,
  { step, approval: id }: Showing,
  { digest }: Shown,
): Reported {
  const approval = powers.store.loadApproval(id ?? '')?.approval
  if (approval === undefined) return denied(powers, task, step, { code: 'approval_unknown', facts: {} })
  const spent = spend(approval, { digest, task: task.id, step: WHOLE, now: powers.now() })
  if (!spent.ok) return denied(powers, task, step, spent.reason)
  return { outcome: { got: 'agreed', step }, commit: () => powers.store.saveApproval(spent.value, null) }
}

function denied(powers: Auditing, task: Task, step: number, { code, facts }: Refusal): Reported {
  return {
    outcome: { got: 'denied', step, reason: { code, facts } },
    commit: () => audit(powers, 'denial', task, { step, code, ...facts }),
  }
}
