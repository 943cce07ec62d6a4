/**
 * `pfar approvals …`, `pfar approve` and `pfar deny`: names, arguments and options. Must not do any command's work.
 * Called by program.ts.
 */
import type { Command } from 'commander'
import { approvalsCommand, decideCommand, showCommand } from './approvals-command.ts'
import type { CommandContext, ExitCode } from './command.ts'
import type { Decision } from './link.ts'
import { type AnswerOptions, answering, type LineOption, nonEmpty, onLineOption } from './options.ts'

const WHICH = ['<which>', 'id, or number in the list', nonEmpty] as const

const DECISIONS: readonly (readonly [Decision, string])[] = [
  ['approve', 'go ahead with what waits'],
  ['deny', 'refuse what waits'],
]

export function addApprovals(
  program: Command,
  context: CommandContext,
  done: (code: ExitCode) => void,
): void {
  const approvals = program.command('approvals').description('what waits for your yes or no')
  onLineOption(approvals.command('list', { isDefault: true }))
    .description('all that waits')
    .option('--json', 'one JSON document', false)
    .action(async (options: AnswerOptions) => done(await approvalsCommand(context, options)))
  onLineOption(approvals.command('show').argument(...WHICH))
    .description('the whole of one card')
    .action(async (which: string, { line }: LineOption) => done(await showCommand(context, { line, which })))
  for (const parent of [program, approvals]) addDecisions(parent, context, done)
}

function addDecisions(parent: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  for (const [decision, description] of DECISIONS) {
    answering(parent.command(decision).argument(...WHICH))
      .description(description)
      .action(async (which: string, options: AnswerOptions) =>
        done(await decideCommand(context, { ...options, which, decision })),
      )
  }
}
