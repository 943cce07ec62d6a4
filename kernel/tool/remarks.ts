/**
 * What follows from the declaration of a write's remarks: the arguments that the lookup adds, and whether the declaration is one. Pure; must
 * not look anything up. Called by the registry, by call/target.ts and by the tool port.
 */
import type { FieldSpec } from '../flow/field.ts'
import type { ActionManifest, ToolManifest } from './manifest.ts'

/** Arguments that only a lookup gives: part of what is approved, and absent where it failed. */
export function boundFields({
  remarks,
}: Pick<ActionManifest, 'remarks'>): Readonly<Record<string, FieldSpec>> {
  return Object.fromEntries((remarks?.binds ?? []).map((name) => [name, { kind: 'id', optional: true }]))
}

/** Whether what was found may not differ between the question and the write. */
export function isBound({ remarks }: Pick<ActionManifest, 'remarks'>): boolean {
  return (remarks?.binds ?? []).length > 0
}

/** Whether its lookup is of no use where the owner is not asked. */
export function isForCardAlone(action: Pick<ActionManifest, 'target' | 'remarks'>): boolean {
  return action.remarks !== undefined && action.remarks.always !== true && !looksAgain(action)
}

/** Whether it is looked up again after the question, and right before the write. */
export function looksAgain(action: Pick<ActionManifest, 'target' | 'remarks'>): boolean {
  return action.target !== undefined || isBound(action)
}

/** Why a declaration cannot be followed; null for one that can, and for an action without remarks. */
export function laxRemarks({ actions }: ToolManifest, action: ActionManifest): string | null {
  const { remarks, target, semantics, args } = action
  if (remarks === undefined) return null
  const lookup = actions.find(({ id }) => id === remarks.by)
  const fields = lookup?.output.kind === 'record' ? lookup.output.fields : {}
  if (semantics !== 'write') return 'a read has no remarks'
  if (target !== undefined) return 'what has a target has one lookup already'
  if (lookup?.semantics !== 'read' || lookup.target !== undefined || lookup.asks !== undefined)
    return `${remarks.by} is no read of this tool`
  const missing = Object.entries(remarks.given).find(
    ([to, from]) => !(Object.hasOwn(lookup.args.fields, to) && Object.hasOwn(args.fields, from)),
  )
  if (missing !== undefined) return `${missing[0]} is not given by ${missing[1]}`
  const unbound = (remarks.binds ?? []).find(
    (name) => fields[name]?.kind !== 'id' || Object.hasOwn(args.fields, name),
  )
  return unbound === undefined ? null : `${unbound} is no id of ${remarks.by} alone`
}
