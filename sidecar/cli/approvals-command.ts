/**
 * `pfar approvals`, `pfar approve <id|n>` and `pfar deny <id|n>`. Must not decide anything that the owner did not
 * name: a number means the list as it is now. Called by program.ts and by the chat.
 */
import { allowed, type Result, refused } from '../../kernel/flow/verdict.ts'
import type { ApprovalView } from '../../kernel/runtime/shell.ts'
import { follow } from './ask.ts'
import { printReport } from './ask-command.ts'
import { type CommandContext, type ExitCode, onLine, patienceOf } from './command.ts'
import type { Decision, Line, Link } from './link.ts'
import { renderApprovals } from './render.ts'
import { terminalText } from './terminal-text.ts'

export interface ApprovalsOptions {
  readonly line: Line
  readonly json: boolean
}

export interface DecideOptions extends ApprovalsOptions {
  readonly decision: Decision
  /** Id, or position in the list from 1. */
  readonly which: string
  /** Seconds to wait for what the decision leads to. */
  readonly timeout: number
}

export async function approvalsCommand(
  context: CommandContext,
  options: ApprovalsOptions,
): Promise<ExitCode> {
  return onLine(context, { line: options.line, start: true }, async (link) => {
    const waiting = await link.approvals()
    if (!waiting.ok) return waiting
    context.screen.out(
      options.json ? JSON.stringify(waiting.value, null, 2) : renderApprovals(waiting.value, Date.now()),
    )
    return allowed(0)
  })
}

/** The whole of one card, where the list shows it folded. */
export async function showCommand(
  context: CommandContext,
  { line, which }: Pick<DecideOptions, 'line' | 'which'>,
): Promise<ExitCode> {
  return onLine(context, { line, start: true }, async (link) => {
    const waiting = await link.approvals()
    if (!waiting.ok) return waiting
    const view = /^\d{1,3}$/.test(which)
      ? waiting.value[Number(which) - 1]
      : waiting.value.find(({ id }) => id === which)
    if (view === undefined) return refused('approval_unknown')
    context.screen.out(terminalText(view.full).trimEnd())
    return allowed(0)
  })
}

export async function decideCommand(context: CommandContext, options: DecideOptions): Promise<ExitCode> {
  return onLine(context, { line: options.line, start: true }, async (link, attachment) => {
    const approval = await findApproval(link, options.which)
    if (!approval.ok) return approval
    const decided = await link.decide(approval.value, options.decision)
    if (!decided.ok) return decided
    const patience = { ...patienceOf(context.screen, options.timeout, attachment), past: approval.value }
    const report = await follow(link, decided.value.task, patience)
    return report.ok ? allowed(printReport(context, report.value, options.json)) : report
  })
}

/** The one that `which` names, or the only one when it is empty. An id is passed on: the place knows best. */
export async function findApproval(link: Link, which: string): Promise<Result<string>> {
  const number = which === '' ? null : /^\d{1,3}$/.test(which) ? Number(which) : undefined
  if (number === undefined) return allowed(which)
  const waiting = await link.approvals()
  return waiting.ok ? pick(waiting.value, number) : waiting
}

function pick(waiting: readonly ApprovalView[], number: number | null): Result<string> {
  if (waiting.length === 0) return refused('nothing_found')
  if (number === null && waiting.length > 1) return refused('choice_ambiguous', { waiting: waiting.length })
  const chosen = waiting[(number ?? 1) - 1]
  return chosen === undefined ? refused('approval_unknown') : allowed(chosen.id)
}
