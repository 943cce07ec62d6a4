/**
 * `about.*`: what PFAR says of itself where that is asked in plain words: who may ask it for what, who knows what, what its two
 * halves are, and that it is there. The words are fixed; they open nothing and change nothing. Called by the table of
 * operations.
 */
import { ok } from '../../../flow/verdict.ts'
import { defineOperation } from '../../../operations/operation.ts'
import { record } from '../../../operations/shape.ts'

/** An operation for each answer, so that each has phrases of its own. */
function answering(about: 'asking' | 'knows' | 'places' | 'there') {
  return defineOperation({
    name: `about.${about}`,
    place: 'home',
    effect: 'read',
    args: {},
    result: record({}),
    ports: [],
    run: async () => ok({}),
    text: (_, { tell }) => tell(`about.${about}`),
  })
}

export const aboutAsking = answering('asking')
export const aboutKnowing = answering('knows')
export const aboutPlaces = answering('places')
export const aboutThere = answering('there')
