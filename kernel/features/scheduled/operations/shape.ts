/** How a call that waits for its time is shown: as data and in words. Pure. Called by the operations on them. */
import { oneLine } from '../../../operations/lines.ts'
import type { Telling } from '../../../operations/operation.ts'
import { number, record, text, type ValueOf } from '../../../operations/shape.ts'
import { namedMoment } from '../../../wording/output.ts'

export const SCHEDULED_FIELDS = {
  number: number('internal'),
  text: text('sensitive'),
  due: number('internal'),
} as const
export const SCHEDULED = record(SCHEDULED_FIELDS)

export function scheduledWords(
  { number: count, text: said, due }: ValueOf<typeof SCHEDULED>,
  view: Telling,
): string {
  return `${count}. ${namedMoment(due, view.timezone, view.now)}: ${oneLine(said)}`
}
