/**
 * `about.places`: answers in fixed words what edge and home are; reads no data and changes nothing. Called by the table of
 * operations.
 */
import { defineOperation } from '../../../operations/operation.ts'
import { fixedWords } from './fixed-words.ts'

export const aboutPlaces = defineOperation({
  name: 'about.places',
  place: 'home',
  ...fixedWords('about.places'),
})
