/** Why a step of the way of a message refuses, or leaves something out. Joined with the others in kernel/reasons.ts. */
export const PIPELINE_REASONS = Object.freeze([
  'sink_wrong_principal',
  'sink_not_of_task',
  'disclosure_asks',
  'disclosure_not_said',
  'write_repeated',
  'secret_in_call',
  'answer_cut',
  'outbox_full',
] as const)
