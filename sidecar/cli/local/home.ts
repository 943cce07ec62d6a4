/**
 * Declares the commands on home's files and on this machine: `init`, `doctor`, `uninstall`, `backup`, `restore`, `key`,
 * `recover`, `brain edit`. Loads the work on demand, so that `pfar ask` loads neither SQLite nor ciphers. Listed in index.ts.
 */
import { type Command, Option } from 'commander'
import { createAsker } from '../chat/asker.ts'
import type { ChosenBackup } from '../commands/backup/backup-context.ts'
import type { RecoverOptions } from '../commands/backup/recover-command.ts'
import type { RestoreOptions } from '../commands/backup/restore-command.ts'
import type { DoctorOptions } from '../commands/doctor-command.ts'
import type { InitOptions } from '../commands/init-command.ts'
import type { KeyOptions } from '../commands/key-command.ts'
import type { UninstallOptions } from '../commands/uninstall-command.ts'
import { groupOf, nonEmpty } from '../options.ts'
import type { LocalCommand } from './local.ts'

export const DOCTOR: LocalCommand = {
  names: ['doctor'],
  why: 'process',
  reason: 'it looks at this machine and mends it; what of home it needs it asks home for',
  add: (program, run) =>
    program
      .command('doctor')
      .description('what works here, what does not, and what to do about it; fails if something is bad')
      .option('--fix', 'do what is safe to do: file modes, folders, the webhook, an overdue backup', false)
      .option('--ollama <url>', 'where Ollama answers on this machine; else as it is set up')
      .option('--json', 'one JSON document', false)
      .action(async (options: DoctorOptions) => {
        const { doctorCommand } = await import('../commands/doctor-command.ts')
        await run((context) => doctorCommand(context, options))
      }),
}

export const SETUP: LocalCommand = {
  names: ['init', 'uninstall'],
  why: 'process',
  reason: 'it sets up and removes what runs on this machine',
  add(program, run) {
    program
      .command('init')
      .description('set everything up by a few questions; may be stopped and run again')
      .option('--yes', 'take every default and ask nothing; needs no terminal', false)
      .option('--ollama <url>', 'where Ollama answers on this machine', nonEmpty)
      .option('--name <name>', 'of the Worker, where you have several', nonEmpty)
      .option('--address <url>', 'where the edge answers, if that is a domain of your own', nonEmpty)
      .action(async (options: InitOptions) => {
        const { initCommand } = await import('../commands/init-command.ts')
        await run((context) => initCommand(context, options))
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
        await run((context) => uninstallCommand(context, options, asker.ask))
        asker.letGo()
      })
  },
}

const FROM = ['--from <folder>', 'the folder of the backups, if not the configured one'] as const

export const BACKUP: LocalCommand = {
  names: ['backup', 'restore'],
  why: 'stopped',
  reason: 'it writes and reads folders of backups, and a restore needs a home that stands still',
  add(program, run) {
    const backup = program.command('backup').description('encrypted copies of home')
    const commands = () => import('../commands/backup/backup-command.ts')
    backup
      .command('init')
      .description('choose the passphrase; from then on a backup is made every day')
      .option('--replace', 'a new passphrase for the backups to come', false)
      .action(({ replace }: { replace: boolean }) =>
        run(async (context) => (await commands()).backupInit(context, replace)),
      )
    backup
      .command('now')
      .description('make one now')
      .action(() => run(async (context) => (await commands()).backupNow(context)))
    backup
      .command('list')
      .description('what there is')
      .option(...FROM)
      .option('--json', 'one JSON document', false)
      .action((options: ChosenBackup & { json: boolean }) =>
        run(async (context) => (await commands()).backupList(context, options)),
      )
    backup
      .command('verify')
      .argument('[date]', 'a name of the list; the newest if left out')
      .description('check hashes and signature')
      .option(...FROM)
      .option('--open', 'ask for the passphrase, and start home from it in a folder of its own', false)
      .action(async (date: string | undefined, options: ChosenBackup & { open: boolean }) => {
        const { backupVerify } = await import('../commands/backup/verify-command.ts')
        await run((context) => backupVerify(context, { ...options, ...(date !== undefined && { date }) }))
      })
    program
      .command('restore')
      .description('bring home back from a backup')
      .option(...FROM)
      .option('--date <date>', 'a name of the list; the newest if left out')
      .option('--dry-run', 'check everything, change nothing', false)
      .option('--replace', 'move a state folder that is there aside', false)
      .option('--edge', 'what a lost edge held, into the new and empty one; home must run', false)
      .option('--yes', 'do not ask before the edge is filled', false)
      .action(async ({ edge, ...options }: RestoreOptions & { edge: boolean }) => {
        const { restoreCommand, restoreEdgeCommand } = await import('../commands/backup/restore-command.ts')
        await run((context) => (edge ? restoreEdgeCommand : restoreCommand)(context, options))
      })
  },
}

