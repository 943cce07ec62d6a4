/** Declares `pfar brain edit`: names, arguments and options. It opens an editor, so it is not an operation. Listed in index.ts. */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from '../command.ts'
import { nonEmpty } from '../options.ts'
import type { LocalCommand } from './local.ts'

function addBrain(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const brain = program.commands.find((one) => one.name() === 'brain') ?? program.command('brain')
  brain
    .command('edit')
    .argument('<name>', 'such as SOUL', nonEmpty)
    .description('write a file in $EDITOR, or from stdin; a new name makes a new file')
    .option('--cleanup', 'lines may go: shown first, and only with your yes', false)
    .option('--append', 'add stdin at the end', false)
    .action(async (name: string, options: { cleanup: boolean; append: boolean }) => {
      const { brainEdit } = await import('../commands/brain-command.ts')
      done(await brainEdit(context, { name, ...options }))
    })
}

export const BRAIN_EDIT: LocalCommand = {
  names: ['brain edit'],
  why: 'terminal',
  reason: 'it takes an editor; brain write is the operation',
  add: addBrain,
}
