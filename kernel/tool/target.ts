/**
 * Derives from the declaration of a write's target (I-14) the argument that the lookup adds and the clearance of its readers,
 * and checks the declaration. Pure; must not look anything up. Called by the registry, by call/target.ts and by the tool port.
 */
import type { FieldSpec, RecordSpec } from '../flow/field.ts'
import type { Level } from '../flow/level.ts'
import type { ActionManifest, ToolManifest } from './manifest.ts'
import { boundFields, isBound } from './remarks.ts'

/** Value of the added argument if the lookup failed or returned nothing that is declared. */
export const UNKNOWN_READERS = 'unknown'

/** The arguments that the tool is called with: those of a plan, and those from lookups. */
export function calledArgs(action: Pick<ActionManifest, 'args' | 'target' | 'remarks'>): RecordSpec {
  const { args, target } = action
  if (isBound(action)) return { ...args, fields: { ...args.fields, ...boundFields(action) } }
  if (target === undefined) return args
  const found: FieldSpec = { kind: 'enum', values: [...Object.keys(target.reaches), UNKNOWN_READERS] }
  const shown = Object.entries(target.shows ?? {}).map(([name, spec]): [string, FieldSpec] => [
    name,
    { ...spec, optional: true },
  ])
  return { ...args, fields: { ...args.fields, ...Object.fromEntries(shown), [target.field]: found } }
}

/**
 * Clearance of the readers, by the looked-up value; `found` is undefined before the
 * lookup. A missing or unlisted value counts as public.
 */
export function readersLevel(
  { target, reaches }: Pick<ActionManifest, 'target' | 'reaches'>,
  found: string | undefined,
): Level {
  if (target === undefined) return reaches
  return (
    (found !== undefined && Object.hasOwn(target.reaches, found) ? target.reaches[found] : undefined) ??
    'public'
  )
}

/** Fault of an invalid declaration; null for a valid one, and for an action without a target. */
export function targetFault({ actions }: ToolManifest, action: ActionManifest): string | null {
  const { target, semantics, args } = action
  if (target === undefined) return null
  const lookup = actions.find(({ id }) => id === target.by)
  const found = lookup?.output.kind === 'record' ? lookup.output.fields[target.field] : undefined
  if (semantics !== 'write') return 'a read has no target'
  if (lookup?.semantics !== 'read' || lookup.target !== undefined)
    return `${target.by} is no read of this tool`
  if (found?.kind !== 'enum') return `${target.by} gives no ${target.field} of a closed set`
  const added = [target.field, ...Object.keys(target.shows ?? {})]
  const given = added.find((name) => Object.hasOwn(args.fields, name))
  if (given !== undefined) return `a plan could give ${given}`
  const fields = lookup.output.kind === 'record' ? lookup.output.fields : {}
  const strange = Object.entries(target.shows ?? {}).find(
    ([name, { kind }]) => name === target.field || fields[name]?.kind !== kind,
  )
  if (strange !== undefined) return `${target.by} gives no ${strange[0]} of that kind`
  const missing = Object.entries(target.given).find(
    ([to, from]) => !(Object.hasOwn(lookup.args.fields, to) && Object.hasOwn(args.fields, from)),
  )
  return missing === undefined ? null : `${missing[0]} is not given by ${missing[1]}`
}
