/**
 * Reports to the edge that home is working for it (C-32): each task after two seconds and then every four, in frames
 * that may be lost, within the edge's rate limit. Must not contain anybody's words. Called by handover.ts.
 */
import type { HomeWork } from '../kernel/features/places/handover-port.ts'
import type { EphemeralBody } from '../kernel/tunnel/frame.ts'

/** Milliseconds of one beat. */
const BEAT = 1_000
/**
 * Beats before the first report of a task, and between two reports: a chat shows the typing indicator for five seconds.
 */
const FIRST = 2
const AGAIN = 4
/** Beats between two frames: the edge disconnects a home that sends more than sixty a minute. */
const APART = 2

export interface WorkPulse {
  /** The task is running, as of now. */
  at(work: Exclude<HomeWork, { readonly on: 'rest' }>): void
  /** The task has ended. `untold`: no message will follow that would replace the indicator. */
  over(id: string, untold: boolean): void
  attach(send: (body: EphemeralBody) => void): void
  detach(): void
}

interface Pulsing {
  work: HomeWork
  /** Beats until the next report. */
  due: number
  told: boolean
}

export function createWorkPulse(): WorkPulse {
  const going = new Map<string, Pulsing>()
  let out: ((body: EphemeralBody) => void) | null = null
  let timer: ReturnType<typeof setInterval> | null = null
  let rest = 0

  const tell = (work: HomeWork): void => out?.({ type: 'work', work })
  const beat = (): void => {
    rest -= 1
    for (const one of going.values()) one.due -= 1
    const next = [...going].find(([, { due }]) => due <= 0)
    if (next === undefined || rest > 0 || out === null) return
    const [id, one] = next
    // Moved to the end, so that a long task does not block the reports of others.
    going.delete(id)
    going.set(id, { ...one, due: AGAIN, told: true })
    rest = APART
    tell(one.work)
  }
  const look = (): void => {
    if (going.size > 0) timer ??= setInterval(beat, BEAT).unref()
    else if (timer !== null) {
      clearInterval(timer)
      timer = null
    }
  }

  return {
    at(work) {
      const known = going.get(work.id)
      if (known === undefined) going.set(work.id, { work, due: FIRST, told: false })
      else known.work = work
      look()
    },
    over(id, untold) {
      const told = going.get(id)?.told === true
      going.delete(id)
      look()
      if (told && untold) tell({ on: 'rest', id })
    },
    attach: (send) => {
      out = send
    },
    detach() {
      out = null
    },
  }
}
