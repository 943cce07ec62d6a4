/**
 * Shows a plan to the owner before it runs, if they want that (P-19). The question is an approval of its own kind,
 * bound to the canonical bytes of the plan, its literals, its task, chat and label. It is spent once, for that plan,
 * and authorises no call: each is still checked. Must not run anything. Called by drive.ts.
 */

import { type Reach, reachOf } from '../../call/disclosure.ts'
import { resolveRef } from '../../call/resolve.ts'
import { rowsOf } from '../../call/values/rows-behind.ts'
import type { Json } from '../../flow/json.ts'
import { describeLabel } from '../../flow/label.ts'
import { combine, derive, fingerprint, type Labeled } from '../../flow/labeled.ts'
import type { Place } from '../../flow/place.ts'
import { receive } from '../../flow/provenance.ts'
import { ok, type Refusal, type Result } from '../../flow/verdict.ts'
import { wantsMore } from '../../machine/step.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type {
  Actions,
  AskingTime,
  AtPlace,
  Clock,
  DirectiveFiles,
  HomeLine,
  Ids,
  OwnerFacts,
  Tools,
} from '../../powers/ports.ts'
import { keepText, openTextOf, type SealedKeeping, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, AuditLog, StoreOf } from '../../powers/stores.ts'
import { APPROVAL_SPEND_WINDOW, approvalDigest, createApproval, spend } from '../../task/approval.ts'
import type { Reported } from '../../task/outcome.ts'
import { CANNED, RULES, referencesIn, type Step } from '../../task/plan.ts'
import type { Effect, Task } from '../../task/task.ts'
import { cardWords, progressWords } from '../../tool/worded.ts'
import { instantOf, namedMoment } from '../../wording/output.ts'
import { authorOf, isOwnRef } from '../approvals/card/authors.ts'
import { type Given, planCard, type ShownAction } from './plan-card.ts'

/** Name of the question in the list of approvals. No tool has this name, so no token and no write matches. */
const PLAN_QUESTION = 'plan.run'
/** In place of a step id: no step has this id, so approving a plan approves no step. */
const WHOLE = 'plan'

type Showing = Extract<Effect, { readonly do: 'show_plan' }>

/** What the question is about. */
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

/** Whether the plan is worth showing: a single read is not, as its answer shows it. An unregistered tool counts as a write. */
function isWorthShowing({ registry }: Actions, { plan }: Task): boolean {
  const steps = plan?.steps ?? []
  const writes = (step: Step): boolean => {
    const action = step.do === 'tool' || step.do === 'forEach' ? lookUpAction(registry, step.tool) : null
    return action !== null && !(action.ok && action.value.semantics === 'read')
  }
  return steps.length > 1 || steps.some(writes)
}

/** Ports needed to state what a plan would do. */
type ShownPlanPorts = SealedReading &
  AtPlace &
  Actions &
  Tools &
  HomeLine &
  DirectiveFiles &
  OwnerFacts &
  Clock

/**
 * Card and digest are made of the same bytes, both when asking and when approved. Refusals: those of opening a sealed
 * text.
 */
async function shownOf(powers: ShownPlanPorts, task: Task, from: number): Promise<Result<Shown>> {
  const { plan, planned, sink, principal, template, literals = [], planner } = task
  const steps = plan?.steps ?? []
  const words = await openTextOf(powers, task.words)
  if (!words.ok) return words
  // Showing the question reveals what was planned, and that the owner wanted to see it.
  const control = [planned, task.planMode?.said].flatMap((source) => (source ? [receive('', source)] : []))
  const actions = await actionsIn(powers, task, steps)
  const ours = planner === CANNED || planner === RULES
  const isOwn = words.value.taint.level === 'clean'
  const given = await givenIn(powers, task, steps)
  const values = given.map(({ value }) => value)
  const card = combine<Json, string>([words.value, ...control, ...values], (all) => {
    const shown = all.slice(1 + control.length)
    return planCard({
      ...{ aim: isOwn ? String(all[0] ?? '') : null, steps, from, ours, again: wantsMore(task) },
      actionOf: (tool) => actions.get(tool) ?? null,
      given: new Map(steps.map(({ id }) => [id, givenTo(id, given, shown)])),
    })
  })
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

/** An argument that may be shown as it stands. */
interface GivenValue {
  readonly step: string
  readonly name: string
  readonly value: Labeled
}

/** Values that the owner typed, and times; every other value is described by its source. */
async function givenIn(
  powers: SealedReading & Actions & OwnerFacts & Clock,
  task: Task,
  steps: readonly Step[],
): Promise<readonly GivenValue[]> {
  const { timezone } = powers.profile()
  const shownAs = (value: Json, isTime: boolean): Json => {
    const at = isTime ? instantOf(value) : null
    return at === null ? (isTime ? null : value) : namedMoment(at, timezone, powers.now())
  }
  const given: GivenValue[] = []
  for (const step of steps) {
    const action = step.do === 'tool' ? lookUpAction(powers.registry, step.tool) : null
    if (step.do !== 'tool' || !action?.ok) continue
    for (const [name, spec] of Object.entries(action.value.args.fields)) {
      const written = step.args[name]
      const [ref, ...more] = written === undefined ? [] : referencesIn(written)
      if (written === undefined || ref === undefined || more.length > 0) continue
      const value = await resolveRef(powers, task, ref)
      if (!value.ok) continue
      const isTyped = authorOf(task, written, { spec, value: value.value }) === 'owner'
      const isTime = spec.kind === 'date' && isOwnRef(ref)
      if (isTime || isTyped)
        given.push({ step: step.id, name, value: derive(value.value, (one) => shownAs(one, isTime)) })
    }
  }
  return given
}

function givenTo(step: string, given: readonly GivenValue[], shown: readonly Json[]): readonly Given[] {
  return given.flatMap(({ step: of, name }, index) => {
    const value = shown[index]
    return of === step && typeof value === 'string' && value !== '' ? [{ name, value }] : []
  })
}

/** Uses the manifests only. */
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
    const asked = cardWords(action.value)?.ask ?? progressWords(action.value)
    const place = placeOf(powers, await reachOf(powers, task, action.value))
    shown.set(id, { id, description: asked ?? description, semantics, place })
  }
  return shown
}

function placeOf({ place }: AtPlace, reach: Reach): Place | null {
  if (reach === 'home') return 'home'
  return ['here', 'credential', 'off'].includes(reach) ? place : null
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

/**
 * Spends the approval of the plan. Denied for a plan that differs from the one shown, because it was not approved (invariant 6).
 */
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
