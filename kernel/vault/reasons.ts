/** Why a sealed record, a key or a secret cannot be had, and what became of a secret. Joined with the others in kernel/reasons.ts. */
export const VAULT_REASONS = Object.freeze([
  'record_malformed',
  'record_stale',
  'record_unreadable',
  'principal_forgotten',
  // given by integrations/sealing/, integrations/models/, sidecar/
  'key_wrong',
  'key_unavailable',
  'key_development',
  // given by durable-objects/, worker/, sidecar/secrets/
  'seal_key_missing',
  'secret_offered',
  'secret_expired',
  'secret_other_value',
] as const)
