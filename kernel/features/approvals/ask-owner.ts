/**
 * Whether another person may have the owner asked if a time suits them, and what the question contains: two instants, nothing
 * else (F-02, F-18). One open question per person and a daily limit, against flooding. Must not ask. Called by ask.ts, drive.ts
 * and owner-question.ts.
 */
import type { Json } from '../../flow/json.ts'
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Clock, OwnerService } from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf } from '../../powers/stores.ts'
import { ASK_OWNER, type Step } from '../../task/plan.ts'
import { OWNER_PRINCIPAL, parsePrincipalId } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'

/**
 * Milliseconds until such a question expires: long enough for an owner who is not at the chat, short enough that the
 * proposed time still lies ahead.
 */
export const QUESTION_WINDOW = 12 * 3_600_000
/** How far ahead the proposed time may lie, in milliseconds. */
const FURTHEST = 366 * 86_400_000

/**
 * Skips an asking step when an earlier step has answered, when the owner cannot be asked, or when the answer would
 * reach more than one person.
 */
export function isLeftOut({ ownerService }: OwnerService, { principal, traces }: Task, step: Step): boolean {
  if (step.do !== 'tool' || step.tool !== ASK_OWNER) return false
  const name = parsePrincipalId(principal)
  const isPerson = name.ok && name.value.kind !== 'group' && principal !== OWNER_PRINCIPAL
  return !isPerson || (ownerService ?? null) === null || traces.some(({ outcome }) => outcome === 'done')
}

/**
 * Canonical bytes of the question. Refusals: approval_place_too_low when nobody can be asked; write_repeated while an
 * earlier question waits; tool_arguments_invalid for a time that is malformed, past or too far ahead; those of the
 * owner-question port.
 */
export async function periodAsked(
  { ownerService, store, now }: Clock & OwnerService & StoreOf<ApprovalStore>,
  { principal }: Task,
  whole: Labeled<{ readonly [key: string]: Json }>,
): Promise<Result<Labeled<string>>> {
  if (!ownerService) return err('approval_place_too_low')
  if (store.pendingApprovals(principal).some(({ approval }) => approval.tool === ASK_OWNER))
    return err('write_repeated')
  const period = derive(whole, ({ from, to }) => `${String(from)}/${String(to)}`)
  if (!test(period, (text) => spanOf(text, now()) !== null)) return err('tool_arguments_invalid')
  const admitted = await ownerService.admits()
  return admitted.ok ? ok(period) : admitted
}

/** Null unless it is a period in the future. */
export function spanOf(period: string, now: number): { readonly from: number; readonly to: number } | null {
  const [from = Number.NaN, to = Number.NaN, ...more] = period.split('/').map((text) => Date.parse(text))
  return more.length === 0 && from < to && to > now && to < now + FURTHEST ? { from, to } : null
}
