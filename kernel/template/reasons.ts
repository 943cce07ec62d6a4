/** Refusal codes of loading or matching a task template. Joined with the other folders' codes in kernel/reasons.ts. */
export const TEMPLATE_REASONS = Object.freeze([
  'template_malformed',
  'template_ambiguous',
  'template_name_taken',
  'template_none_matches',
  'template_class_mismatch',
  'tool_not_in_template',
] as const)
