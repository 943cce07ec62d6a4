/**
 * Refusal codes of frames, connections and devices, and of an unreachable home. Joined with the other folders' codes in
 * kernel/reasons.ts.
 */
export const TUNNEL_REASONS = Object.freeze([
  'frame_malformed',
  'frame_too_large',
  'frame_gap',
  'version_incompatible',
  // given by kernel/machine/, kernel/features/
  'home_offline',
  'home_timeout',
  // given by durable-objects/, sidecar/
  'frame_fenced',
  'version_downgraded',
  'edge_not_pinned',
  'hello_overdue',
  'piece_overdue',
  'device_revoked',
  // given by durable-objects/, worker/, sidecar/line/
  'signature_invalid',
  'event_stale',
] as const)
