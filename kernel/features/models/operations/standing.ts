/** Grants in force that let cloud models read data of a template (D-07). Pure. Called by the operations on models. */
import type { GrantView } from '../../grants/port.ts'

export function standingFor(grants: readonly GrantView[], template: string): readonly GrantView[] {
  return grants.filter(
    (grant) => grant.kind === 'cloud' && grant.template === template && grant.state === 'live',
  )
}
