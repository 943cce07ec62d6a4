/** `pfar identities …`: names, arguments and options. Must not do any command's work. Called by program.ts. */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from './command.ts'
import { identitiesCommand, joinCommand, partCommand } from './identities-command.ts'
import { type LineOption, nonEmpty, onLineOption } from './options.ts'

type Options = LineOption & { readonly json: boolean }

const WHO = 'owner, telegram:12345, slack:W1:C1:U1, whatsapp:+4912345678'

export function addIdentities(
  program: Command,
  context: CommandContext,
  done: (code: ExitCode) => void,
): void {
  const identities = program.command('identities').description('which accounts are one person’s')
  onLineOption(identities.command('list', { isDefault: true }))
    .description('all links, also those that ended')
    .option('--json', 'one JSON document', false)
    .action(async (options: Options) => done(await identitiesCommand(context, options)))
  onLineOption(
    identities.command('link').argument('<one>', WHO, nonEmpty).argument('<other>', 'likewise', nonEmpty),
  )
    .description('codes for both; once each was said in its chat, a card wants your yes')
    .option('--json', 'one JSON document', false)
    .action(async (one: string, other: string, options: Options) =>
      done(await joinCommand(context, { ...options, one, other })),
    )
  onLineOption(identities.command('unlink').argument('<id>', 'from `pfar identities`', nonEmpty))
    .description('end it, at once; what was shown cannot be recalled')
    .action(async (which: string, { line }: LineOption) => done(await partCommand(context, { line, which })))
}
