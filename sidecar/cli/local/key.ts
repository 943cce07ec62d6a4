/**
 * Declares `pfar key …`: names, arguments and options. Loads the work on demand, because it brings a database and a
 * word list that no other command needs. Listed in index.ts.
 */
import { type Command, Option } from 'commander'
import type { CommandContext, ExitCode } from '../command.ts'
import type { KeyOptions } from '../commands/key-command.ts'
import type { LocalCommand } from './local.ts'

function addKey(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const key = program.command('key').description('the master key of home')
  const add = (name: string, description: string): Command =>
    key
      .command(name)
      .description(description)
      .option('--json', 'one JSON document; refused where the owner has to be asked', false)
  const run = async (options: KeyOptions): Promise<void> => {
    // Suppresses Node's warning that its SQLite is experimental.
    process.removeAllListeners('warning')
    const { keyCommand } = await import('../commands/key-command.ts')
    done(await keyCommand(context, options))
  }
  const custody = () =>
    new Option('--custody <kind>', 'what keeps the key').choices(['keychain', 'systemd', 'passphrase'])

  add('status', 'what keeps it, and whether it fits').action((options) => run({ ...options, what: 'status' }))
  add('init', 'a real master key in place of the development key, or another custody or passphrase')
    .addOption(custody().default('keychain'))
    .action((options) => run({ ...options, what: 'init' }))
  add('rotate', 'a new master key; nothing becomes unreadable').action((options) =>
    run({ ...options, what: 'rotate' }),
  )
  add('recover', 'the master key back from its 24 words, typed or on stdin')
    .addOption(custody())
    .action((options) => run({ ...options, what: 'recover' }))
  add('forget', 'destroy the keys of a principal: what is stored of them can never be read again')
    .argument('<principal>', 'such as principal:webhook:ci')
    .option('--yes', 'do not ask', false)
    .action((principal: string, options) => run({ ...options, what: 'forget', principal }))
}

export const KEY: LocalCommand = {
  names: ['key'],
  why: 'stopped',
  reason: 'the master key changes hands while nothing uses it, and its words are asked for without an echo',
  add: addKey,
}
