/**
 * `about.asking`: answers in fixed words who may ask PFAR for what; reads no data and changes nothing. Called by the table of
 * operations.
 */
import { defineOperation } from '../../../operations/operation.ts'
import { fixedWords } from './fixed-words.ts'

export const aboutAsking = defineOperation({
  name: 'about.asking',
  place: 'home',
  ...fixedWords('about.asking'),
  plannable: true,
})
