/** `pfar brain …`: names, arguments and options, nothing else. The work is loaded when it is asked for. Called by program.ts. */
import { type Command, InvalidArgumentError } from 'commander'
import type { BrainOptions } from './brain-command.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { nonEmpty } from './options.ts'

export function addBrain(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const brain = program
    .command('brain')
    .description('the directive files: manner, rules, what is known of you')
  const run = async (options: BrainOptions): Promise<void> => {
    const { brainCommand } = await import('./brain-command.ts')
    done(await brainCommand(context, options))
  }
  const named = (name: string, description: string): Command =>
    brain.command(name).argument('<name>', 'such as SOUL', nonEmpty).description(description)
  const JSON_OPTION = ['--json', 'one JSON document', false] as const

  brain
    .command('list', { isDefault: true })
    .description('what files there are, and when each comes into a prompt')
    .option(...JSON_OPTION)
    .action(({ json }: { json: boolean }) => run({ do: 'list', json }))
  named('show', 'print a file')
    .option('--version <number>', 'an earlier version', version)
    .option(...JSON_OPTION)
    .action((name: string, options: { version?: number; json: boolean }) =>
      run({ do: 'show', name, version: options.version ?? null, json: options.json }),
    )
  named('edit', 'write a file in $EDITOR, or from stdin; a new name makes a new file')
    .option('--cleanup', 'lines may go: shown first, and only with your yes', false)
    .option('--append', 'add stdin at the end', false)
    .action((name: string, options: { cleanup: boolean; append: boolean }) =>
      run({ do: 'edit', name, ...options }),
    )
  named('history', 'the versions that can be restored')
    .option(...JSON_OPTION)
    .action((name: string, { json }: { json: boolean }) => run({ do: 'history', name, json }))
  named('restore', 'make an earlier version the newest')
    .argument('<version>', 'from `pfar brain history`', version)
    .action((name: string, number: number) => run({ do: 'restore', name, version: number }))
}

function version(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Give the number of a version.')
  return Number(text)
}
