/**
 * Keeps the copies at the edge current, in the background (DESIGN §6): makes one when the clock or a change of the
 * stores requires it. A dead or full edge delays nothing; status and audit report it. Must not hold keys. Called by
 * start-copies.ts.
 */
import { statSync } from 'node:fs'
import { err, type ReasonFacts, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { storesIn } from '../backup/stores.ts'
import { startScheduler } from '../scheduler.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { copyDueAt, SETTLED } from './copy-due.ts'
import { readCopyNote } from './copy-note.ts'
import type { MadeCopy } from './make-copy.ts'

export interface CopyJobInput {
  readonly folder: StateFolder
  readonly now: () => number
  /** Makes one copy. `off`: why none are to be made. */
  readonly run: ((signal: AbortSignal) => Promise<Result<MadeCopy>>) | { readonly off: string }
  /** Writes an audit row. */
  readonly note: (facts: ReasonFacts) => void
  readonly fault: () => void
}

export interface CopyStatus {
  /** When the newest copy was started (ISO), or why there is none. */
  readonly copies: string
  readonly copiesTrouble: ReasonCode | null
  /** Since when copies have failed (ISO). */
  readonly copiesFailingSince: string | null
}

export interface CopyJob {
  status(): CopyStatus
  /**
   * Makes a copy now; if one is running, waits for it and makes another. Refusals: tool_unavailable, those of the run.
   */
  copyNow(): Promise<Result<MadeCopy>>
  /** Kills a running copy; an incomplete one does not count. */
  stop(): Promise<void>
}

export function startCopyJob(input: CopyJobInput): CopyJob {
  const stopping = new AbortController()
  const tick = createCopyTick(input, stopping.signal)
  const scheduler = startScheduler({ tick: tick.tick, now: input.now, fault: input.fault })
  return {
    status: tick.status,
    copyNow: tick.copyNow,
    async stop() {
      stopping.abort()
      await scheduler.stop()
      await tick.settled()
    },
  }
}

interface Failure {
  readonly since: number
  readonly at: number
  readonly code: ReasonCode
}

/** One check, without the timer. */
export function createCopyTick(input: CopyJobInput, signal: AbortSignal) {
  const { folder, now, run, note } = input
  let failure: Failure | null = null
  let dirtySince: number | null = null
  let line: Promise<unknown> = Promise.resolve()
  // Leaves home, and an edge that starts beside it, time to start up.
  const notBefore = now() + SETTLED

  const copy = async (): Promise<Result<MadeCopy>> => {
    if (typeof run !== 'function') return err('tool_unavailable', { why: 'off' })
    if (signal.aborted) return err('task_stopped')
    const made = await run(signal)
    if (signal.aborted) return made
    if (made.ok) dirtySince = null
    if (made.ok && made.value.lost !== null)
      note({ of: 'copies', code: 'record_stale', generation: made.value.lost })
    // An audit row only when it starts to fail or the reason changes: a row per attempt would itself be a change to
    // copy.
    if (!made.ok && failure?.code !== made.reason.code) note({ of: 'copies', code: made.reason.code })
    failure = made.ok ? null : { since: failure?.since ?? now(), at: now(), code: made.reason.code }
    return made
  }
  /** One copy at a time. */
  const copyNow = (): Promise<Result<MadeCopy>> => {
    const next = line.then(copy)
    line = next.catch(() => undefined)
    return next
  }

  const dueAt = (): number => {
    const copiedAt = readCopyNote(folder)?.at ?? null
    const changedAt = lastChange(folder)
    if (changedAt > (copiedAt ?? 0)) dirtySince ??= now()
    const due = copyDueAt({ now: now(), copiedAt, changedAt, dirtySince, failedAt: failure?.at ?? null })
    return Math.max(due, notBefore)
  }

  return {
    copyNow,
    settled: () => line,
    status: (): CopyStatus => ({
      copies: typeof run === 'function' ? dateOf(readCopyNote(folder)?.at) : `off: ${run.off}`,
      copiesTrouble: failure?.code ?? null,
      copiesFailingSince: failure === null ? null : new Date(failure.since).toISOString(),
    }),
    /** Makes a copy if it is due. Returns the time of the next check. */
    async tick(): Promise<number | null> {
      if (typeof run !== 'function') return null
      if (dueAt() <= now()) await copyNow()
      return dueAt()
    },
  }
}

function dateOf(at: number | undefined): string {
  return at === undefined ? 'none yet' : new Date(at).toISOString()
}

/** Newest change of any store or its log (epoch milliseconds). */
function lastChange(folder: StateFolder): number {
  const files = storesIn(folder).flatMap(({ name, kind }) =>
    kind === 'file' ? [name] : [name, `${name}-wal`],
  )
  return Math.max(0, ...files.map((name) => changeOf(folder.file(name))))
}

/** Zero if the file does not exist: SQLite removes and recreates logs. */
function changeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
