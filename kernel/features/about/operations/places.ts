/** `about.places`: what edge and home are, in fixed words; opens nothing and changes nothing. Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { fixedWords } from './fixed-words.ts'

export const aboutPlaces = defineOperation({
  name: 'about.places',
  place: 'home',
  ...fixedWords('about.places'),
})
