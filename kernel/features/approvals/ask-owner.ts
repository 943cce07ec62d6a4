/**
 * Whether somebody may have the owner asked if a time suits him, and what of it the question holds: two moments, nothing else (F-02,
 * F-18). One open question a person, so many a day, so that nobody floods the owner. Must not ask. Called by authorize.ts and drive.ts.
 */
import type { Json } from '../../flow/json.ts'
import { derive, type Labeled, test } from '../../flow/labeled.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import type { Clock, OwnerDesk } from '../../powers/ports.ts'
import type { ApprovalStore, StoreOf } from '../../powers/stores.ts'
import { ASK_OWNER, type Step } from '../../task/plan.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { parsePrincipalId } from '../../task/principal-id.ts'
import type { Task } from '../../task/task.ts'

/** Milliseconds that such a question waits: the owner need not sit at his chat, and a time to come is soon past. */
export const QUESTION_WINDOW = 12 * 3_600_000
/** Milliseconds ahead that a time may lie. */
const FURTHEST = 366 * 86_400_000

/**
 * A step that asks is left out where something has answered already, where the owner cannot be asked, and where it is not one person
 * who would hear the answer.
 */
export function isLeftOut({ ownerDesk }: OwnerDesk, { principal, traces }: Task, step: Step): boolean {
  if (step.do !== 'tool' || step.tool !== ASK_OWNER) return false
  const name = parsePrincipalId(principal)
  const isPerson = name.ok && name.value.kind !== 'group' && principal !== OWNER_PRINCIPAL
  return !isPerson || (ownerDesk ?? null) === null || traces.some(({ outcome }) => outcome === 'done')
}

/**
 * The bytes of the question. Refusals: approval_place_too_low where nobody can be asked; write_repeated while an earlier one waits; tool_arguments_invalid for a time that is none, over or far away; those of the desk.
 */
export async function periodAsked(
  { ownerDesk, store, now }: Clock & OwnerDesk & StoreOf<ApprovalStore>,
  { principal }: Task,
  whole: Labeled<{ readonly [key: string]: Json }>,
): Promise<Result<Labeled<string>>> {
  if (!ownerDesk) return err('approval_place_too_low')
  if (store.pendingApprovals(principal).some(({ approval }) => approval.tool === ASK_OWNER))
    return err('write_repeated')
  const period = derive(whole, ({ from, to }) => `${String(from)}/${String(to)}`)
  if (!test(period, (text) => spanOf(text, now()) !== null)) return err('tool_arguments_invalid')
  const admitted = await ownerDesk.admits()
  return admitted.ok ? ok(period) : admitted
}

/** Null for what is no span of time to come. */
export function spanOf(period: string, now: number): { readonly from: number; readonly to: number } | null {
  const [from = Number.NaN, to = Number.NaN, ...more] = period.split('/').map((text) => Date.parse(text))
  return more.length === 0 && from < to && to > now && to < now + FURTHEST ? { from, to } : null
}
