/** The rules that only home has. Must not be bundled for the edge, whose bundle has a bound. Called by sidecar/powers.ts and by the measure of phrasings. */
import { planInAccount } from './accounts/named-account.ts'
import { LOOKS_BACK } from './earlier/looking-back.ts'
import type { HomeRules } from './home-rules.ts'
import { momentFor } from './moment-for.ts'
import { planByParts } from './parts/by-parts.ts'

export const HOME_RULES: HomeRules = {
  ...LOOKS_BACK,
  byParts: planByParts,
  inAccount: planInAccount,
  momentIn: momentFor,
}
