/** `pfar init`: its options. The work is loaded when it is asked for. Called by program.ts. */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from './command.ts'
import type { InitOptions } from './init-command.ts'
import { nonEmpty } from './options.ts'

export function addSetup(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('init')
    .description('set everything up by a few questions; may be stopped and run again')
    .option('--yes', 'take every default and ask nothing; needs no terminal', false)
    .option('--ollama <url>', 'where Ollama answers on this machine', nonEmpty)
    .option('--name <name>', 'of the Worker, where you have several', nonEmpty)
    .option('--address <url>', 'where the edge answers, if that is a domain of your own', nonEmpty)
    .action(async (options: InitOptions) => {
      const { initCommand } = await import('./init-command.ts')
      done(await initCommand(context, options))
    })
}
