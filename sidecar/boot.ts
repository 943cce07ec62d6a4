/**
 * The four phases in which home comes up (S000 §5, M-23 – M-26): A what everything rests on, B what is taken up again, C
 * what the assistant is, D the doors. Runs their parts in order, times them and notes how each ended. Must not know what
 * a part does. Called by foundation.ts and runtime.ts.
 */
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { ReasonCode } from '../kernel/reasons.ts'

export type BootPhase = 'A' | 'B' | 'C' | 'D'

/** `late`: its time was up before it had ended. */
export type PartState = 'ready' | 'failed' | 'late'

/** One line of the ordered log: names and codes, never data. */
export interface BootLine {
  readonly phase: BootPhase
  readonly part: string
  readonly state: PartState
  readonly code: ReasonCode | null
  /** Milliseconds. */
  readonly ms: number
}

/** Something that is taken up again by itself: what becomes of it stops no other (M-24). */
export interface BootPart {
  readonly name: string
  readonly run: () => Promise<Result<unknown>> | Result<unknown>
  /** Milliseconds; `PART_WITHIN` unless it says so. */
  readonly within?: number
}

/** Milliseconds that a part has: one that hangs, as a dead disk or service does, must not keep the owner waiting. */
export const PART_WITHIN = 5_000

export interface Boot {
  /** One part that the rest stands on: its refusal is the caller's to hand on. */
  need<T>(phase: BootPhase, part: string, work: () => Promise<Result<T>> | Result<T>): Promise<Result<T>>
  /** Parts side by side: over when each has ended or had its time. */
  parts(phase: BootPhase, parts: readonly BootPart[]): Promise<readonly BootLine[]>
  /** From here on lines are written; those that came before are written first. */
  write(to: (line: BootLine) => void): void
}

export interface BootInput {
  /** Milliseconds of a clock that only goes forward. */
  readonly clock: () => number
  /** A part that failed or is late, for home's log. */
  readonly fault: (part: string) => void
  /** A part that was late has ended: what was said of it may be old. */
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
      // Who cannot start says why in a sentence of his own.
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

/** What throws has failed; its text is dropped, as it could quote data. */
async function settled<T>(run: () => Promise<Result<T>> | Result<T>): Promise<Result<T>> {
  try {
    return await run()
  } catch {
    return err('internal_fault')
  }
}

/** Null when the time is up first. */
async function before<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** A part that leaves something running behind. */
export interface JobPart<T> extends BootPart {
  /** Null until it has started, and where it could not. */
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
