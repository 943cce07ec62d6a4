/**
 * What work costs this thread, and how that grows with what it is given. By processor time, of which a busy machine takes little away. Must
 * not read the clock on the wall. Used by tests of what hostile text may cost.
 */

/** Milliseconds of the processor for the cheapest of `runs`: what disturbs one run disturbs no other. */
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
/** Work in proportion to its size costs `TIMES` as much, quadratic work the square of it. */
const MOST = 10
/** Milliseconds between two readings of a thread's time, on a machine that counts it coarsely. */
const TICK = 4

/** Milliseconds from which one run is enough: what disturbs it is little beside it. */
const LONG = 50

function cheapest(work: () => unknown): number {
  const first = processorTime(work, 1)
  return first > LONG ? first : Math.min(first, processorTime(work, 2))
}

/** Whether work on four times as much costs about four times as much, and not sixteen. `work` is given a size. */
export function isLinear(work: (size: number) => unknown, size: number): boolean {
  const small = cheapest(() => work(size))
  return cheapest(() => work(size * TIMES)) < MOST * Math.max(small, TICK)
}
