/**
 * Sends one message, waits until its task has an answer or a card, and returns the report. Must not print. Called by
 * the `ask`, `approve` and `deny` commands.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { err, type Result } from '../../../kernel/flow/verdict.ts'
import type { TaskReport } from '../../../kernel/runtime/report.ts'
import { isOffline, type Link } from '../line/link.ts'

/** Milliseconds between polls: short at first, because most answers come quickly; then longer to limit the load. */
const FIRST_PAUSE_MS = 15
const LONGEST_PAUSE_MS = 400
const PAUSE_GROWTH = 1.25

/** Final states of a task. */
const SETTLED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled'])

/** States in which the task waits for the owner if it has asked something; otherwise it waits for home only. */
const ASKING: ReadonlySet<string> = new Set(['awaiting_approval', 'awaiting_home'])

export interface Patience {
  /** Epoch milliseconds. */
  readonly deadline: number
  readonly onWait: (elapsedMs: number) => void
  /** Reconnects after a lost connection; refuses if that is impossible. */
  readonly recover: () => Promise<Result<true>>
}

/** Fails with `task_stuck` after the deadline; the task itself continues. */
export async function ask(link: Link, text: string, patience: Patience): Promise<Result<TaskReport>> {
  const id = randomUUID().replaceAll('-', '')
  const sent = await persist(link, () => link.send({ id, text }), patience)
  return sent.ok ? follow(link, sent.value.task, patience) : sent
}

/** Waits for an existing task. `past`: an approval that was just decided, whose card is not returned again. */
export async function follow(
  link: Link,
  task: string,
  patience: Patience & { readonly past?: string },
): Promise<Result<TaskReport>> {
  const started = Date.now()
  for (
    let wait = FIRST_PAUSE_MS;
    Date.now() < patience.deadline;
    wait = Math.min(wait * PAUSE_GROWTH, LONGEST_PAUSE_MS)
  ) {
    const report = await persist(link, () => link.report(task), patience)
    if (!report.ok || isSettled(report.value, patience.past)) return report
    patience.onWait(Date.now() - started)
    await pause(wait)
  }
  return err('task_stuck', { task })
}

/**
 * The answer's row and the new state are written in two transactions: a card without its text is not complete yet. A notice that
 * the task waits for home ends the wait here, too.
 */
function isSettled({ reply, task }: TaskReport, past: string | undefined): boolean {
  if (!ASKING.has(task.state)) return SETTLED.has(task.state)
  const asks = task.approval !== null && task.approval !== (past ?? null)
  const waits = task.state === 'awaiting_home' && task.trouble === 'home_offline' && past === undefined
  return reply !== null && (asks || waits)
}

/** Retries an idempotent call while the place cannot be reached. */
async function persist<T>(
  link: Link,
  call: () => Promise<Result<T>>,
  patience: Patience,
): Promise<Result<T>> {
  for (;;) {
    const result = await call()
    if (result.ok || !isOffline(link, result.reason.code) || Date.now() >= patience.deadline) return result
    const recovered = await patience.recover()
    if (!recovered.ok) return recovered
  }
}
