/**
 * Results that are read in parts. An action declares which field says where the next part begins and which
 * argument takes that value; the kernel stores the call for the next part with the result. The value is opaque
 * and goes back to that action only. Pure. Called by the registry, effects.ts, run-call.ts and planner-view.ts.
 */
import type { FieldSpec, RecordSpec } from '../flow/field.ts'
import { isPlainRecord, type Json } from '../flow/json.ts'
import { LONGEST_STORED_TEXT } from '../flow/record.ts'
import type { ActionManifest } from './manifest.ts'

/** Field of a result that contains the arguments of the call for its next part; absent in the last part. */
export const ONWARD = 'onward'

type Paged = Pick<ActionManifest, 'pages' | 'args' | 'output'>

/** Declaration of a stored result: the output with the call for the next part in place of the declared field. */
export function resultOf({ pages, args, output }: Paged): FieldSpec {
  if (pages === undefined || output.kind !== 'record') return output
  const { [pages.field]: _, ...told } = output.fields
  const call: RecordSpec = { kind: 'record', optional: true, apart: true, fields: given(args.fields) }
  return { ...output, fields: { ...told, [ONWARD]: call } }
}

/** Arguments and output for planners, without both: only code refers to the call for the next part. */
export function plannedPart({ pages, args, output }: Paged): Pick<ActionManifest, 'args' | 'output'> {
  if (pages === undefined || output.kind !== 'record') return { args, output }
  const { [pages.argument]: _, ...asked } = args.fields
  const { [pages.field]: __, ...told } = output.fields
  return { args: { ...args, fields: asked }, output: { ...output, fields: told } }
}

/** The output of a tool with the call for the next part, if it says where that begins. */
export function withOnward(
  { pages }: Pick<ActionManifest, 'pages'>,
  args: { readonly [key: string]: Json },
  output: unknown,
): unknown {
  if (pages === undefined || !isPlainRecord(output)) return output
  const { [pages.field]: next, [ONWARD]: _, ...told } = output
  return next === undefined || next === null
    ? told
    : { ...told, [ONWARD]: { ...args, [pages.argument]: next } }
}

/** Fault of an invalid declaration; null for a valid one, and for an action without parts. */
export function pagesFault({ pages, semantics, args, output }: ActionManifest): string | null {
  if (pages === undefined) return null
  const into = args.fields[pages.argument]
  const from = output.kind === 'record' ? output.fields[pages.field] : undefined
  if (semantics !== 'read') return 'a write has no next part'
  if (into?.optional !== true || from?.optional !== true) return 'a first part is asked for without a place'
  // Text could contain anything; an id is bounded and shown to nobody.
  if (into.kind !== from.kind || (into.kind !== 'id' && into.kind !== 'number'))
    return 'where a part begins is a number or an id'
  if (output.kind === 'record' && Object.hasOwn(output.fields, ONWARD)) return `${ONWARD} is the kernel's`
  const gone = Object.entries(args.fields).find(([, spec]) => !isKept(spec))
  return gone === undefined ? null : `${gone[0]} is not there any more when the next part is asked for`
}

/** Whether memory stores the value. What it discloses is asked about again, and so is a place that the owner did not type (`call/onward.ts`). */
function isKept(spec: FieldSpec): boolean {
  if (spec.kind === 'list') return isKept(spec.of)
  if (spec.kind === 'record') return Object.values(spec.fields).every(isKept)
  return spec.kind !== 'text' || (spec.max ?? Number.POSITIVE_INFINITY) <= LONGEST_STORED_TEXT
}

function given(fields: RecordSpec['fields']): RecordSpec['fields'] {
  return Object.fromEntries(
    Object.entries(fields).map(([name, spec]) => [name, { ...givenIn(spec), optional: true }]),
  )
}

function givenIn(spec: FieldSpec): FieldSpec {
  if (spec.kind === 'list') return { ...spec, of: givenIn(spec.of) }
  return spec.kind === 'record'
    ? {
        ...spec,
        fields: Object.fromEntries(
          Object.entries(spec.fields).map(([name, inner]) => [name, givenIn(inner)]),
        ),
      }
    : { ...spec, given: true }
}
