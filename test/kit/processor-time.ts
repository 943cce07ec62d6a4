/**
 * Measures the processor time of work on this thread and how it grows with the input. Processor time hardly depends on the
 * machine's other load. Must not read wall-clock time. Called by tests of the cost of hostile text.
 */

/** Processor time in ms of the cheapest of `runs`, since a disturbance affects single runs. */
export function processorTime(work: () => unknown, runs = 3): number {
  return Math.min(
    ...Array.from({ length: runs }, () => {
      const before = process.threadCpuUsage()
      work()
      const { user, system } = process.threadCpuUsage(before)
      return (user + system) / 1_000
    }),
  )
}

const TIMES = 4
/** Maximum ratio of the costs: linear work costs `TIMES` as much, quadratic work `TIMES` squared. */
const MOST = 10
/** Resolution in ms of a thread's processor time on a machine that counts coarsely; smaller costs count as this. */
const TICK = 4

/** Cost in ms from which one run is enough, because a disturbance is small in comparison. */
const LONG = 50

function cheapest(work: () => unknown): number {
  const first = processorTime(work, 1)
  return first > LONG ? first : Math.min(first, processorTime(work, 2))
}

/** Most measurements: collecting garbage, or compiling, in the middle of one may cost more than the work. */
const ROUNDS = 3

/** Whether `work` on four times the size costs about four times as much, not sixteen; once measured so is enough, as quadratic work never is. */
export function isLinear(work: (size: number) => unknown, size: number): boolean {
  return Array.from({ length: ROUNDS }).some(() => {
    const small = cheapest(() => work(size))
    return cheapest(() => work(size * TIMES)) < MOST * Math.max(small, TICK)
  })
}
