/** Why a task template is refused, or none fits. Joined with the others in kernel/reasons.ts. */
export const TEMPLATE_REASONS = Object.freeze([
  'template_malformed',
  'template_ambiguous',
  'template_none_matches',
  'template_class_mismatch',
  'tool_not_in_template',
] as const)
