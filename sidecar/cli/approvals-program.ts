/**
 * `pfar approvals …`, `pfar approve` and `pfar deny`: names, arguments and options. Must not do any command's work.
 * Called by program.ts.
 */
import type { Command } from 'commander'
import { decideCommand, editCommand } from './approvals-command.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { type AnswerOptions, answering, days, nonEmpty, times } from './options.ts'

const WHICH = ['<which>', 'id, or number', nonEmpty] as const

/** Uses a day of a grant, unless said otherwise. */
const DEFAULT_TIMES = 5

export function addApprovals(
  program: Command,
  context: CommandContext,
  done: (code: ExitCode) => void,
): void {
  const approvals = program.commands.find((one) => one.name() === 'approvals') ?? program.command('approvals')
  answering(
    approvals
      .command('edit')
      .argument(...WHICH)
      .argument('<text...>', 'your words for it'),
  )
    .description('put your own words in place of a text; it is asked about anew')
    .option('--field <name>', 'which text, if there are several')
    .action(async (which: string, text: readonly string[], options: AnswerOptions & { field?: string }) =>
      done(
        await editCommand(context, {
          ...options,
          which,
          text: text.join(' '),
          field: options.field ?? null,
        }),
      ),
    )
  for (const parent of [program, approvals]) addDecisions(parent, context, done)
}

function addDecisions(parent: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  answering(parent.command('approve').argument(...WHICH))
    .description('go ahead with what waits')
    .option('--always <days>', 'and ask, on a card of its own, whether to allow more of the same', days)
    .option('--per-day <times>', 'how often a day', times, DEFAULT_TIMES)
    .action(async (which: string, options: AnswerOptions & { always?: number; perDay: number }) =>
      done(
        await decideCommand(context, {
          ...options,
          which,
          decision: 'approve',
          always: options.always ?? null,
        }),
      ),
    )
  answering(parent.command('deny').argument('<which>', 'id, number, or all', nonEmpty))
    .description('refuse what waits')
    .action(async (which: string, options: AnswerOptions) =>
      done(
        await decideCommand(context, {
          ...options,
          which,
          decision: 'deny',
          always: null,
          perDay: DEFAULT_TIMES,
        }),
      ),
    )
}
