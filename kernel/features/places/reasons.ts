/**
 * Reason codes for faults of a place, or of the other place as seen from it. Joined with the others in
 * kernel/reasons.ts.
 */
export const PLACE_REASONS = Object.freeze([
  // given by durable-objects/, worker/, sidecar/
  'config_malformed',
  'storage_failed',
  'storage_full',
  'edge_locked',
  'edge_not_empty',
  'edge_updated',
  'home_absent',
  'home_newer',
  'home_older',
  'home_replaced',
  'home_returned',
  'copy_incomplete',
  // given by sidecar/backup/
  'audit_broken',
  'backup_failed',
  'backup_missed',
  'edge_backup_failed',
] as const)
