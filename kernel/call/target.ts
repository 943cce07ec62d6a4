/**
 * Looks up who reads what a call would write (I-14), or what is to be said about it, by the read that its declaration names; what the declaration binds
 * becomes an argument of the call. The lookup has a token of its own and is judged like any read. Must not decide on the write, or issue a token. Called by authorize.ts and invoke.ts.
 */

import type { Json } from '../flow/json.ts'
import { combine, derive, type Labeled, test } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { type LabeledRecord, pick } from '../flow/record.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { ResolvedCall } from '../pipeline/resolve.ts'
import { type Auditing, audit } from '../powers/audit.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { Actions } from '../powers/ports.ts'
import type { ReasonCode } from '../reasons.ts'
import type { Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { boundFields, looksAgain } from '../tool/remarks.ts'
import { UNKNOWN_READERS } from '../tool/target.ts'

/** Failures after which the write cannot succeed either: it is not asked about. */
const FINAL: readonly ReasonCode[] = [
  'credential_missing',
  'credential_mismatch',
  'remote_unauthorized',
  'remote_not_found',
  'nothing_found',
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
  'reminder_unknown',
  'reminder_several',
  'reminder_none_fired',
]

export interface LookedUpCall extends ResolvedCall {
  /** What was looked up about the call, for its card; null where that failed. */
  readonly remarks?: LabeledRecord | null
}

/** A call without its token. */
export interface Aimed {
  readonly action: RegisteredAction
  readonly call: ResolvedCall
}

/**
 * The read that a write's declaration names; null for an action that declares none, and for remarks on what the call does not have. `again`: once the owner was asked. Refusals: those of
 * `lookUpAction`; tool_arguments_invalid where the call does not say what it writes to.
 */
export function lookupOf(powers: Actions, { action, call }: Aimed, again = false): Result<Aimed> | null {
  const declared = action.target ?? action.remarks
  // Remarks that bind nothing are for the card alone.
  if (declared === undefined || (again && !looksAgain(action))) return null
  const lookup = lookUpAction(powers.registry, declared.by)
  if (!lookup.ok) return lookup
  const args = Object.entries(declared.given).flatMap(([to, from]) => {
    const found = call.args.find(({ name }) => name === from)
    const spec = lookup.value.args.fields[to]
    return found === undefined || spec === undefined ? [] : [{ name: to, spec, value: found.value }]
  })
  // There is nothing to look at, such as files that nobody named.
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
 * The call with what was looked up; the same call where nothing is declared. `read` makes the one call of the read. Refusals: those after which the
 * write cannot succeed; any at all where it must be sure. After any other failure its readers are unknown, and there are no remarks.
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

/** What was found, by its name; nothing where the answer does not say it. */
function shownIn(record: LabeledRecord | null, name: string): readonly Labeled[] {
  const value = record === null ? null : pick(record, [name])
  return value?.ok === true ? [derive(value.value, (inner) => ({ [name]: inner }))] : []
}
