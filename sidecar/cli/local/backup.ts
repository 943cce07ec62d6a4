/**
 * Declares `pfar backup` and `pfar restore`: names, arguments and options. Loads the work on demand, so that `pfar ask`
 * loads neither SQLite nor ciphers. Listed in index.ts.
 */
import type { Command } from 'commander'
import type { CommandContext, ExitCode } from '../command.ts'
import type { LocalCommand } from './local.ts'

const FROM = ['--from <folder>', 'the folder of the backups, if not the configured one'] as const

interface From {
  readonly from?: string
}

function addBackup(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  const backup = program.command('backup').description('encrypted copies of home')
  const commands = () => import('../commands/backup-command.ts')
  backup
    .command('init')
    .description('choose the passphrase; from then on a backup is made every day')
    .option('--replace', 'a new passphrase for the backups to come', false)
    .action(async ({ replace }: { replace: boolean }) =>
      done(await (await commands()).backupInit(context, replace)),
    )
  backup
    .command('now')
    .description('make one now')
    .action(async () => done(await (await commands()).backupNow(context)))
  backup
    .command('list')
    .description('what there is')
    .option(...FROM)
    .option('--json', 'one JSON document', false)
    .action(async ({ from, json }: From & { json: boolean }) =>
      done(await (await commands()).backupList(context, { from: from ?? null, json })),
    )
  backup
    .command('verify')
    .argument('[date]', 'a name of the list; the newest if left out')
    .description('check hashes and signature')
    .option(...FROM)
    .option('--open', 'ask for the passphrase, and start home from it in a folder of its own', false)
    .action(async (date: string | undefined, { from, open }: From & { open: boolean }) =>
      done(
        await (await import('../commands/verify-command.ts')).backupVerify(context, {
          ...{ from: from ?? null, date: date ?? null, open },
        }),
      ),
    )
  addRestore(program, context, done)
}

interface RestoreFlags extends From {
  readonly date?: string
  readonly replace: boolean
  readonly dryRun: boolean
  readonly edge: boolean
  readonly yes: boolean
}

function addRestore(program: Command, context: CommandContext, done: (code: ExitCode) => void): void {
  program
    .command('restore')
    .description('bring home back from a backup')
    .option(...FROM)
    .option('--date <date>', 'a name of the list; the newest if left out')
    .option('--dry-run', 'check everything, change nothing', false)
    .option('--replace', 'move a state folder that is there aside', false)
    .option('--edge', 'what a lost edge held, into the new and empty one; home must run', false)
    .option('--yes', 'do not ask before the edge is filled', false)
    .action(async ({ from, date, edge, ...flags }: RestoreFlags) => {
      const chosen = { ...flags, from: from ?? null, date: date ?? null }
      const { restoreCommand } = await import('../commands/restore-command.ts')
      const { restoreEdgeCommand } = await import('../commands/restore-edge-command.ts')
      done(await (edge ? restoreEdgeCommand : restoreCommand)(context, chosen))
    })
}

export const BACKUP: LocalCommand = {
  names: ['backup', 'restore'],
  why: 'stopped',
  reason: 'it writes and reads folders of backups, and a restore needs a home that stands still',
  add: addBackup,
}