export const BRAIN_EDIT: LocalCommand = {
  names: ['brain edit'],
  why: 'terminal',
  reason: 'it takes an editor; brain write is the operation',
  add: (program, run) =>
    groupOf(program, ['brain'])
      .command('edit')
      .argument('<name>', 'such as SOUL', nonEmpty)
      .description('write a file in $EDITOR, or from stdin; a new name makes a new file')
      .option('--cleanup', 'lines may go: shown first, and only with your yes', false)
      .option('--append', 'add stdin at the end', false)
      .action(async (name: string, options: { cleanup: boolean; append: boolean }) => {
        const { brainEdit } = await import('../commands/brain-command.ts')
        await run((context) => brainEdit(context, { name, ...options }))
      }),
}

const custody = (about: string): Option =>
  new Option('--custody <kind>', about).choices(['keychain', 'systemd', 'passphrase'])

export const KEY: LocalCommand = {
  names: ['key'],
  why: 'stopped',
  reason: 'the master key changes hands while nothing uses it, and its words are asked for without an echo',
  add(program, run) {
    const key = program.command('key').description('the master key of home')
    const add = (name: string, description: string): Command =>
      key
        .command(name)
        .description(description)
        .option('--json', 'one JSON document; refused where the owner has to be asked', false)
    const change = async (options: KeyOptions): Promise<void> => {
      const { keyCommand } = await import('../commands/key-command.ts')
      await run((context) => keyCommand(context, options))
    }
    add('status', 'what keeps it, and whether it fits').action((options) =>
      change({ ...options, what: 'status' }),
    )
    add('init', 'a real master key in place of the development key, or another custody or passphrase')
      .addOption(custody('what keeps the key').default('keychain'))
      .action((options) => change({ ...options, what: 'init' }))
    add('rotate', 'a new master key; nothing becomes unreadable').action((options) =>
      change({ ...options, what: 'rotate' }),
    )
    add('recover', 'the master key back from its 24 words, typed or on stdin')
      .addOption(custody('what keeps the key'))
      .action((options) => change({ ...options, what: 'recover' }))
    add('forget', 'destroy the keys of a principal: what is stored of them can never be read again')
      .argument('<principal>', 'such as principal:webhook:ci')
      .option('--yes', 'do not ask', false)
      .action((principal: string, options) => change({ ...options, what: 'forget', principal }))
  },
}

export const RECOVER: LocalCommand = {
  names: ['recover'],
  why: 'stopped',
  reason: 'there is no home yet, and the 24 words are asked for without an echo',
  add: (program, run) =>
    program
      .command('recover')
      .description('replace a lost home box, with the 24 words alone')
      .requiredOption('--from-edge <address>', 'the edge that has the copies')
      .addOption(custody('what keeps the master key from now on').makeOptionMandatory())
      .option('--replace', 'move a state folder that is there aside', false)
      .option('--dry-run', 'fetch and check everything, change nothing', false)
      .option('--yes', 'do not ask whether the copy is the one', false)
      .action(async (options: RecoverOptions) => {
        const { recoverCommand } = await import('../commands/backup/recover-command.ts')
        await run((context) => recoverCommand(context, options))
      }),
}
