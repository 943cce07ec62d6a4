/**
 * What a message is likely of, by the weights that only home has room for: four times as many. Both places read by the small table first, so that what both understand is
 * planned alike. Must not be bundled for the edge. Called by the rules that only home has.
 */
import type { Moment } from '../../dates/read.ts'
import HOME_WEIGHTS from './home-weights.json' with { type: 'json' }
import { type Likely, scored } from './likely.ts'
import { type Known, withWeights } from './table.ts'

const SHARP = 1.15
/** UTF-16 units: requests are short. */
const LONGEST = 400

let known: Known | null = null

/** The likeliest first; none of a text that is longer than requests are. */
export function likelyAtHome(text: string, moment: Moment): readonly Likely[] {
  known ??= withWeights(HOME_WEIGHTS, SHARP)
  return text.length > LONGEST ? [] : scored(text, moment, known)
}
