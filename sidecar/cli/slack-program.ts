/** `pfar slack`: its options. The work is loaded when it is asked for. Called by program.ts. */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from './command.ts'
import type { SlackOptions } from './slack-command.ts'

export function addSlack(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const slack = program.command('slack').description('an app of yours at Slack, as your private line at home')
  slack
    .command('connect')
    .description('make it your line; asks for its two tokens')
    .option('--allow-development-key', 'keep them under the development key', false)
    .action(async (options: SlackOptions) => {
      const { slackConnect } = await import('./slack-command.ts')
      done(await slackConnect(context, options))
    })
  slack
    .command('disconnect')
    .description('end that')
    .action(async () => {
      const { slackDisconnect } = await import('./slack-command.ts')
      done(await slackDisconnect(context))
    })
}
