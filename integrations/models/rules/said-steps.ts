/**
 * Selects the steps of a declared plan that a request uses: those of its kind of move, with words to pick by
 * if it has any. Pure. Called by planner.ts.
 */
import type { Phrase } from '../../tools/phrase.ts'
import type { Said } from './said.ts'

export function isByTopic(step: Phrase['plan'][number]): boolean {
  return step['do'] === 'select' && step['matching'] === TOPIC
}

const TOPIC = 'said.topic'

/** The steps of this kind of move; a row is picked by words only where there are any. */
export function stepsSaid(all: Phrase['plan'], said: Said): Phrase['plan'] {
  const plan = ofMove(all, said)
  if (said.has('topic')) return plan
  return plan.map((step) => {
    const { matching: _, ...others } = step
    return isByTopic(step) ? others : step
  })
}

/** The steps that every kind of move has, and those of this one. */
function ofMove(plan: Phrase['plan'], { move }: Said): Phrase['plan'] {
  return plan.flatMap(({ for: kinds, ...step }) =>
    kinds === undefined || (Array.isArray(kinds) && kinds.includes(move)) ? [step] : [],
  )
}
