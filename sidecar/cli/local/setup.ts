/** Declares `pfar init`, `pfar doctor` and `pfar uninstall` with their options. Loads the work on demand. Listed in index.ts. */
import type { Command } from 'commander'
import { createAsker } from '../chat/asker.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import type { DoctorOptions } from '../commands/doctor-command.ts'
import type { InitOptions } from '../commands/init-command.ts'
import type { UninstallOptions } from '../commands/uninstall-command.ts'
import { nonEmpty } from '../options.ts'
import type { LocalCommand } from './local.ts'

function addDoctor(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('doctor')
    .description('what works here, what does not, and what to do about it; fails if something is bad')
    .option('--fix', 'do what is safe to do: file modes, folders, the webhook, an overdue backup', false)
    .option('--ollama <url>', 'where Ollama answers on this machine; else as it is set up')
    .option('--json', 'one JSON document', false)
    .action(async (options: DoctorOptions) => {
      // Loaded on demand: backups bring a database.
      const { doctorCommand } = await import('../commands/doctor-command.ts')
      done(await doctorCommand(context, options))
    })
}

function addSetup(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('init')
    .description('set everything up by a few questions; may be stopped and run again')
    .option('--yes', 'take every default and ask nothing; needs no terminal', false)
    .option('--ollama <url>', 'where Ollama answers on this machine', nonEmpty)
    .option('--name <name>', 'of the Worker, where you have several', nonEmpty)
    .option('--address <url>', 'where the edge answers, if that is a domain of your own', nonEmpty)
    .action(async (options: InitOptions) => {
      const { initCommand } = await import('../commands/init-command.ts')
      done(await initCommand(context, options))
    })
  program
    .command('uninstall')
    .description('remove what PFAR set up: service, webhook, state folder; asks first')
    .option('--edge', 'the edge at Cloudflare and its database, too', false)
    .option('--dry-run', 'say what would go, and change nothing', false)
    .option('--force', 'go on where the edge or the keychain cannot be told', false)
    .option('--name <name>', 'of the Worker, where you have several', nonEmpty)
    .action(async (options: UninstallOptions) => {
      const { uninstallCommand } = await import('../commands/uninstall-command.ts')
      const asker = createAsker(process.stdin, process.stderr, process.stdin.isTTY === true)
      done(await uninstallCommand(context, options, asker.ask))
      asker.letGo()
    })
}

export const DOCTOR: LocalCommand = {
  names: ['doctor'],
  why: 'process',
  reason: 'it looks at this machine and mends it; what of home it needs it asks home for',
  add: addDoctor,
}

export const SETUP: LocalCommand = {
  names: ['init', 'uninstall'],
  why: 'process',
  reason: 'it sets up and removes what runs on this machine',
  add: addSetup,
}
