/**
 * What a task looked through and may not hold is not there for it (B-20), and one line of the audit says so: how
 * many and how they are labelled, never what they say. The task itself is not told, as it may not know that there is
 * something. Must not open anything. Called by whoever recalls.
 */
import { describeLabel, type Label } from '../flow/label.ts'
import { checkRead } from '../flow/policy.ts'
import { type Auditing, audit } from '../powers/audit.ts'
import type { Task } from '../task/task.ts'

/** Labels that one line names: a search through years of memory meets many. */
const MOST_LABELS = 10

export interface Sieve {
  /** The same rule, which notes what is above the task's ceiling. */
  noting(may: (label: Label) => boolean): (label: Label) => boolean
  /** Writes the line, if there is anything to say. */
  tell(what: string): void
}

export function createSieve(powers: Auditing, task: Task): Sieve {
  const labels = new Set<string>()
  let count = 0
  return {
    noting: (may) => (label) => {
      if (may(label)) return true
      if (checkRead(task.ceiling, label).allow) return false
      count += 1
      labels.add(describeLabel(label))
      return false
    },
    tell(what) {
      if (count === 0) return
      const named = [...labels].sort().slice(0, MOST_LABELS).join(', ')
      audit(powers, 'denial', task, { code: 'ceiling_exceeded', what, withheld: count, labels: named })
    },
  }
}
