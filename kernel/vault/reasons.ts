/**
 * Refusal codes of sealed records, keys and secrets, and codes for what happened to a secret. Joined with the other folders'
 * codes in kernel/reasons.ts.
 */
export const VAULT_REASONS = Object.freeze([
  'record_malformed',
  'record_stale',
  'record_unreadable',
  'principal_forgotten',
  // given by integrations/sealing/, integrations/models/, sidecar/
  'key_wrong',
  'key_unavailable',
  'key_development',
  // given by durable-objects/, sidecar/secrets/
  'seal_key_missing',
  'secret_offered',
  'secret_expired',
  'secret_other_value',
] as const)
