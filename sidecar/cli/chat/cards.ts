/**
 * Cards over a line: lists what is pending, shows one, and answers it, with operations of the place at the other end. Must not
 * decide. Called by the terminal's chat and by commands that create a card.
 */

import { approveCard } from '../../../kernel/features/approvals/operations/approve.ts'
import { denyCard } from '../../../kernel/features/approvals/operations/deny.ts'
import { listApprovals } from '../../../kernel/features/approvals/operations/list.ts'
import { isNamed } from '../../../kernel/features/approvals/operations/shape.ts'
import { showApproval } from '../../../kernel/features/approvals/operations/show.ts'
import type { ApprovalView } from '../../../kernel/features/approvals/port.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { tell } from '../../language/wording.ts'
import type { Link } from '../line/link.ts'
import type { Screen } from './screen.ts'
import { terminalText } from './terminal-text.ts'

export type WaitingCard = Omit<ApprovalView, 'kind'>

export type Decision = 'approve' | 'deny'

export function waitingOn(link: Link): Promise<Result<readonly WaitingCard[]>> {
  return link.call(listApprovals, {})
}

/** Idempotent for the same answer. Refusals: those of the operation. */
export function decideOn(
  link: Link,
  which: string,
  decision: Decision,
): Promise<Result<{ readonly task: string; readonly holds: string | null }>> {
  return decision === 'approve' ? link.call(approveCard, { which }) : link.call(denyCard, { which })
}

/** How an approval ended, in the words of the chats; null while it is pending, or if its place does not report it. */
export async function endingOf(link: Link, which: string): Promise<string | null> {
  const shown = await link.call(showApproval, { which })
  return shown.ok && shown.value.over ? shown.value.text : null
}

/**
 * Id of the pending card that `which` names. Another name is returned unchanged: the place knows how that card ended,
 * and no other card is taken instead.
 */
export async function findCard(link: Link, which: string): Promise<Result<string>> {
  const waiting = await waitingOn(link)
  return waiting.ok ? ok(waiting.value.find((one) => isNamed(one, which))?.id ?? which) : waiting
}

export async function showPut(screen: Screen, link: Link, id: string): Promise<Result<0>> {
  const waiting = await waitingOn(link)
  if (!waiting.ok) return waiting
  const view = waiting.value.find((candidate) => candidate.id === id)
  if (view === undefined) return err('approval_unknown')
  screen.out(terminalText(view.full).trimEnd())
  screen.err(tell('terminal.allow', { id }))
  return ok(0)
}
