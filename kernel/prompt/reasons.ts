/** Why no prompt is made. Joined with the others in kernel/reasons.ts. */
export const PROMPT_REASONS = Object.freeze([
  'secret_in_prompt',
  'prompt_too_large',
  'prompt_not_final',
] as const)
