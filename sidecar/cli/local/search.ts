/** Declares `pfar search use`. No option takes a key. Loads the work on demand. Listed in index.ts. */
import { groupOf, nonEmpty } from '../options.ts'
import type { LocalCommand } from './local.ts'

interface Flags {
  readonly url?: string
}

export const SEARCH: LocalCommand = {
  names: ['search use'],
  why: 'terminal',
  reason: 'a server on the own network is named at a terminal alone, and home reads it when it starts',
  add: (program, run) =>
    groupOf(program, ['search'])
      .description('the search engine that home asks')
      .command('use')
      .argument('<engine>', 'duckduckgo, searxng, brave or kagi')
      .description('choose the search engine; home asks it from its next start on')
      .option('--url <address>', 'for searxng: where yours is, such as http://192.168.1.20:8888', nonEmpty)
      .action(async (engine: string, { url }: Flags) => {
        const { useEngine } = await import('../commands/search-command.ts')
        await run((context) => useEngine(context, { engine, ...(url !== undefined && { url }) }))
      }),
}
