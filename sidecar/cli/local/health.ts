/** Declares `pfar health import` and `pfar health watch`. Loads the work on demand. Listed in index.ts. */
import { groupOf } from '../options.ts'
import type { LocalCommand } from './local.ts'

interface WatchFlags {
  readonly stop: boolean
}

export const HEALTH: LocalCommand = {
  names: ['health import', 'health watch'],
  why: 'terminal',
  reason: 'a file or folder of this machine is named at a terminal alone, and read in a process of its own',
  add(program, run) {
    const group = groupOf(program, ['health'])
    group
      .command('import')
      .argument('<file>', "Apple Health's export.zip, or the export.xml in it")
      .description('read a health export into home; again with a newer one, as often as you like')
      .action(async (file: string) => {
        const { importHealth } = await import('../commands/health-command.ts')
        await run((context) => importHealth(context, file))
      })
    group
      .command('watch')
      .argument('[folder]', 'where health exports are put, such as ~/Health')
      .description(
        'have home look into a folder for health exports, from its next start on; without one, says which it is',
      )
      .option('--stop', 'look into none', false)
      .action(async (folder: string | undefined, { stop }: WatchFlags) => {
        const { watchHealth } = await import('../commands/health-command.ts')
        await run((context) => watchHealth(context, stop ? null : folder))
      })
  },
}
