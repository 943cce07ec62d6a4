/** A place's patience without waiting: pauses are noted and over at once, chance is none, and no model rests. */
import type { Patience } from '../../kernel/inference/attempt.ts'

export interface TestPatience extends Patience {
  /** Milliseconds of each pause, in order. */
  readonly pauses: number[]
}

export function testPatience(over: Partial<Patience> = {}): TestPatience {
  const pauses: number[] = []
  return {
    pauses,
    pause: async (ms) => void pauses.push(ms),
    chance: () => 0,
    breakers: { enter: async () => ({ ok: true, value: true }), leave: async () => undefined },
    ...over,
  }
}
