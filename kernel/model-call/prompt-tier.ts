/**
 * What is added to one call's prompt: all blocks that there is a source of, fitted, and the owner's commands about how he is
 * answered. The same at both places, each over what it keeps. Called by the places' powers.
 */

import { OWN_COMMANDS } from '../features/commands/own-commands.ts'
import { keptBlocks } from '../features/memory/recollection.ts'
import type { DynamicTier } from '../powers/tier-port.ts'
import { fitInto } from '../prompt/budget.ts'

export const PROMPT_TIER: DynamicTier = Object.freeze({
  blocks: keptBlocks,
  fit: fitInto,
  commands: OWN_COMMANDS,
})
