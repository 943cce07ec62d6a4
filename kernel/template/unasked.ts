/**
 * Checks which writes a template may list as needing no card once the owner allows it: writes whose arguments
 * contain no text, so that nobody's words are written. Must not decide whether the owner has. Called by the loader.
 */
import { leavesOf } from '../flow/field.ts'
import type { PrincipalClass } from '../task/principal.ts'
import type { Registry } from '../tool/registry.ts'

interface Declared {
  readonly principal_class: PrincipalClass
  readonly allowed_tools: readonly string[]
  readonly require_approval_for_writes?: boolean | undefined
  readonly unasked_when_allowed?: readonly string[] | undefined
}

/**
 * Only for an owner's template that asks for its other writes, and for actions that it
 * names individually. An action that this place lacks is checked at the place that has it.
 */
export function mayGoUnasked(file: Declared, { actions }: Registry): boolean {
  const { unasked_when_allowed: unasked = [], allowed_tools: allowed } = file
  if (unasked.length === 0) return true
  const isOfOwner = file.principal_class === 'owner' && file.require_approval_for_writes === true
  return (
    isOfOwner &&
    unasked.every((id) => {
      const action = actions.get(id)
      if (!allowed.includes(id)) return false
      if (action === undefined) return true
      const { semantics, asks, args } = action
      const isWrite = semantics === 'write' && asks !== 'always'
      return isWrite && leavesOf(args).every(([, { kind }]) => kind !== 'text')
    })
  )
}
