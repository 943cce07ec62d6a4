/** Result and words of answering a card (F-04). Called by the operations that answer one. */
import { err, ok, type Result } from '../../../flow/verdict.ts'
import type { Caller } from '../../../operations/caller.ts'
import { flag, id, maybe, record, text, type ValueOf } from '../../../operations/shape.ts'
import type { DecisionInput } from '../../../task/approval.ts'
import type { ApprovalsPort, ApprovalView, DecisionsPort } from '../port.ts'

export const ANSWERED = record({
  /** Id of the answered card. */
  card: text('internal'),
  /** Task that continues; empty when none was waiting. */
  task: text('internal'),
  /** How the card had ended before; empty when it was still waiting. */
  ended: text('internal'),
  /** True when the card had ended with the same answer. */
  again: flag('internal'),
  /** Text of the rule that holds from now on, as on the card; empty when there is none, absent from an older edge. */
  holds: maybe(text('sensitive')),
  /** Card of the grant that was requested with the answer. */
  approval: maybe(id('internal')),
})

/** Fields of an answer that established no rule and requested no grant. */
export const NO_RULE_NO_GRANT = Object.freeze({ holds: '', approval: null })

type Answered = ValueOf<typeof ANSWERED>

/**
 * Whether this card has that id or number. A card that no longer waits keeps its name: its place knows how it ended,
 * and the name is never reused.
 */
export function isNamed(
  { id: approval, number }: Pick<ApprovalView, 'id' | 'number'>,
  which: string,
): boolean {
  return approval === which || (number > 0 && String(number) === which)
}

interface Ports {
  readonly approvals: ApprovalsPort
  readonly decisions: DecisionsPort
}

/**
 * Approves or denies one card. Repeating the same answer succeeds; a different answer to an ended question changes
 * nothing. Refusals: those of `decide`.
 */
export async function answerCard(
  { approvals, decisions }: Ports,
  { which, decision }: { readonly which: string } & Pick<DecisionInput, 'decision'>,
  { principal, place, message }: Caller,
): Promise<Result<Answered>> {
  const waiting = await approvals.list(principal)
  const approval = waiting.find((one) => isNamed(one, which))?.id ?? which
  const standing = await approvals.standing(principal, approval)
  const ended = standing.ok && standing.value.isOver ? standing.value : null
  if (ended !== null && ended.said !== decision)
    return ok({ card: approval, task: '', ended: ended.words, again: false, ...NO_RULE_NO_GRANT })
  const decided = await decisions.decide({ approval, decision, principal, place, message })
  if (!decided.ok) return decided
  const { task } = decided.value
  const holds = decision === 'approve' && ended === null ? await approvals.holds(principal, approval) : ''
  return ok({
    card: approval,
    task,
    ended: ended?.words ?? '',
    again: ended !== null,
    ...NO_RULE_NO_GRANT,
    holds,
  })
}

/** Denies every waiting card. There is no approval of all: each card must be looked at first. */
export async function refuseAll(ports: Ports, caller: Caller): Promise<Result<number>> {
  const waiting = await ports.approvals.list(caller.principal)
  for (const { id: which } of waiting) {
    const denied = await answerCard(ports, { which, decision: 'deny' }, caller)
    if (!denied.ok) return denied
  }
  return ok(waiting.length)
}

export const EVERY = 'all'

/** Refuses to approve all cards at once. */
export const AMBIGUOUS = err('choice_ambiguous')

/**
 * How the card had ended before, the rule that now holds, or `done`; empty when its task continues, because the task reports by
 * itself.
 */
export function answeredWords(
  { ended, holds, task }: Pick<Answered, 'ended' | 'holds' | 'task'>,
  done: string,
): string {
  if (ended !== '') return ended
  return task === '' ? (holds ?? '') || done : ''
}

/** True when a different answer had been given before, so this one had no effect. */
export function isLate({ ended, again }: Pick<Answered, 'ended' | 'again'>): boolean {
  return ended !== '' && !again
}
