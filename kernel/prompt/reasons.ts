/** Refusal codes of making a prompt. Joined with the other folders' codes in kernel/reasons.ts. */
export const PROMPT_REASONS = Object.freeze([
  'secret_in_prompt',
  'prompt_too_large',
  'prompt_not_final',
] as const)
