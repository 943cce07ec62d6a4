/** Declares `pfar recover`: names and options. Loads the work on demand. Listed in index.ts. */
import { type Command, Option } from 'commander'
import type { CommandContext, ExitCode } from '../command.ts'
import type { RecoverOptions } from '../commands/recover-command.ts'
import type { LocalCommand } from './local.ts'

function addRecover(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const custody = new Option('--custody <kind>', 'what keeps the master key from now on')
  program
    .command('recover')
    .description('replace a lost home box, with the 24 words alone')
    .requiredOption('--from-edge <address>', 'the edge that has the copies')
    .addOption(custody.choices(['keychain', 'systemd', 'passphrase']).makeOptionMandatory())
    .option('--replace', 'move a state folder that is there aside', false)
    .option('--dry-run', 'fetch and check everything, change nothing', false)
    .option('--yes', 'do not ask whether the copy is the one', false)
    .action(async (options: RecoverOptions) => {
      // Suppresses Node's warning that its SQLite is experimental.
      process.removeAllListeners('warning')
      const { recoverCommand } = await import('../commands/recover-command.ts')
      done(await recoverCommand(context, options))
    })
}

export const RECOVER: LocalCommand = {
  names: ['recover'],
  why: 'stopped',
  reason: 'there is no home yet, and the 24 words are asked for without an echo',
  add: addRecover,
}
