/**
 * Audits how many items a task searched but may not read (A-04, A-21, B-20): counts and labels, never
 * content. The task does not learn that they exist. Must not open anything. Called by every reader of memory
 * or history.
 */
import { describeLabel, type Label } from '../../flow/label.ts'
import { checkRead } from '../../flow/policy.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Task } from '../../task/task.ts'

/** Maximum labels in one audit row: a search through years of memory meets many. */
const MOST_LABELS = 10

export interface Sieve {
  /** Wraps the rule and counts what it rejects: `many` items of one label at once. */
  noting(may: (label: Label) => boolean): (label: Label, many?: number) => boolean
  /** Writes the audit row, if anything was withheld. */
  tell(what: string): void
}

export function createSieve(powers: Auditing, task: Task): Sieve {
  const labels = new Set<string>()
  let count = 0
  return {
    noting:
      (may) =>
      (label, many = 1) => {
        if (may(label)) return true
        if (checkRead(task.ceiling, label).allow) return false
        count += many
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
