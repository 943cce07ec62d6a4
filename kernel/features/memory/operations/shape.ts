/** How something that is remembered is shown: as data and in words (E-20). Pure. Called by the operations on memory. */
import { ageOf, oneLine } from '../../../operations/lines.ts'
import type { View } from '../../../operations/operation.ts'
import { flag, id, maybe, number, oneOf, record, text, type ValueOf } from '../../../operations/shape.ts'

export const KEEPSAKE = record({
  id: id('internal'),
  number: number('internal'),
  kind: oneOf(['fact', 'result'], 'internal'),
  tool: maybe(text('internal')),
  text: text('sensitive'),
  label: text('internal'),
  told: flag('internal'),
  at: number('internal'),
})

export type Kept = ValueOf<typeof KEEPSAKE>

/** The number is what `forget` and `correct` take, and never names another entry. */
export function keptWords({ number: count, text: said, tool, label, told, at }: Kept, { now }: View): string {
  const from = [tool ?? 'you said', label, ...(told ? ['from the open line'] : []), `${ageOf(at, now)} ago`]
  return `${count}. ${oneLine(said)}\n   ${oneLine(from.join(' · '))}`
}
