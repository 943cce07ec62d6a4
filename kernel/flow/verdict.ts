/**
 * A verdict is a decision and the reason for it. A reason carries codes, ids and labels and never
 * payload (invariant 3), so it may stand in an audit row, a trace and an error text.
 * Called by every check in the kernel; words for people are made in `kernel/wording/words.ts`.
 */

/** Every reason the runtime can refuse something for. Adding one forces a sentence for people (words.ts). */
export const REASON_CODES = Object.freeze([
  // lattice
  'level_unknown',
  'compartment_malformed',
  'label_malformed',
  'taint_malformed',
  'label_lowered',
  'secret_has_no_reader',
  'write_down',
  'compartment_missing',
  'sink_not_in_allow_list',
  'sink_unknown',
  'sink_wrong_principal',
  'sink_not_of_task',
  'model_not_cleared',
  'place_not_cleared',
  'ceiling_exceeded',
  'policy_failed',
  // taint and writes
  'write_raw',
  'write_free_text',
  'write_unknown_destination',
  'write_template_asks',
  'write_approval_required',
  'disclosure_asks',
  'disclosure_not_said',
  // fields and references
  'field_unknown',
  'field_malformed',
  'field_missing',
  'field_too_large',
  'reference_malformed',
  'reference_unresolved',
  'reference_forward',
  // capability tokens
  'token_forged',
  'token_malformed',
  'token_expired',
  'token_not_yet_valid',
  'token_used_up',
  'token_wrong_task',
  'token_wrong_step',
  'token_wrong_tool',
  'token_wrong_scope',
  'token_wrong_place',
  'token_wrong_arguments',
  'token_missing',
  // events, principals, templates
  'event_malformed',
  'event_too_large',
  'event_stale',
  'principal_malformed',
  'principal_not_allowed',
  'signature_invalid',
  'template_malformed',
  'template_ambiguous',
  'template_none_matches',
  'template_class_mismatch',
  'config_malformed',
  // plans
  'plan_malformed',
  'plan_truncated',
  'plan_empty',
  'plan_too_long',
  'plan_duplicate_effect',
  'plan_limit_reached',
  'tool_not_in_template',
  'tool_unknown',
  'tool_unavailable',
  'tool_arguments_invalid',
  'tool_calls_used_up',
  'tool_failed',
  'tool_result_invalid',
  'tool_timeout',
  'tool_degraded',
  'sandbox_missing',
  'write_outcome_unknown',
  'write_repeated',
  'nothing_found',
  'memory_unknown',
  'memory_gone',
  'history_compacted',
  'directive_name',
  'directive_unknown',
  'directive_manual',
  'directive_header',
  'directive_shrinks',
  'directive_budget',
  'choice_ambiguous',
  // network
  'host_not_allowed',
  'scheme_not_allowed',
  'address_private',
  'url_malformed',
  'redirect_refused',
  'response_too_large',
  'response_timeout',
  'network_failed',
  'remote_unauthorized',
  'remote_rejected',
  'remote_not_found',
  'remote_rate_limited',
  'remote_unavailable',
  'credential_missing',
  'credential_cancelled',
  'credential_mismatch',
  'credential_rejected',
  'credential_due',
  'credential_taken',
  'secret_offered',
  'secret_expired',
  'secret_other_value',
  'seal_key_missing',
  'secret_pasted',
  'command_taken',
  'secret_in_call',
  'secret_in_prompt',
  'message_not_deleted',
  'operation_unknown',
  'change_stays',
  // approvals and declassification
  'approval_unknown',
  'approval_expired',
  'approval_spent',
  'approval_denied',
  'approval_changed',
  'approval_withdrawn',
  'approval_wrong_principal',
  'approval_place_too_low',
  'approval_step_up',
  'approvals_many',
  'grant_missing',
  'grant_budget_spent',
  'declassification_forbidden',
  'identity_code',
  'identity_linked',
  'identity_unknown',
  'agreement_made',
  'agreement_ended',
  'agreement_unknown',
  // models
  'model_failed',
  'model_unavailable',
  'model_timeout',
  'model_overloaded',
  'model_misconfigured',
  'model_garbled',
  'model_resting',
  'model_degraded',
  'model_delayed',
  'model_budget_spent',
  'model_refused_phase',
  'prompt_too_large',
  'prompt_not_final',
  'answer_empty',
  'answer_cut',
  // places and tunnel
  'home_offline',
  'home_timeout',
  'edge_locked',
  'frame_malformed',
  'frame_too_large',
  'frame_gap',
  'frame_fenced',
  'version_incompatible',
  'version_downgraded',
  'edge_not_pinned',
  'hello_overdue',
  'piece_overdue',
  'pairing_refused',
  'device_revoked',
  'record_malformed',
  'record_stale',
  'record_unreadable',
  'delivery_expired',
  'delivery_overdue',
  'outbox_full',
  'principal_forgotten',
  'key_wrong',
  'key_unavailable',
  'key_development',
  'storage_failed',
  'storage_full',
  'audit_broken',
  'backup_failed',
  'backup_missed',
  'copy_incomplete',
  'edge_backup_failed',
  'edge_not_empty',
  'edge_updated',
  'home_absent',
  'home_newer',
  'home_older',
  'home_replaced',
  'strangers_wrote',
  'questions_left_out',
  'channel_failing',
  'task_unknown',
  'task_stopped',
  'task_already_answering',
  'task_stuck',
  'internal_fault',
] as const)

export type ReasonCode = (typeof REASON_CODES)[number]

/** Ids, labels and names of kernel things that explain a refusal. Never a value from outside. */
export type ReasonFacts = Readonly<Record<string, string | number>>

export interface Refusal {
  readonly code: ReasonCode
  readonly facts: ReasonFacts
}

/** Expected failure as a value; `throw` is for bugs (STYLE 5). */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: Refusal }

/** Decision plus reason. `permit.by` names the rule that allowed it, so that an audit row can say why. */
export type Verdict = { readonly allow: true; readonly by: string } | ({ readonly allow: false } & Refusal)

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function err(code: ReasonCode, facts: ReasonFacts = {}): { ok: false; reason: Refusal } {
  return { ok: false, reason: { code, facts } }
}

export function permit(by: string): Verdict {
  return { allow: true, by }
}

export function deny(code: ReasonCode, facts: ReasonFacts = {}): Verdict {
  return { allow: false, code, facts }
}

export function isReasonCode(input: unknown): input is ReasonCode {
  return typeof input === 'string' && (REASON_CODES as readonly string[]).includes(input)
}

/** Runs a check; one that throws denies (STYLE 3). The thrown text is dropped: it could quote data. */
export function denyOnThrow(check: () => Verdict): Verdict {
  try {
    return check()
  } catch {
    return deny('policy_failed')
  }
}
