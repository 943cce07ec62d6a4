/**
 * Repeats a request that failed or whose question expired unanswered: on `/again`,
 * "try again", or a tap on the closed card. Creates a new task with the same words in the
 * same chat, without the old task's plan and approvals. Called by intake.ts and shell.ts.
 */
import { askableAgain, hasWritten } from '../features/approvals/endings.ts'
import type { Routed } from '../features/people/route.ts'
import { planModeAfter } from '../features/plan-mode/plan-mode.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { rowsFor, startTask } from '../machine/machine.ts'
import { type Auditing, audit } from '../powers/audit.ts'
import type { Actions, Clock, Ids } from '../powers/ports.ts'
import { openTextOf, type SealedReading, sealForLater } from '../powers/sealed.ts'
import type { SealedStore } from '../powers/sealed-port.ts'
import type { ApprovalStore, EventStore, StoreOf, TaskStore, Transactions } from '../powers/stores.ts'
import { taskIdOf } from '../task/capability.ts'
import { AGAIN, asksAgain } from '../task/command.ts'
import { OWNER_PRINCIPAL } from '../task/principal.ts'
import { isFinal, type Task } from '../task/task.ts'

/** Maximum newest tasks of a principal that are searched for the last request of a chat. */
const LOOKED_BACK = 20

/** What a task takes over from the one that it repeats. */
export interface Repeated {
  readonly of: Task
  readonly words: Awaited<ReturnType<typeof sealForLater>>
  /** Quoted text and files that are still there; raw content is deleted within the hour. */
  readonly stillStored: Pick<Task, 'quoted' | 'attached'>
}

/**
 * The request that this message repeats, with its words; null for any other message, or if those words
 * were deleted. A bare "again" counts only if nothing of the request was done; the command always counts.
 */
export async function repeatedIn(
  powers: SealedReading & Ids & Actions & StoreOf<TaskStore>,
  { event, principal, sink }: Pick<Routed, 'event' | 'principal' | 'sink'>,
): Promise<Repeated | null> {
  const { kind, text, quoted, attachments } = event
  if (principal.id !== OWNER_PRINCIPAL || kind !== 'message' || quoted.length + attachments.length > 0)
    return null
  const isCommand = text.trim().toLowerCase() === AGAIN
  if (!isCommand && !asksAgain(text)) return null
  const tasks = powers.store.recentTasks(principal.id, LOOKED_BACK)
  const last = tasks.find((task) => task.sink === sink && isRequest(task))
  if (last === undefined || !isFinal(last.state) || !(isCommand || isUndone(powers, last))) return null
  const repeated = await repeatOf(powers, last)
  return repeated.ok ? repeated.value : null
}

/** Not an answer to a question, and not a command about the work itself. */
function isRequest({ typed, stopped, pause, path }: Task): boolean {
  return typed === undefined && stopped === undefined && pause === undefined && path !== null
}

/** Whether the request failed at least in part and wrote nothing, so that repeating it writes nothing twice. */
function isUndone(powers: Actions, task: Task): boolean {
  const { state, trouble, traces } = task
  const isOpen = traces.some(({ outcome }) => outcome !== 'done' && outcome !== 'skipped')
  return (state.at === 'failed' || trouble !== null || isOpen) && !hasWritten(powers, task)
}

/** Copies what the new task takes over. Refusals: those of opening the words, which may have been deleted. */
async function repeatOf(powers: SealedReading & Ids, of: Task): Promise<Result<Repeated>> {
  const words = await openTextOf(powers, of.words)
  if (!words.ok) return words
  const keeping = { principal: of.principal, store: 'sessions', until: null } as const
  return ok({
    of,
    words: await sealForLater(powers, keeping, words.value),
    stillStored: stillStoredOf(powers, of),
  })
}

function stillStoredOf({ store }: StoreOf<SealedStore>, { quoted, attached }: Task): Repeated['stillStored'] {
  const isThere = ({ id }: { readonly id: string }): boolean => store.getSealed(id) !== null
  const { names, text, heard } = attached ?? {}
  const all = [names, text, heard].filter((ref) => ref !== undefined)
  return {
    ...(quoted !== undefined && isThere(quoted) && { quoted }),
    ...(attached !== undefined && all.every(isThere) && { attached }),
  }
}

/** Ports needed to ask again after a tap. */
type RepeatPorts = Auditing &
  Actions &
  Clock &
  Ids &
  SealedReading &
  StoreOf<TaskStore & ApprovalStore & EventStore & Transactions>

/**
 * Starts the request behind an expired question again, once per question. Refusals: approval_unknown if no
 * question of the owner's expired; approval_spent if it was repeated before; those of opening its words.
 */
export async function askAgain(powers: RepeatPorts, name: string): Promise<Result<Task>> {
  const approval = powers.store.loadApproval(name)?.approval ?? null
  const of = approval === null ? null : askableAgain(powers, approval)
  if (approval === null || of === null) return err('approval_unknown')
  const repeated = await repeatOf(powers, of)
  if (!repeated.ok) return repeated
  const { words, stillStored } = repeated.value
  const id = taskIdOf('again', approval.id)
  const planMode = planModeAfter(powers, { principal: of.principal, words: null })
  return powers.store.transaction(() => {
    if (powers.store.loadTask(id) !== null) return err('approval_spent', { approval: approval.id })
    const { template, principal, place, ceiling, tools, maxToolCalls, sink } = of
    const started = startTask({
      ...{ id, trace: powers.newId(), event: id, turn: powers.store.nextTurn(principal), words: words.ref },
      ...{ template, principal, place, ceiling, tools, maxToolCalls, sink, memory: {} },
      ...{ createdAt: powers.now(), ...stillStored, ...(planMode !== undefined && { planMode }) },
    })
    const { task, rows } = rowsFor(started.task, started.effects)
    if (!powers.store.addTask(task, rows)) return err('approval_spent', { approval: approval.id })
    words.put()
    audit(powers, 'task_created', task, {
      ...{ template, sink, repeats: of.id },
      kind: 'again',
      class: 'owner',
    })
    return ok(task)
  })
}
