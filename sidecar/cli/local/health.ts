/** Declares `pfar health import`. Loads the work on demand. Listed in index.ts. */
import { groupOf } from '../options.ts'
import type { LocalCommand } from './local.ts'

export const HEALTH: LocalCommand = {
  names: ['health import'],
  why: 'terminal',
  reason: 'it reads a file of this machine, in a process of its own',
  add: (program, run) =>
    groupOf(program, ['health'])
      .command('import')
      .argument('<file>', "Apple Health's export.zip, or the export.xml in it")
      .description('read a health export into home; again with a newer one, as often as you like')
      .action(async (file: string) => {
        const { importHealth } = await import('../commands/health-command.ts')
        await run((context) => importHealth(context, file))
      }),
}
