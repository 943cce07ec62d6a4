/**
 * Whether the owner has acknowledged cloud models for a template (D-03, D-07), as it is recorded at this very moment: what
 * was revoked a moment ago counts no more. A template's file alone says nothing of it. Must not decide what that opens:
 * router.ts does. Called by pipeline/model-call.ts and runtime/history-use.ts.
 */
import { coversCloud } from '../../flow/grant.ts'
import type { AtPlace, Clock } from '../../powers/ports.ts'
import type { GrantStore, StoreOf } from '../../powers/stores.ts'

/** At home alone, where it was given: the edge reads nothing that would need it. */
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
