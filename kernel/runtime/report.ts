/**
 * Report on a task to the outside (DESIGN §8): places, labels, steps and sizes. Rendered by
 * the kernel, so it may show a label; a model's text may not. Called by shell.ts.
 */

import { foldCard } from '../features/approvals/card/card-face.ts'
import { type CardPorts, openCard } from '../features/approvals/card/card-opening.ts'
import { openDelivery } from '../features/deliveries/deliver.ts'
import { waitsWords } from '../features/places/home-wait.ts'
import { describeLabel, joinLabels } from '../flow/label.ts'
import type { Place } from '../flow/place.ts'
import { joinTaints } from '../flow/taint.ts'
import type {
  ApprovalStore,
  AuditEvent,
  AuditTrail,
  OutboxStore,
  StoredApproval,
  StoreOf,
  TaskStore,
} from '../powers/stores.ts'
import { isSilent, type TypedAnswer } from '../task/answers/answer-words.ts'
import type { Approval } from '../task/approval.ts'
import { type QueuedCall, type SealedRef, sealedIn, type Task } from '../task/task.ts'

export interface ReportedStep {
  readonly tool: string
  readonly place: Place
  readonly label: string | null
  readonly approved: boolean
  readonly outcome: string
}

export interface ReportedDelivery {
  readonly sink: string
  readonly label: string
  readonly bytes: number
}

export interface TaskReport {
  /**
   * Last text sent to the person: answer, card or notice; with the card of a change that the message proposed. Null while nothing
   * was sent.
   */
  readonly reply: string | null
  readonly task: {
    readonly id: string
    readonly place: Place
    readonly template: string
    readonly label: string
    readonly taint: string
    readonly model: string | null
    readonly planner: string | null
    readonly path: 'fast' | 'full' | null
    readonly state: string
    readonly trouble: string | null
    readonly approval: string | null
    /** Number of options of the open question, named `<id>.1` and so on; 0 for a yes-or-no question. */
    readonly options: number
    readonly steps: readonly ReportedStep[]
    readonly delivered: readonly ReportedDelivery[]
  }
  readonly timings: { readonly totalMs: number }
}

interface ReportInput {
  readonly task: Task
  readonly reply: string | null
  /** Approval that the task waits for, or that its message proposed; null when there is none. */
  readonly asked: Pick<Approval, 'id' | 'options'> | null
  readonly audit: readonly AuditEvent[]
}

function reportOf({ task, reply, asked, audit }: ReportInput): TaskReport {
  const { id, place, template, model, planner, path, state, trouble } = task
  const held = heldBy(task)
  return {
    reply,
    task: {
      id,
      place,
      template,
      label: describeLabel(joinLabels(...held.map((ref) => ref.label))),
      taint: joinTaints(...held.map((ref) => ref.taint)).level,
      model,
      planner,
      path,
      state: state.at,
      trouble: trouble?.code ?? (queuedAlone(task) === null ? null : 'home_offline'),
      approval: asked?.id ?? null,
      options: asked?.options ?? 0,
      steps: task.traces.map(({ tool, place: at, label, approved, outcome }) => ({
        tool,
        place: at,
        label,
        approved,
        outcome,
      })),
      delivered: audit
        .filter((event) => event.kind === 'egress' && event.facts['ok'] === true)
        .map(deliveryOf),
    },
    timings: { totalMs: (audit.at(-1)?.at ?? task.createdAt) - task.createdAt },
  }
}

/** Everything the task has held so far: words, records and answer. */
function heldBy(task: Task): readonly SealedRef[] {
  const results = sealedIn(task.results)
  return [task.words, task.said, task.answer, ...results].filter((ref) => ref !== null)
}

function deliveryOf({ facts }: AuditEvent): ReportedDelivery {
  return { sink: String(facts['sink']), label: String(facts['label']), bytes: Number(facts['bytes']) }
}

/**
 * Id of the task that replies to this task's message: the task of a card that the message edited or decided; otherwise this task's
 * own id. Of several decided cards, the first approved one.
 */
export function repliesFor(
  { store }: StoreOf<ApprovalStore & TaskStore>,
  { id, typed, sink }: Pick<Task, 'id' | 'typed' | 'sink'>,
): string {
  const card = typed === undefined ? null : repliedBy(typed)
  const of = card === null ? null : store.loadTask(store.loadApproval(card)?.approval.task ?? '')
  // What another chat is answered may be above this one's clearance.
  return of !== null && of.sink === sink ? of.id : id
}

function repliedBy(typed: TypedAnswer): string | null {
  if ('replaced' in typed) return typed.replaced
  if (!isSilent(typed)) return null
  const decided = ('answers' in typed ? typed.answers : [typed]).flatMap((one) =>
    'decided' in one ? [one] : [],
  )
  return (decided.find(({ decision }) => decision === 'approve') ?? decided[0])?.decided ?? null
}

/** Report on the current state of a task; null when it does not exist. */
export async function reportOn(
  powers: CardPorts & StoreOf<ApprovalStore & AuditTrail & OutboxStore>,
  task: Task | null,
): Promise<TaskReport | null> {
  if (task === null) return null
  const { id } = task
  const last = powers.store.lastDelivery(id)
  const asked = askedBy(powers, task)
  const opened = last === null ? null : await openDelivery(powers, last)
  const said = opened?.ok
    ? opened.value.text
    : asked === null
      ? waitingWords(task)
      : await questionOf(powers, asked)
  const proposed = asked === null ? proposedBy(powers, task) : null
  const card = proposed === null ? null : await questionOf(powers, proposed)
  const audit = powers.store.auditOf(id)
  return reportOf({
    ...{ task, audit, asked: (asked ?? proposed)?.approval ?? null },
    reply: card === null ? said : [said, card].filter((part) => part !== null).join('\n\n'),
  })
}

/** Of a task that waits for home without a question: what an earlier notice in the chat said for it as well. */
function waitingWords(task: Task): string | null {
  const queued = queuedAlone(task)
  return queued === null ? null : waitsWords(task, queued.until)
}

/** The call that is queued for home without a question; null for any other task. */
function queuedAlone({ state }: Task): QueuedCall | null {
  const queued = state.at === 'awaiting_home' ? state.queued : undefined
  return queued?.choice === null ? queued : null
}

/** A change that the task's message proposed: its card follows the answer in the same chat. */
function proposedBy(
  { store }: StoreOf<ApprovalStore>,
  { event, principal, sink }: Task,
): StoredApproval | null {
  const waiting = store.pendingApprovals(principal)
  return (
    waiting.find(
      ({ approval }) => approval.task === '' && approval.message === event && approval.sink === sink,
    ) ?? null
  )
}

/**
 * The open question that a task waits for, possibly asked for an earlier task in the
 * same chat, or the only question that its answer lists.
 */
function askedBy({ store }: StoreOf<ApprovalStore>, { state, typed }: Task): StoredApproval | null {
  if (typed !== undefined && 'listed' in typed && typed.listed.length === 1) {
    const stored = store.loadApproval(typed.listed[0] ?? '')
    return stored?.approval.state === 'pending' ? stored : null
  }
  if (state.at === 'awaiting_approval') return store.loadApproval(state.approval)
  if (state.at !== 'awaiting_home' || state.queued?.told !== true) return null
  const { choice } = state.queued
  const stored = choice === null ? null : store.loadApproval(choice)
  return stored?.approval.state === 'pending' ? stored : null
}

async function questionOf(powers: CardPorts, stored: StoredApproval): Promise<string | null> {
  const card = await openCard(powers, stored)
  return card.ok ? foldCard(card.value, stored.approval.id) : null
}
