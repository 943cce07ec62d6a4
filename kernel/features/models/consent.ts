/**
 * Whether the owner currently acknowledges cloud models for a template (D-03, D-07); a revoked acknowledgement counts
 * no more. A template file alone never acknowledges. Must not decide what that permits; router.ts does. Called by
 * model-call.ts and history-use.ts.
 */
import { coversCloud } from '../../flow/grant.ts'
import type { AtPlace, Clock } from '../../powers/ports.ts'
import type { GrantStore, StoreOf } from '../../powers/stores.ts'
import { parsePrincipalId } from '../../task/principal.ts'

/**
 * Exists at home only: the edge reads nothing that would need it. `principal`: for a job, consent for that job counts as well.
 */
export function acknowledgesCloud(
  { place, store, now }: Clock & AtPlace & StoreOf<GrantStore>,
  template: string,
  principal?: string,
): boolean {
  if (place !== 'home') return false
  const by = principal === undefined ? null : parsePrincipalId(principal)
  const job = by?.ok === true && by.value.kind === 'cron' ? by.value.job : null
  return coversCloud(
    store.grants().map(({ grant }) => grant),
    { template, job, now: now() },
  )
}
