/**
 * Scores of a message by action, from the large trained table that only home has room for (four times as many
 * weights). Both places read with the small table first, so that they plan alike what both understand. Must
 * not be bundled for the edge. Called by the rules at home.
 */
import type { Moment } from '../../dates/read.ts'
import HOME_WEIGHTS from './home-weights.json' with { type: 'json' }
import { type Likely, scored } from './likely.ts'
import { type Known, withWeights } from './table.ts'

const SHARP = 1.15
/** Maximum UTF-16 units of a message: requests are short. */
const LONGEST = 400

let known: Known | null = null

/** The most likely action first. Empty for a text above the limit. */
export function likelyAtHome(text: string, moment: Moment): readonly Likely[] {
  known ??= withWeights(HOME_WEIGHTS, SHARP)
  return text.length > LONGEST ? [] : scored(text, moment, known)
}
