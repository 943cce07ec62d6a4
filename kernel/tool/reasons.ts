/** Refusal codes of tools, their credentials and their services. Joined with the other folders' codes in kernel/reasons.ts. */
export const TOOL_REASONS = Object.freeze([
  'tool_unknown',
  'series_unfit',
  // given by kernel/machine/, kernel/operations/, kernel/pipeline/
  'tool_unavailable',
  'tool_arguments_invalid',
  'tool_calls_used_up',
  'write_outcome_unknown',
  // given by kernel/call/
  'tool_failed',
  'tool_result_invalid',
  'post_too_long',
  // given by integrations/tools/, kernel/features/jobs/, kernel/features/models/, kernel/pipeline/
  'service_off',
  // given by integrations/tools/
  'service_address_missing',
  // given by integrations/tools/
  'tool_timeout',
  'tool_degraded',
  // given by integrations/http/
  'host_not_allowed',
  'scheme_not_allowed',
  'address_private',
  'url_malformed',
  'redirect_refused',
  'response_too_large',
  'response_timeout',
  'network_failed',
  // given by integrations/channels/, integrations/tools/
  'remote_unauthorized',
  'remote_rejected',
  'remote_scope_missing',
  'remote_not_found',
  'remote_rate_limited',
  'remote_unavailable',
  'remote_blocked',
  // given by integrations/channels/, integrations/tools/, sidecar/secrets/
  'event_changed',
  'not_invited',
  'organizer_unknown',
  'series_none',
  'series_whole',
  'credential_mismatch',
  'credential_rejected',
  'credential_due',
  // given by integrations/tools/, sidecar/mail/
  'mail_refused',
  'mailbox_full',
  'mail_renumbered',
  'mail_folder_missing',
  'mail_folder_ambiguous',
  'mail_folder_exists',
  'mail_folder_unfit',
  'mail_sender_unclear',
  'mail_identity_unknown',
  'mail_recipient_differs',
  'list_not_named',
  'mail_cannot_send',
  // given by integrations/tools/, sidecar/folders/
  'folder_not_named',
  'folder_gone',
  'file_denied',
  'file_ambiguous',
  'file_not_text',
  'file_too_large',
  // given by integrations/tools/health, sidecar/health/
  'health_none',
  'health_malformed',
  'health_empty',
  'health_imported',
  // given by sidecar/mail/
  'certificate_invalid',
  'certificate_changed',
  // given by sidecar/confined/
  'sandbox_missing',
] as const)
