/**
 * Derives from the declaration of a write's remarks which arguments the lookup adds, and checks the
 * declaration. Pure; must not look anything up. Called by the registry, by call/target.ts and by the tool port.
 */
import type { FieldSpec } from '../flow/field.ts'
import type { ActionManifest, ToolManifest } from './manifest.ts'

/** Arguments that only a lookup supplies: part of what is approved, and absent if it failed. */
export function boundFields({
  remarks,
}: Pick<ActionManifest, 'remarks'>): Readonly<Record<string, FieldSpec>> {
  return Object.fromEntries((remarks?.binds ?? []).map((name) => [name, { kind: 'id', optional: true }]))
}

/** Whether the looked-up values must be the same at the question and at the write. */
export function isBound({ remarks }: Pick<ActionManifest, 'remarks'>): boolean {
  return (remarks?.binds ?? []).length > 0
}

/** Whether the lookup is useless if the owner is not asked. */
export function isForCardAlone(action: Pick<ActionManifest, 'target' | 'remarks'>): boolean {
  return action.remarks !== undefined && action.remarks.always !== true && !looksAgain(action)
}

/** Whether the lookup is repeated after the question, right before the write. */
export function looksAgain(action: Pick<ActionManifest, 'target' | 'remarks'>): boolean {
  return action.target !== undefined || isBound(action)
}

/** Fault of an invalid declaration; null for a valid one, and for an action without remarks. */
export function remarksFault({ actions }: ToolManifest, action: ActionManifest): string | null {
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
