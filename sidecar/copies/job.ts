/**
 * Keeps the copies at the edge current, in the background (DESIGN §6): some minutes after a change of the stores, and at least
 * once a day, each in its own process (child.ts). A dead or full edge delays nothing; status and audit report it. Must not
 * keep keys. Called by home-jobs.ts.
 */

import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'
import { err, ok, type ReasonFacts, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { KeyRing } from '../../kernel/vault/key-ring.ts'
import { storesIn } from '../backup/stores.ts'
import { startScheduler } from '../jobs/scheduler.ts'
import type { HomeKeys } from '../keys/home-keys.ts'
import { type Saying, tell } from '../language/wording.ts'
import { runChild } from '../process/run-child.ts'
import type { StateFolder } from '../store/state-folder.ts'
import { readCopyNote } from './copy-format.ts'
import type { MadeCopy } from './make-copy.ts'

/** Milliseconds without a change before a copy starts: a conversation is copied once, not with every message. */
export const SETTLED = 120_000
/** Milliseconds after the first change until a copy is made in any case. This much may be lost with the machine. */
export const AT_LATEST = 600_000
/** Milliseconds until a copy is made without any change, to detect an edge that lost the last one. */
export const DAILY = 86_400_000
/** Milliseconds until a retry after a failure, so that an edge that is down is not called every minute. */
export const RETRY_AFTER = 600_000

interface CopySituation {
  readonly now: number
  /** When the newest copy was started, or null before the first. */
  readonly copiedAt: number | null
  /** When a store last changed, and when the first change after the newest copy was seen; null if there was none. */
  readonly changedAt: number
  readonly dirtySince: number | null
  readonly failedAt: number | null
}

/** Time of the next copy (epoch milliseconds); in the past if it is due. */
export function copyDueAt({ now, copiedAt, changedAt, dirtySince, failedAt }: CopySituation): number {
  // A time in the future was written by a wrong clock and would postpone the next copy until then.
  const last = copiedAt === null || copiedAt > now ? 0 : copiedAt
  const settled =
    dirtySince === null ? Number.POSITIVE_INFINITY : Math.min(changedAt + SETTLED, dirtySince + AT_LATEST)
  const due = Math.min(settled, last + DAILY)
  return failedAt === null ? due : Math.max(due, failedAt + RETRY_AFTER)
}

export const copyTaskSchema = z.strictObject({
  state: z.string(),
  edge: z.string(),
  now: z.number(),
  /** 32 bytes each, base64url. */
  replica: z.string(),
  recovery: z.string(),
})

const SCRIPT = fileURLToPath(new URL('child.ts', import.meta.url))
/** Milliseconds. Enough for a first copy over a slow connection; a retry does not resend chunks that arrived. */
const LONGEST_RUN = 1_800_000

const made = z.object({ number: z.int(), lost: z.nullable(z.int()) })

interface CopyRun {
  readonly state: string
  readonly edge: string
  readonly ring: Pick<KeyRing, 'storeKey' | 'recoverySeed'>
  readonly now: number
}

/** Refusals: those of `makeCopy` and `runChild`. */
async function runCopy(run: CopyRun, signal: AbortSignal): Promise<Result<MadeCopy>> {
  const { state, edge, now, ring } = run
  const replica = Buffer.from(ring.storeKey('replica')).toString('base64url')
  const recovery = Buffer.from(ring.recoverySeed()).toString('base64url')
  const task: z.output<typeof copyTaskSchema> = { state, edge, now, replica, recovery }
  const done = await runChild({ script: SCRIPT, task, longest: LONGEST_RUN }, signal)
  if (!done.ok) return done
  const parsed = z.safeParse(made, done.value)
  return parsed.success ? ok(parsed.data) : err('internal_fault')
}

interface CopyJobInput {
  readonly folder: StateFolder
  readonly now: () => number
  /** Makes one copy. `off`: why none are to be made. */
  readonly run: ((signal: AbortSignal) => Promise<Result<MadeCopy>>) | { readonly off: Saying }
  /** Writes an audit row. */
  readonly note: (facts: ReasonFacts) => void
  readonly fault: () => void
}

interface CopyStatus {
  /** When the newest copy was started (ISO), or why there is none. */
  readonly copies: string
  readonly copiesTrouble: ReasonCode | null
  /** Since when copies have failed (ISO). */
  readonly copiesFailingSince: string | null
}

export interface CopyJob {
  status(): CopyStatus
  /** Makes a copy now; waits for a running one first. Refusals: tool_unavailable, those of the run. */
  copyNow(): Promise<Result<MadeCopy>>
  /** Kills a running copy; an incomplete one does not count. */
  stop(): Promise<void>
}

function startCopyJob(input: CopyJobInput): CopyJob {
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
      copies:
        typeof run === 'function'
          ? dateOf(readCopyNote(folder)?.at)
          : tell('backup_setup.copies_off', { why: tell(run.off) }),
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
  return at === undefined ? tell('backup_setup.status_none_yet') : new Date(at).toISOString()
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

interface CopiesInput {
  readonly folder: StateFolder
  readonly edge: string | null
  readonly keys: Pick<HomeKeys, 'ring' | 'custody'>
  readonly now: () => number
  readonly note: (facts: ReasonFacts) => void
  readonly fault: () => void
}

export function startCopies({ folder, edge, keys, now, note, fault }: CopiesInput): CopyJob {
  const { ring, custody } = keys
  const state = folder.path
  const off = whyOff(edge, custody)
  const run =
    edge === null || off !== null
      ? { off: off ?? 'backup_setup.copies_no_edge' }
      : (signal: AbortSignal) => runCopy({ state, edge, ring, now: now() }, signal)
  return startCopyJob({ folder, now, run, note, fault })
}

/** A copy without a recovery phrase could never be restored, only stolen. */
function whyOff(edge: string | null, custody: HomeKeys['custody']): Saying | null {
  if (edge === null) return 'backup_setup.copies_no_edge'
  return custody === 'development' ? 'backup_setup.copies_dev_key' : null
}
