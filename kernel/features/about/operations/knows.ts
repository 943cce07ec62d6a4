/** `about.knows`: who knows what about the owner, in fixed words; opens nothing and changes nothing. Called by the table of operations. */
import { defineOperation } from '../../../operations/operation.ts'
import { fixedWords } from './fixed-words.ts'

export const aboutKnowing = defineOperation({
  name: 'about.knows',
  place: 'home',
  ...fixedWords('about.knows'),
  plannable: true,
})
