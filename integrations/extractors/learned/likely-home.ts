/**
 * Scores a message by action with the large trained table (four times as many weights), which fits home only. Both places read
 * with the small table first, so that they plan alike what both understand. Must not be bundled for the edge. Called by
 * likely-tools.ts and the rules model at home.
 */
import type { Moment } from '../../dates/read.ts'
import HOME_WEIGHTS from './home-weights.json' with { type: 'json' }
import { type Likely, scored } from './likely.ts'
import { type Known, withWeights } from './table.ts'

const SHARP = 1.15
/** Maximum length of a message, in UTF-16 code units; requests are short. */
const LONGEST = 400

let known: Known | null = null

/** Actions by descending score. Empty for a text above the limit. */
export function likelyAtHome(text: string, moment: Moment): readonly Likely[] {
  known ??= withWeights(HOME_WEIGHTS, SHARP)
  return text.length > LONGEST ? [] : scored(text, moment, known)
}
