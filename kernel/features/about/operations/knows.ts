/**
 * `about.knows`: answers in fixed words who knows what about the owner; reads no data and changes nothing. Called by the table of
 * operations.
 */
import { defineOperation } from '../../../operations/operation.ts'
import { fixedWords } from './fixed-words.ts'

export const aboutKnowing = defineOperation({
  name: 'about.knows',
  place: 'home',
  ...fixedWords('about.knows'),
  plannable: true,
})
