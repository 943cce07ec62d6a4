/**
 * Result of an operation that widens: the approval card it sent; nothing is allowed yet (F-17). Called by the operations that
 * widen.
 */
import type { Telling } from './operation.ts'
import { id, record, type ValueOf } from './shape.ts'

export const PROPOSED = record({ approval: id('internal') })

/** Empty where the card is shown next to it. */
export function proposedWords(
  { approval }: ValueOf<typeof PROPOSED>,
  { say, tell, cardBeside }: Telling,
): string {
  if (cardBeside) return ''
  return tell('approvals.proposed', { yes: say('approve', approval), no: say('deny', approval) })
}
