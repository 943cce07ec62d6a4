/** `pfar people …`: names, arguments and options. Must not do any command's work. Called by program.ts. */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from './command.ts'
import { days, hours, type LineOption, nonEmpty, onLineOption } from './options.ts'
import { dismissCommand, inviteCommand, peopleCommand, showPersonCommand } from './people-command.ts'

type Options = LineOption & { readonly json: boolean }

interface InviteFlags extends Options {
  readonly name: string
  readonly as: readonly string[]
  readonly expires: number
  readonly for: number
}

/** What somebody is invited to where nothing else is said. */
const USUAL = ['paired_scheduling']

export function addPeople(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const people = program.command('people').description('who else may ask your assistant for something')
  onLineOption(people.command('list', { isDefault: true }))
    .description('everybody, also what is over')
    .option('--json', 'one JSON document', false)
    .action(async (options: Options) => done(await peopleCommand(context, options)))
  onLineOption(people.command('invite'))
    .description('a one-time code for one person; its card wants your yes')
    .option('--name <name>', 'what you call that person', nonEmpty, 'somebody')
    .option('--as <template...>', 'what that person may start', USUAL)
    .option('--expires <hours>', 'how long the code is good, such as 24h', hours, 24)
    .option('--for <days>', 'how long what you agree on stands', days, 90)
    .option('--json', 'one JSON document', false)
    .action(async ({ as: templates, expires, for: lasts, ...options }: InviteFlags) =>
      done(await inviteCommand(context, { ...options, templates, hours: expires, days: lasts })),
    )
  onLineOption(people.command('show').argument('<id>', 'from `pfar people`', nonEmpty))
    .description('one of them: which account, what it may start, until when')
    .option('--json', 'one JSON document', false)
    .action(async (which: string, options: Options) =>
      done(await showPersonCommand(context, { ...options, which })),
    )
  onLineOption(people.command('revoke').argument('<id>', 'from `pfar people`', nonEmpty))
    .description('take it back, at once; what was said cannot be recalled')
    .action(async (which: string, { line }: LineOption) =>
      done(await dismissCommand(context, { line, which })),
    )
}
