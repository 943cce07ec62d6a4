/**
 * Additions to the prompt of one call: every block that has a source, trimmed to fit, and the owner's commands about
 * answer style. The same at both places, each with its own stores. Called by the places' powers.
 */

import { OWN_COMMANDS } from '../features/commands/own-commands.ts'
import { memoryBlocks } from '../features/memory/recollection.ts'
import type { DynamicTier } from '../powers/tier-port.ts'
import { fitInto } from '../prompt/budget.ts'

export const PROMPT_TIER: DynamicTier = Object.freeze({
  blocks: memoryBlocks,
  fit: fitInto,
  commands: OWN_COMMANDS,
})
