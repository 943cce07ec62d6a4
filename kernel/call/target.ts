/**
 * Looks up the target of a write before it is judged: who can read it (I-14), and remarks for the card, by the read that the
 * declaration names. Ids that the declaration binds become arguments of the call. The lookup has its own token and is judged like
 * any read. Must not decide on the write, or issue a token. Called by authorize.ts and invoke.ts.
 */

import type { Json } from '../flow/json.ts'
import { combine, derive, type Labeled, test } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { type LabeledRecord, pick } from '../flow/record.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import { type Auditing, audit } from '../powers/audit.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { Actions } from '../powers/ports.ts'
import type { ReasonCode } from '../reasons.ts'
import type { Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { boundFields, looksAgain } from '../tool/remarks.ts'
import { UNKNOWN_READERS } from '../tool/target.ts'
import type { ResolvedCall } from './resolve.ts'

/** Failures of the lookup after which the write cannot succeed, so the owner is not asked. */
const FINAL: readonly ReasonCode[] = [
  'credential_missing',
  'credential_mismatch',
  'remote_unauthorized',
  'remote_not_found',
  'nothing_found',
  'not_invited',
  'service_address_missing',
  'tool_arguments_invalid',
  'series_unfit',
  'series_none',
  'series_whole',
  'tool_degraded',
  'folder_not_named',
  'folder_gone',
  'file_denied',
  'file_ambiguous',
  'file_too_large',
  'mail_folder_exists',
  'mail_folder_unfit',
  'mail_folder_missing',
  'mail_folder_ambiguous',
  'reminder_unknown',
  'reminder_several',
  'reminder_none_fired',
  'memory_unknown',
  'memory_gone',
  'memory_several',
  'job_unknown',
  'job_ambiguous',
]

export interface LookedUpCall extends ResolvedCall {
  /** Result of the lookup for the card; null if it failed. */
  readonly remarks?: LabeledRecord | null
}

/** A call without its token. */
export interface Aimed {
  readonly action: RegisteredAction
  readonly call: ResolvedCall
}

/**
 * The lookup that a write declares. Null for an action without one, and for remarks about an argument that
 * the call does not have. `again`: after the owner was asked. Refusals: those of `lookUpAction`;
 * tool_arguments_invalid if the call does not say what it writes to.
 */
export function lookupOf(powers: Actions, { action, call }: Aimed, again = false): Result<Aimed> | null {
  const declared = action.target ?? action.remarks
  // Remarks that bind no argument are only for the card.
  if (declared === undefined || (again && !looksAgain(action))) return null
  const lookup = lookUpAction(powers.registry, declared.by)
  if (!lookup.ok) return lookup
  const args = Object.entries(declared.given).flatMap(([to, from]) => {
    const found = call.args.find(({ name }) => name === from)
    const spec = lookup.value.args.fields[to]
    return found === undefined || spec === undefined ? [] : [{ name: to, spec, value: found.value }]
  })
  // There is nothing to look up, such as the files of a mail that has none.
  if (action.target === undefined && args.length === 0 && action.remarks?.always !== true) return null
  const missing = Object.entries(lookup.value.args.fields).find(
    ([name, { optional }]) => optional !== true && !args.some((given) => given.name === name),
  )
  if (action.target !== undefined && missing !== undefined)
    return err('tool_arguments_invalid', { tool: action.id })
  const parts = args.map(({ name, value }) => derive(value, (inner) => ({ [name]: inner })))
  const whole = combine(
    [receive<{ readonly [key: string]: Json }>({}, kernelWords()), ...parts],
    (all) => Object.assign({}, ...all) as { readonly [key: string]: Json },
  )
  return ok({ action: lookup.value, call: { args, absent: [], whole } })
}

/**
 * The call with the result of the lookup; unchanged without a lookup. `read` makes the one call. Refusals: those after which
 * the write cannot succeed; any failure if `isSure`. After any other failure the readers are unknown and there are no remarks.
 */
export async function withReaders(
  powers: Actions & Auditing,
  task: Task,
  { step, isSure = false, ...aimed }: Aimed & { readonly step: string; readonly isSure?: boolean },
  read: (lookup: Aimed) => Promise<Result<LabeledRecord>>,
): Promise<Result<LookedUpCall>> {
  const lookup = lookupOf(powers, aimed)
  if (lookup === null) return ok(aimed.call)
  if (!lookup.ok) return lookup
  const made = await read(lookup.value)
  audit(powers, 'tool_invoked', task, {
    ...{ tool: lookup.value.action.id, step, ok: made.ok, code: made.ok ? null : made.reason.code },
  })
  if (!made.ok && (isSure || FINAL.includes(made.reason.code)))
    return err(made.reason.code, made.reason.facts)
  const found = made.ok ? made.value : null
  return ok(
    aimed.action.target === undefined
      ? remarkedOn(aimed.action, aimed.call, found)
      : aimedAt(aimed.action, aimed.call, found),
  )
}

function remarkedOn(action: RegisteredAction, call: ResolvedCall, found: LabeledRecord | null): LookedUpCall {
  const bound = Object.keys(boundFields(action)).flatMap((name) => {
    const value = found === null ? null : pick(found, [name])
    return value?.ok === true ? [derive(value.value, (inner) => ({ [name]: inner }))] : []
  })
  const whole = combine<Json, { readonly [key: string]: Json }>(
    [call.whole, ...bound],
    (parts) => Object.assign({}, ...parts) as { readonly [key: string]: Json },
  )
  return { ...call, whole, remarks: found }
}

function aimedAt(
  { target }: RegisteredAction,
  call: ResolvedCall,
  record: LabeledRecord | null,
): ResolvedCall {
  const field = target?.field ?? ''
  const value = record === null ? null : pick(record, [field])
  const found = value?.ok === true ? value.value : null
  const readers =
    Object.keys(target?.reaches ?? {}).find((one) => found !== null && test(found, (is) => is === one)) ??
    UNKNOWN_READERS
  const added: Labeled = found === null ? receive(null, kernelWords()) : found
  const shown = Object.keys(target?.shows ?? {}).flatMap((name) => shownIn(record, name))
  const whole = combine<Json, { readonly [key: string]: Json }>(
    [call.whole, added, ...shown],
    ([args, _readers, ...others]) =>
      Object.assign({}, args, ...others, { [field]: readers }) as { readonly [key: string]: Json },
  )
  return { ...call, whole, readers }
}

/** The named value of the result; undefined if the result lacks it. */
function shownIn(record: LabeledRecord | null, name: string): readonly Labeled[] {
  const value = record === null ? null : pick(record, [name])
  return value?.ok === true ? [derive(value.value, (inner) => ({ [name]: inner }))] : []
}
