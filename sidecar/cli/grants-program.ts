/**
 * `pfar grants …`: names, arguments and options. Must not do any command's work. Called by program.ts.
 */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from './command.ts'
import { type FreeBusyOptions, freeBusyCommand, grantsCommand, revokeCommand } from './grants-command.ts'
import { type AnswerOptions, days, type LineOption, nonEmpty, onLineOption, times } from './options.ts'

export function addGrants(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const grants = program.command('grants').description('what is allowed without asking each time')
  onLineOption(grants.command('list', { isDefault: true }))
    .description('all of it, with the words that you agreed to')
    .option('--json', 'one JSON document', false)
    .action(async (options: AnswerOptions) => done(await grantsCommand(context, options)))
  onLineOption(grants.command('revoke').argument('<id>', 'from `pfar grants`', nonEmpty))
    .description('take it back, at once')
    .action(async (grant: string, { line }: LineOption) =>
      done(await revokeCommand(context, { line, grant })),
    )
  onLineOption(grants.command('freebusy'))
    .description('tell whoever asks for a time when you are free or busy; needs your yes to its card')
    .option('--template <id>', 'for which kind of conversation', 'scheduling')
    .option('--ahead <days>', 'how far ahead', days, 14)
    .option('--for <days>', 'how long it stands', days, 30)
    .option('--per-day <times>', 'questions a day', times, 10)
    .action(async ({ ahead, for: lasts, ...options }: FreeBusyFlags) =>
      done(await freeBusyCommand(context, { ...options, daysAhead: ahead, days: lasts })),
    )
}

interface FreeBusyFlags extends LineOption, Pick<FreeBusyOptions, 'template' | 'perDay'> {
  readonly ahead: number
  readonly for: number
}
