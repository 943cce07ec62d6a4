/** The rules that only home has. Must not be bundled for the edge, whose bundle has a bound. Called by sidecar/powers.ts and by the measure of phrasings. */

import HOME_WEIGHTS from '../../extractors/learned/home-weights.json' with { type: 'json' }
import { takeWeights } from '../../extractors/learned/table.ts'
import { LOOKS_BACK } from './earlier/looking-back.ts'
import type { HomeRules } from './home-rules.ts'
import { planByParts } from './parts/by-parts.ts'

export const HOME_RULES: HomeRules = { ...LOOKS_BACK, byParts: planByParts }

/** Reads with the weights that only home has room for. */
export function learnAtHome(): void {
  takeWeights(HOME_WEIGHTS)
}
