/**
 * A deadline that counts only the time during which the process was awake: after a sleep of the machine, an answer that arrived
 * meanwhile is read before the call times out. Must not read a clock. Called by scoped-client.ts and integrations/tools/port.ts.
 */

/** Number of parts of a deadline. A sleep, however long, uses up one part at most, since no timer runs meanwhile. */
const PARTS = 8

/**
 * Calls `end` after `milliseconds` of running time; returns a function that cancels it. A plain timer that expired during a sleep
 * would fire before anything is read, so that a message would count as unanswered and be sent twice.
 */
export function endAfter(milliseconds: number, end: () => void): () => void {
  let left = PARTS
  let timer: ReturnType<typeof setTimeout>
  const next = (): void => {
    left -= 1
    timer = setTimeout(left === 0 ? end : next, milliseconds / PARTS)
  }
  next()
  return () => clearTimeout(timer)
}
