/**
 * Prompt modes: how much a prompt says about the assistant (N-03 – N-05), in one table by purpose and
 * audience. Every mode includes the hard identity and the rules. Called by finalize.ts and by self/view.ts.
 */
import type { Audience } from '../self/section.ts'

/** `full`: tone and full self-description. `minimal`: what a plan needs. `internal_minimal`: the name. */
export const PROMPT_MODES = Object.freeze(['full', 'minimal', 'internal_minimal'] as const)
export type PromptMode = (typeof PROMPT_MODES)[number]

export const PURPOSES = Object.freeze([
  'plan',
  'compose',
  'classify',
  'extract',
  'choose',
  'synthesize',
  'read',
  'look',
  'compact',
  'whoami',
] as const)
/** Purpose of a model call. */
export type Purpose = (typeof PURPOSES)[number]

/** Modes for the owner's prompts and for everyone else's. */
const MODES: Readonly<Record<Purpose, { readonly owner: PromptMode; readonly others: PromptMode }>> =
  Object.freeze({
    plan: { owner: 'minimal', others: 'minimal' },
    compose: { owner: 'minimal', others: 'minimal' },
    classify: { owner: 'internal_minimal', others: 'internal_minimal' },
    extract: { owner: 'internal_minimal', others: 'internal_minimal' },
    choose: { owner: 'internal_minimal', others: 'internal_minimal' },
    synthesize: { owner: 'full', others: 'minimal' },
    read: { owner: 'internal_minimal', others: 'internal_minimal' },
    look: { owner: 'internal_minimal', others: 'internal_minimal' },
    compact: { owner: 'internal_minimal', others: 'internal_minimal' },
    whoami: { owner: 'internal_minimal', others: 'internal_minimal' },
  })

export function modeFor(purpose: Purpose, audience: Audience): PromptMode {
  const row = MODES[purpose]
  return audience === 'owner' ? row.owner : row.others
}
