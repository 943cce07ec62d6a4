/**
 * `about.there`: answers in fixed words whether PFAR is there; reads no data and changes nothing. Called by the table of
 * operations.
 */
import { defineOperation } from '../../../operations/operation.ts'
import { fixedWords } from './fixed-words.ts'

export const aboutThere = defineOperation({
  name: 'about.there',
  place: 'home',
  ...fixedWords('about.there'),
})
