/**
 * How much of itself the assistant is told in a prompt (N-03 – N-05). Every mode has the hard identity and the rules:
 * there is none without. One table, by purpose and by whose prompt it is. Called by finalize.ts and by self/view.ts.
 */
import type { Audience } from '../self/section.ts'

/** `full`: with voice and all that it knows of itself; `minimal`: what a plan needs; `internal_minimal`: the name. */
export const PROMPT_MODES = Object.freeze(['full', 'minimal', 'internal_minimal'] as const)
export type PromptMode = (typeof PROMPT_MODES)[number]

export const PURPOSES = Object.freeze([
  'plan',
  'compose',
  'classify',
  'synthesize',
  'read',
  'look',
  'compact',
  'whoami',
] as const)
/** What a model is called for. */
export type Purpose = (typeof PURPOSES)[number]

/** The owner's prompts, and everyone else's. */
const MODES: Readonly<Record<Purpose, { readonly owner: PromptMode; readonly others: PromptMode }>> =
  Object.freeze({
    plan: { owner: 'minimal', others: 'minimal' },
    compose: { owner: 'full', others: 'minimal' },
    classify: { owner: 'internal_minimal', others: 'internal_minimal' },
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
