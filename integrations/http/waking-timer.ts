/**
 * A deadline that counts only the time in which the process was awake: after a sleep, an answer that came meanwhile is read before
 * the call is given up. Must not read a clock. Called by scoped-client.ts and integrations/tools/port.ts.
 */

/** Parts of a deadline. A sleep costs one of them, however long it was, since no timer runs meanwhile. */
const PARTS = 8

/**
 * Calls `end` after `milliseconds` of running. A plain timer that came due in a sleep fires before anything is read, so that a
 * message that had arrived would be taken for unanswered and sent twice. Returns how to cancel it.
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
