/** Refusal codes of reading and changing a directive file. Joined with the other folders' codes in kernel/reasons.ts. */
export const DIRECTIVE_REASONS = Object.freeze([
  'directive_name',
  'directive_header',
  'directive_shrinks',
  'directive_budget',
  // given by kernel/features/directives/
  'directive_unknown',
  'directive_manual',
] as const)
