/**
 * Keeps the copies at the edge current, unattended and off the message path (DESIGN §6): looks at the clock and at when
 * the stores changed, and has one made when it is due. A dead or full edge holds nothing up: it is said in the status and
 * noted in the audit. Must not hold keys. Called by runtime.ts.
 */
import { statSync } from 'node:fs'
import { err, type ReasonFacts, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import { storesIn } from '../backup/stores.ts'
import { startScheduler } from '../scheduler.ts'
import type { StateFolder } from '../state-folder.ts'
import { copyDueAt, SETTLED } from './copy-due.ts'
import { readCopyNote } from './copy-note.ts'
import type { MadeCopy } from './make-copy.ts'

export interface CopyJobInput {
  readonly folder: StateFolder
  readonly now: () => number
  /** Makes one copy; null with a word of why, when there are none to be made. */
  readonly run: ((signal: AbortSignal) => Promise<Result<MadeCopy>>) | { readonly off: string }
  /** One line of the audit. */
  readonly note: (facts: ReasonFacts) => void
  readonly fault: () => void
}

export interface CopyStatus {
  /** When the newest copy was begun (ISO), or what is the matter. */
  readonly copies: string
  readonly copiesTrouble: ReasonCode | null
  /** Since when none could be made (ISO). */
  readonly copiesFailingSince: string | null
}

export interface CopyJob {
  status(): CopyStatus
  /** Makes one at once, or waits for the one that runs and makes another. Refusals: tool_unavailable, those of the run. */
  copyNow(): Promise<Result<MadeCopy>>
  /** Kills a copy that runs: half of one never counts. */
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

/** One look at the clock, apart from the timer. */
export function createCopyTick(input: CopyJobInput, signal: AbortSignal) {
  const { folder, now, run, note } = input
  let failure: Failure | null = null
  let dirtySince: number | null = null
  let line: Promise<unknown> = Promise.resolve()
  // Home comes up in peace, and so may the edge beside it.
  const notBefore = now() + SETTLED

  const copy = async (): Promise<Result<MadeCopy>> => {
    if (typeof run !== 'function') return err('tool_unavailable', { why: 'off' })
    if (signal.aborted) return err('task_stopped')
    const made = await run(signal)
    if (signal.aborted) return made
    if (made.ok) dirtySince = null
    if (made.ok && made.value.lost !== null)
      note({ of: 'copies', code: 'record_stale', generation: made.value.lost })
    // A line when it begins to fail and when it fails in another way: one for each try would be copied itself.
    if (!made.ok && failure?.code !== made.reason.code) note({ of: 'copies', code: made.reason.code })
    failure = made.ok ? null : { since: failure?.since ?? now(), at: now(), code: made.reason.code }
    return made
  }
  /** One at a time. */
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
    /** Makes one when it is due; the next moment to look. */
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

/** Newest change of any store, its log included (epoch milliseconds). */
function lastChange(folder: StateFolder): number {
  const files = storesIn(folder).flatMap(({ name, kind }) =>
    kind === 'file' ? [name] : [name, `${name}-wal`],
  )
  return Math.max(0, ...files.map((name) => changeOf(folder.file(name))))
}

/** A log comes and goes. */
function changeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
