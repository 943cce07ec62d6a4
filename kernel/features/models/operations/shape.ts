/** Result, words and undo that the operations share that change which model is asked first. Called by their files. */
import type { Telling } from '../../../operations/operation.ts'
import { id, maybe, record, text, type ValueOf } from '../../../operations/shape.ts'
import { choiceIn } from '../choice.ts'
import { orderWords } from '../choice-port.ts'

export const CHOSEN = record({
  choice: text('internal'),
  before: text('internal'),
  approval: maybe(id('internal')),
})

export function chosenWords({ choice, approval }: ValueOf<typeof CHOSEN>, view: Telling): string {
  const { tell, say, cardBeside } = view
  if (approval === null) return [orderWords(choiceIn(choice)), tell('models.reads_same')].join('\n')
  return cardBeside
    ? ''
    : tell('models.proposed', { yes: say('approve', approval), no: say('deny', approval) })
}

/** The call that undoes a change; null for a change that waits for approval. */
export function takenBack({ before, approval }: ValueOf<typeof CHOSEN>) {
  return approval === null ? { operation: 'models.put_back', args: { choice: before } } : null
}
