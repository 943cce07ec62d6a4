/**
 * Looks up who reads what a call would write, by the read that its declaration names, and makes the answer an argument of the call (I-14). The
 * lookup has a token of its own and is judged like any read. Must not decide on the write. Called by authorize.ts and invoke.ts.
 */

import type { Json } from '../flow/json.ts'
import { combine, derive, fingerprint, type Labeled, test } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { type LabeledRecord, pick } from '../flow/record.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type { TokenedCall } from '../pipeline/invoke.ts'
import { type ResolvedCall, scopeOf } from '../pipeline/resolve.ts'
import { type Auditing, audit } from '../powers/audit.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { Actions, Ids, TokenKey } from '../powers/ports.ts'
import type { ReasonCode } from '../reasons.ts'
import { digestOf, issueCapability, TOKEN_LIFETIME } from '../task/capability.ts'
import type { Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { UNKNOWN_READERS } from '../tool/target.ts'

/** Ports needed to look up a target, beside those of the call itself. */
export type TargetPorts = Actions & Auditing & TokenKey & Ids

/** Failures after which the write cannot succeed either: it is not asked about. */
const FINAL: readonly ReasonCode[] = [
  'credential_missing',
  'credential_mismatch',
  'remote_unauthorized',
  'remote_not_found',
  'tool_arguments_invalid',
  'tool_degraded',
]

export interface Aimed {
  readonly step: string
  readonly action: RegisteredAction
  readonly call: ResolvedCall
}

/** The read of the target of a write; null for an action that declares none. Refusals: those of `lookUpAction`. */
export function lookupOf(powers: Actions, { action, call }: Aimed): Result<Omit<Aimed, 'step'>> | null {
  const { target } = action
  if (target === undefined) return null
  const lookup = lookUpAction(powers.registry, target.by)
  if (!lookup.ok) return lookup
  const args = Object.entries(target.given).flatMap(([to, from]) => {
    const found = call.args.find(({ name }) => name === from)
    const spec = lookup.value.args.fields[to]
    return found === undefined || spec === undefined ? [] : [{ name: to, spec, value: found.value }]
  })
  const parts = args.map(({ name, value }) => derive(value, (inner) => ({ [name]: inner })))
  const whole = combine(
    [receive<{ readonly [key: string]: Json }>({}, kernelWords()), ...parts],
    (all) => Object.assign({}, ...all) as { readonly [key: string]: Json },
  )
  return ok({ action: lookup.value, call: { args, absent: [], whole } })
}

/**
 * The call with what was looked up; the same call where nothing is declared. `run` makes the one call of the read. Refusals: those after which the
 * write cannot succeed. After any other failure its readers are unknown.
 */
export async function withReaders(
  powers: TargetPorts,
  task: Task,
  aimed: Aimed,
  run: (call: TokenedCall) => Promise<Result<LabeledRecord>>,
): Promise<Result<ResolvedCall>> {
  const { step, action, call } = aimed
  const lookup = lookupOf(powers, aimed)
  if (lookup === null) return ok(call)
  if (!lookup.ok) return lookup
  const read = lookup.value
  const token = tokenFor(powers, task, { step, ...read })
  const made = await run({ task: task.id, step, ceiling: task.ceiling, ...read, token })
  audit(powers, 'tool_invoked', task, {
    ...{ tool: read.action.id, step, capability: token.claims.id, scope: token.claims.scope },
    ...{ ok: made.ok, code: made.ok ? null : made.reason.code, label: null },
  })
  if (!made.ok && FINAL.includes(made.reason.code)) return err(made.reason.code, made.reason.facts)
  return ok(aimedAt(action, call, made.ok ? made.value : null))
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
  const whole = combine<Json, { readonly [key: string]: Json }>([call.whole, added], ([args]) => ({
    ...(args as { readonly [key: string]: Json }),
    [field]: readers,
  }))
  return { ...call, whole, readers }
}

function tokenFor({ newId, now, place, tokenKey }: TargetPorts, task: Task, { step, action, call }: Aimed) {
  const issuedAt = now()
  return issueCapability(
    {
      ...{ id: newId(), place, task: task.id, template: task.template, principal: task.principal },
      ...{ step, tool: action.id, scope: scopeOf(call), argsDigest: fingerprint(call.whole, digestOf) },
      ...{ argsTaint: call.whole.taint, approval: null },
      ...{ issuedAt, expiresAt: issuedAt + TOKEN_LIFETIME, maxInvocations: 1 },
    },
    tokenKey,
  )
}
