/**
 * Startup of home in four phases (S000 §5, M-23 – M-26): A foundation, B recovered state, C identity, D listeners. Runs
 * the parts of a phase, times them and logs each result. Must not depend on what a part does. Called by foundation.ts
 * and runtime.ts.
 */
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'

export type BootPhase = 'A' | 'B' | 'C' | 'D'

/** `late`: the part had not finished when its time limit expired. */
export type PartState = 'ready' | 'failed' | 'late'

/** One line of the startup log. Holds names and codes, never data. */
export interface BootLine {
  readonly phase: BootPhase
  readonly part: string
  readonly state: PartState
  readonly code: ReasonCode | null
  readonly ms: number
}

/** A part of the start that can fail on its own. Its failure does not stop the others (M-24). */
export interface BootPart {
  readonly name: string
  readonly run: () => Promise<Result<unknown>> | Result<unknown>
  /** Time limit in milliseconds; defaults to `PART_WITHIN`. */
  readonly within?: number
}

/** Default time limit of a part, milliseconds. A hanging disk or service must not delay the start for longer. */
export const PART_WITHIN = 5_000

export interface Boot {
  /** Runs a part that the rest depends on. The caller handles its refusal. */
  need<T>(phase: BootPhase, part: string, work: () => Promise<Result<T>> | Result<T>): Promise<Result<T>>
  /** Runs parts concurrently. Resolves when each has finished or exceeded its time limit. */
  parts(phase: BootPhase, parts: readonly BootPart[]): Promise<readonly BootLine[]>
  /** Sets the log target. Lines that were logged before are written first. */
  write(to: (line: BootLine) => void): void
}

export interface BootInput {
  /** Monotonic clock, milliseconds. */
  readonly clock: () => number
  /** Called with a part that failed or is late, for home's log. */
  readonly fault: (part: string) => void
  /** Called when a late part has finished, because what was recorded about it may be out of date. */
  readonly cameLate: () => void
}

export function createBoot({ clock, fault, cameLate }: BootInput): Boot {
  const early: BootLine[] = []
  let put = (line: BootLine): void => void early.push(line)
  const note = (line: BootLine): BootLine => {
    put(line)
    if (line.state !== 'ready') fault(`start of ${line.part}${line.code === null ? '' : ` (${line.code})`}`)
    return line
  }
  const timed = async <T>(part: Pick<BootPart, 'name'> & { run: () => Promise<Result<T>> | Result<T> }) => {
    const since = clock()
    const result = await settled(part.run)
    const ms = Math.round(clock() - since)
    const code = result.ok ? null : result.reason.code
    return { result, line: { part: part.name, state: result.ok ? 'ready' : 'failed', code, ms } as const }
  }

  const within = async (phase: BootPhase, part: BootPart): Promise<BootLine> => {
    const time = part.within ?? PART_WITHIN
    const running = timed(part)
    const over = await before(running, time)
    if (over !== null) return note({ phase, ...over.line })
    void running.then(({ line }) => {
      note({ phase, ...line })
      cameLate()
    })
    return note({ phase, part: part.name, state: 'late', code: null, ms: time })
  }

  return {
    async need(phase, name, run) {
      const { result, line } = await timed({ name, run })
      // No `fault` here: when a required part fails, home prints its own sentence about it and exits.
      put({ phase, ...line })
      return result
    },
    parts: (phase, parts) => Promise.all(parts.map((part) => within(phase, part))),
    write(to) {
      for (const line of early.splice(0)) to(line)
      put = to
    },
  }
}

/** Treats a thrown error as a failure. Drops its text, which could quote data. */
async function settled<T>(run: () => Promise<Result<T>> | Result<T>): Promise<Result<T>> {
  try {
    return await run()
  } catch {
    return err('internal_fault')
  }
}

/** Null if the time limit expires first. */
async function before<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

export interface JobPart<T> extends BootPart {
  /** Null until the job has started, and if it could not start. */
  readonly job: () => T | null
  readonly stop: () => Promise<void>
}

export function jobPart<T extends { stop(): Promise<void> }>(name: string, start: () => T): JobPart<T> {
  let job: T | null = null
  return {
    name,
    run() {
      job = start()
      return ok(true)
    },
    job: () => job,
    stop: async () => job?.stop(),
  }
}
