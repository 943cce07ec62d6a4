/** What answering a card gives back, and its words (F-04). Called by the operations that answer one. */
import { err, ok, type Result } from '../../../flow/verdict.ts'
import type { Caller } from '../../../operations/caller.ts'
import { flag, id, maybe, record, text, type ValueOf } from '../../../operations/shape.ts'
import type { DecisionInput } from '../../../task/approval.ts'
import type { ApprovalsPort, ApprovalView, DecisionsPort } from '../port.ts'

export const ANSWERED = record({
  /** Id of the card that was answered. */
  card: text('internal'),
  /** What goes on with it; empty where nothing was waiting for it. */
  task: text('internal'),
  /** How it had ended before; empty where it waited. */
  ended: text('internal'),
  /** In just this way: the same answer has come once more. */
  again: flag('internal'),
  /** The card of a grant that was asked for besides. */
  approval: maybe(id('internal')),
})

type Answered = ValueOf<typeof ANSWERED>

/** Of a card, by its id or number. What does not wait is named as it was: its place knows how it ended, and no other is ever meant. */
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
 * Yes or no to one card. The same answer once more has failed at nothing; another one to what is over changes nothing. Refusals: those
 * of `decide`.
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
    return ok({ card: approval, task: '', ended: ended.words, again: false, approval: null })
  const decided = await decisions.decide({ approval, decision, principal, place, message })
  if (!decided.ok) return decided
  const { task } = decided.value
  return ok({ card: approval, task, ended: ended?.words ?? '', again: ended !== null, approval: null })
}

/** Every card that waits, and only for a no: a yes to what nobody has looked at is none. */
export async function refuseAll(ports: Ports, caller: Caller): Promise<Result<number>> {
  const waiting = await ports.approvals.list(caller.principal)
  for (const { id: which } of waiting) {
    const denied = await answerCard(ports, { which, decision: 'deny' }, caller)
    if (!denied.ok) return denied
  }
  return ok(waiting.length)
}

export const EVERY = 'all'

/** A yes to all at once. */
export const AMBIGUOUS = err('choice_ambiguous')

/** How it had ended, or that it is done; empty where its task goes on and tells it. */
export function answeredWords({ ended, task }: Pick<Answered, 'ended' | 'task'>, done: string): string {
  if (ended !== '') return ended
  return task === '' ? done : ''
}

/** Another answer than that which it had: nothing came of this one. */
export function isLate({ ended, again }: Pick<Answered, 'ended' | 'again'>): boolean {
  return ended !== '' && !again
}
