/**
 * Tells the edge that home is at work for it (C-32): of each piece of work after two seconds and then every four, in frames that may be
 * lost, and never more of them than the edge takes. Must not be told a word of anybody's. Called by handover.ts.
 */
import type { HomeWork } from '../kernel/powers/handover-port.ts'
import type { EphemeralBody } from '../kernel/tunnel/frame.ts'

/** Milliseconds of one beat. */
const BEAT = 1_000
/** Beats before work is told of at all, and between two words of it: a chat shows for five seconds that somebody writes. */
const FIRST = 2
const AGAIN = 4
/** Beats between two frames, whatever there is to tell: the edge hangs up on a home that sends more than sixty a minute. */
const APART = 2

export interface WorkPulse {
  /** Goes on, as from now. */
  at(work: Exclude<HomeWork, { readonly on: 'rest' }>): void
  /** Over; `untold`: nothing is said of it there that would take the place of what shows it. */
  over(id: string, untold: boolean): void
  attach(send: (body: EphemeralBody) => void): void
  detach(): void
}

interface Pulsing {
  work: HomeWork
  /** Beats until it is told of. */
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
    // Behind the others: one that is long at work must not silence them.
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
