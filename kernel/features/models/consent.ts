/**
 * Whether the owner currently acknowledges cloud models for a template (D-03, D-07); a revoked acknowledgement counts
 * no more. A template file alone never acknowledges. Must not decide what that permits; router.ts does. Called by
 * model-call.ts and history-use.ts.
 */
import { coversCloud } from '../../flow/grant.ts'
import type { AtPlace, Clock } from '../../powers/ports.ts'
import type { GrantStore, StoreOf } from '../../powers/stores.ts'

/** Exists at home only: the edge reads nothing that would need it. */
export function acknowledgesCloud(
  { place, store, now }: Clock & AtPlace & StoreOf<GrantStore>,
  template: string,
): boolean {
  if (place !== 'home') return false
  return coversCloud(
    store.grants().map(({ grant }) => grant),
    template,
    now(),
  )
}
