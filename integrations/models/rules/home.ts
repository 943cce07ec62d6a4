/** The rules that only home has, and the weights that it has room for. Must not be bundled for the edge, whose bundle has a bound. Called by sidecar/powers.ts and by the measure of phrasings. */
import HOME_WEIGHTS from '../../extractors/learned/home-weights.json' with { type: 'json' }
import { takeWeights } from '../../extractors/learned/table.ts'
import { LOOKS_BACK } from './earlier/looking-back.ts'
import type { HomeRules } from './home-rules.ts'
import { momentFor } from './moment-for.ts'
import { planByParts } from './parts/by-parts.ts'

/** From now on this process reads messages with home's weights. */
export function homeRules(): HomeRules {
  takeWeights(HOME_WEIGHTS)
  return { ...LOOKS_BACK, byParts: planByParts, momentIn: momentFor }
}
